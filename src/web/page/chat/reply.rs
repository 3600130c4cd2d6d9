//! One answer: who gave it, the thought (folded), the answer as it is written, and its figures.

use leptos::prelude::*;

use super::{
    ask,
    state::{Chat, Reply, Stage, Turn},
};
use crate::{
    domain::{chat::figures, sample::Sample, unit},
    web::part::{
        badge::{Tone, note},
        glyph::{Glyph, state_line},
        markdown::markdown,
        strip::timing_strip,
    },
};

/// What the user said, then the answers, beside each other where two were asked.
pub fn turn(chat: Chat, turn: Turn) -> AnyView {
    let class = if turn.second.is_some() { "duo" } else { "solo" };
    view! {
        <div class="exchange">
            <div class="prompt"><h3 class="sr">"You"</h3><p>{turn.prompt.to_string()}</p></div>
            <div class=class>{reply(chat, turn.first)} {turn.second.map(|second| reply(chat, second))}</div>
        </div>
    }
    .into_any()
}

fn reply(chat: Chat, reply: ArcRwSignal<Reply>) -> AnyView {
    let reply = RwSignal::from(reply);
    let model = reply.with_untracked(Reply::model);
    let thought = Memo::new(move |_| reply.with(|reply| !reply.reasoning.is_empty()));
    let stage = Memo::new(move |_| reply.with(|reply| reply.stage));
    let body = move || reply.with(|reply| (!reply.answer.is_empty()).then(|| markdown(reply.answer_so_far())));
    view! {
        <article class="reply" aria-label=format!("Answer of {model}")>
            <header><h3>{model.clone()}</h3> {move || state(stage.get(), reply)}</header>
            {move || thought.get().then(|| thinking(reply, stage))}
            {body}
            {move || (stage.get() == Stage::Answering).then(|| view! { <span class="caret" aria-hidden="true"></span> })}
            {move || below(chat, stage.get(), reply)}
        </article>
    }
    .into_any()
}

/// Glyph and word of where the answer stands.
fn state(stage: Stage, reply: RwSignal<Reply>) -> AnyView {
    match stage {
        Stage::Queued => state_line(Glyph::None, "waits for its turn"),
        Stage::Connecting => state_line(Glyph::Live, "connecting"),
        Stage::Waiting => state_line(Glyph::Live, "waiting for the first token"),
        Stage::Thinking => state_line(Glyph::Live, "thinking"),
        Stage::Answering => state_line(Glyph::Live, "answering"),
        Stage::Stopped => state_line(Glyph::Stop, "stopped"),
        Stage::Failed => state_line(Glyph::Fail, "not answered"),
        Stage::Done => reply.with(|reply| match &reply.sample {
            Some(sample) => {
                let class = sample.class.map(|class| format!(", {class}")).unwrap_or_default();
                state_line(Glyph::of_state(sample.state), format!("{}{class}", sample.state).replace('_', " "))
            }
            None => ().into_any(),
        }),
    }
}

/// The thought, apart and folded.
fn thinking(reply: RwSignal<Reply>, stage: Memo<Stage>) -> AnyView {
    let summary = move || {
        let length = reply.with(|reply| reply.reasoning.chars().count());
        let word = if stage.get() == Stage::Thinking { "Thinking" } else { "Thought" };
        format!("{word}, {} characters", unit::count(length as u64))
    };
    view! {
        <details class="thought">
            <summary>{summary}</summary>
            <p class="think">{move || reply.with(|reply| reply.reasoning_so_far().to_owned())}</p>
        </details>
    }
    .into_any()
}

/// What stands below an answer that has ended.
fn below(chat: Chat, stage: Stage, reply: RwSignal<Reply>) -> AnyView {
    match stage {
        Stage::Done => reply.with(measured),
        Stage::Stopped => {
            view! { <p class="small dim">"Stopped, so nothing was measured: figures belong to whole answers."</p> }
                .into_any()
        }
        Stage::Failed => {
            let (why, beside_run) = reply.with(|reply| (reply.why.clone().unwrap_or_default(), reply.beside_run));
            let tone = if beside_run { Tone::Warn } else { Tone::Fail };
            view! {
                {note(tone, format!("Could not {why}."))}
                {beside_run
                    .then(|| {
                        view! {
                            <button class="btn" type="button" on:click=move |_| ask::again(chat, true)>
                                "Chat anyway"
                            </button>
                        }
                    })}
            }
            .into_any()
        }
        Stage::Waiting => {
            view! { <p class="small dim">"A model that is not loaded yet takes its time before the first token."</p> }
                .into_any()
        }
        _ => ().into_any(),
    }
}

/// The figures, each absent one with its reason, and where the time went.
fn measured(reply: &Reply) -> AnyView {
    let Some(sample) = &reply.sample else { return ().into_any() };
    let failed = sample.why_not_judged().map(|why| note(Tone::Fail, why));
    if !sample.state.is_judged() {
        return view! { {failed} {remarks(sample)} }.into_any();
    }
    let no_text = reply.answer.trim().is_empty().then(|| view! { <p class="soft">"No answer text."</p> });
    let figures = figures(sample);
    let shown: Vec<AnyView> = figures
        .iter()
        .map(|figure| view! { <div><dt>{figure.name}</dt><dd>{figure.value.clone()}</dd></div> }.into_any())
        .collect();
    let absent: Vec<AnyView> = figures
        .iter()
        .filter_map(|figure| {
            let why = figure.why.clone()?;
            Some(view! { <li>{figure.name} ": " {why}</li> }.into_any())
        })
        .collect();
    view! {
        {no_text}
        <dl class="figs">{shown}</dl>
        {(!absent.is_empty()).then(|| view! { <ul class="whys small dim">{absent}</ul> })}
        <details class="data">
            <summary>"Where the time went"</summary>
            {timing_strip(&sample.timing, &sample.usage)}
        </details>
        {remarks(sample)}
    }
    .into_any()
}

/// What was dropped to please the server, and what else to know.
fn remarks(sample: &Sample) -> AnyView {
    let mut remarks: Vec<String> = sample.adaptations.iter().map(|change| format!("Not applied: {change}")).collect();
    if !sample.flags.is_empty() {
        let flags: Vec<String> = sample.flags.iter().map(|flag| flag.as_str().replace('_', " ")).collect();
        remarks.push(format!("Flags: {}", flags.join(", ")));
    }
    let remarks: Vec<AnyView> = remarks.into_iter().map(|remark| view! { <li>{remark}</li> }.into_any()).collect();
    (!remarks.is_empty()).then(|| view! { <ul class="whys small dim">{remarks}</ul> }).into_any()
}
