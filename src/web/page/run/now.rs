//! What is being written at this moment: its speed and its last characters. Passing by, never stored.

use leptos::prelude::*;

use super::Going;
use crate::{
    domain::{run::RunView, unit},
    web::part::{kv::kv, table::section_head},
};

/// The running rate. A chunk is about a token; the exact figure comes with the verdict.
pub fn speed(going: Going) -> AnyView {
    let figures = move || {
        let pulse = going.pulse.get();
        let rate = pulse.as_ref().and_then(|pulse| pulse.chunks_s);
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| unit::ABSENT.to_owned()).into_any();
        view! {
            <p class="rate"><b>{unit::rate(rate)}</b> " tok/s " <span class="dim small">"counted in chunks, last 2 s"</span></p>
            {kv(vec![
                ("Phase", or_dash(pulse.as_ref().map(|pulse| pulse.phase.clone()))),
                ("First token", or_dash(pulse.as_ref().and_then(|pulse| pulse.ttft_ms).map(|ms| unit::ms(Some(ms))))),
                ("Chunks so far", or_dash(pulse.as_ref().map(|pulse| unit::count(u64::from(pulse.chunks))))),
                ("This call", or_dash(pulse.as_ref().map(|pulse| unit::ms(Some(pulse.elapsed_ms))))),
            ])}
        }
    };
    let so_far = Memo::new(move |_| going.view.with(|view| view.scores().decode_tok_s));
    let settled = move || {
        let spread = so_far.get();
        (spread.n > 0).then(|| view! { <p class="small dim">{format!("Decode so far: {} tok/s, n {}", spread.words(unit::rate), spread.n)}</p> })
    };
    view! {
        <section class="sect" aria-labelledby="speed-now">
            {section_head("Speed now", "speed-now", "")}
            <div class="card">{figures} {settled}</div>
        </section>
    }
    .into_any()
}

fn title(view: &RunView) -> (String, String) {
    match &view.current {
        None => ("Now".to_owned(), "between two tasks".to_owned()),
        Some(current) => (
            format!("Now: {}", view.title_of(current.suite, &current.task)),
            format!("{}, trial {}", current.suite.title(), current.trial),
        ),
    }
}

/// The task in progress with the end of what is being written.
pub fn task(going: Going) -> AnyView {
    let titles = Memo::new(move |_| going.view.with(title));
    let tail = move || {
        let pulse = going.pulse.get().filter(|pulse| !pulse.tail.is_empty());
        match pulse {
            None => view! { <p class="soft">"Nothing has been written yet."</p> }.into_any(),
            Some(pulse) => view! { <pre class="code fold">{pulse.tail}<span class="caret"></span></pre> }.into_any(),
        }
    };
    let phase = move || going.pulse.get().map(|pulse| pulse.phase).unwrap_or_default();
    view! {
        <section class="sect" aria-labelledby="now">
            {section_head(move || titles.get().0, "now", move || titles.get().1)}
            <div class="card">
                <div class="turns">
                    <article class="turn"><header><b>"Answer"</b>{phase}</header><div aria-live="off">{tail}</div></article>
                </div>
            </div>
        </section>
    }
    .into_any()
}
