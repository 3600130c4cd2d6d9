//! Pulls: how far they are, a way to stop, to try again and to start one by name. The engine holds them; this asks once a
//! second while one goes on.

use std::time::Duration;

use leptos::{html, prelude::*};
use leptos_router::params::ParamsMap;

use crate::{
    domain::{
        id::Wire,
        leaderboard::encoded,
        model::{Server, ServerStatus},
        pull::{PullState, PullView},
        unit,
    },
    web::{
        calls::{Answer, CancelPull, DismissPull, StartPull},
        part::glyph::{Glyph, state_line},
    },
};

/// Between two looks at pulls that go on.
const BETWEEN: Duration = Duration::from_secs(1);
/// Without script the page loads itself again while a pull goes on.
const REFRESH: &str = r#"<meta http-equiv="refresh" content="5">"#;

/// What pulls need of the page.
#[derive(Clone, Copy)]
pub struct Pulling {
    pub pulls: Answer<Vec<PullView>>,
    pub start: ServerAction<StartPull>,
    pub cancel: ServerAction<CancelPull>,
    pub dismiss: ServerAction<DismissPull>,
    pub query: Memo<ParamsMap>,
}

/// The servers that can pull.
pub fn pullers(servers: &[Server]) -> Vec<(String, String)> {
    let can =
        |server: &&Server| server.wire == Some(Wire::Ollama) && server.status == ServerStatus::Ready && !server.demo;
    let named = |server: &Server| server.label.clone().unwrap_or_else(|| server.name.clone());
    servers
        .iter()
        .filter(can)
        .map(|server| (server.url.clone(), format!("{}, {}", named(server), server.url)))
        .collect()
}

/// Keeps up with pulls that go on; `arrived` is called when one has succeeded.
pub fn keep_up(pulls: Answer<Vec<PullView>>, arrived: impl Fn() + Send + Sync + 'static) {
    Effect::new(move |before: Option<usize>| {
        let Some(Ok(list)) = pulls.get() else { return before.unwrap_or_default() };
        if list.iter().any(|pull| pull.state.is_active()) {
            set_timeout(move || pulls.refetch(), BETWEEN);
        }
        let done = list.iter().filter(|pull| pull.state == PullState::Success).count();
        if before.is_some_and(|before| done > before) {
            arrived();
        }
        done
    });
}

/// The card; nothing where no server can pull and nothing was pulled.
pub fn card(this: Pulling, servers: &[Server]) -> AnyView {
    let pullers = StoredValue::new(pullers(servers));
    view! {
        <Transition fallback=|| ()>
            {move || Suspend::new(async move {
                let pulls = this.pulls.await.unwrap_or_default();
                let pullers = pullers.get_value();
                if pulls.is_empty() && pullers.is_empty() {
                    return ().into_any();
                }
                let active = pulls.iter().any(|pull| pull.state.is_active());
                let list: Vec<AnyView> = pulls.iter().map(|pull| one(this, pull)).collect();
                view! {
                    <section class="card pulls" id="pulling" aria-labelledby="pulling-head">
                        <h2 id="pulling-head">{if active { "Pulling" } else { "Pull a model" }}</h2>
                        {by_name(this, &pullers)}
                        {list}
                        {active.then(|| view! { <noscript inner_html=REFRESH></noscript> })}
                    </section>
                }
                .into_any()
            })}
        </Transition>
    }
    .into_any()
}

/// The page's query, for plain forms to come back to.
fn back(this: Pulling) -> AnyView {
    view! { <input type="hidden" name="back" value=move || this.query.read().to_query_string()/> }.into_any()
}

/// Which server pulls: a choice where there are several.
pub fn endpoint_field(pullers: &[(String, String)]) -> AnyView {
    match pullers {
        [] => ().into_any(),
        [(url, _)] => view! { <input type="hidden" name="endpoint" value=url.clone()/> }.into_any(),
        several => {
            let options = several
                .iter()
                .map(|(url, name)| view! { <option value=url.clone()>{name.clone()}</option> })
                .collect_view();
            view! { <label class="field"><span>"On"</span><select name="endpoint">{options}</select></label> }
                .into_any()
        }
    }
}

fn by_name(this: Pulling, pullers: &[(String, String)]) -> AnyView {
    if pullers.is_empty() {
        return ().into_any();
    }
    let refused = move || match this.start.value().get() {
        Some(Err(error)) => Some(error.message),
        Some(Ok(())) => None,
        None => this.query.read().get("pull-refused"),
    };
    let endpoint = endpoint_field(pullers);
    let name = NodeRef::<html::Input>::new();
    // this is made anew with every look at the pulls: only a start that happens now empties the field
    Effect::new(move |before: Option<usize>| {
        let version = this.start.version().get();
        if before.is_some_and(|before| before != version)
            && let (Some(Ok(())), Some(field)) = (this.start.value().get_untracked(), name.get_untracked())
        {
            field.set_value("");
        }
        version
    });
    view! {
        <ActionForm action=this.start>
            <div class="acts">
                <label class="field grow">
                    <span>"Name"</span>
                    <input node_ref=name name="model" size="16" placeholder="qwen3:8b" required autocomplete="off" autocapitalize="none" spellcheck="false"/>
                </label>
                {endpoint}
                {back(this)}
                <button class="btn" type="submit">"Pull"</button>
            </div>
        </ActionForm>
        <p class="why" role="status">{refused}</p>
    }
    .into_any()
}

/// A button that starts the pull of a model.
pub fn start_button(this: Pulling, model: &str, endpoint: AnyView, label: String, word: &'static str) -> AnyView {
    let model = model.to_owned();
    view! {
        <ActionForm action=this.start>
            <div class="acts end">
                <input type="hidden" name="model" value=model/>
                {endpoint}
                {back(this)}
                <button class="btn" type="submit" aria-label=label>{word}</button>
            </div>
        </ActionForm>
    }
    .into_any()
}

/// State in a word with its glyph.
fn state(pull: &PullView) -> AnyView {
    let (glyph, word) = match pull.state {
        PullState::Starting => (Glyph::Live, "asking"),
        PullState::Pulling => (Glyph::Live, "pulling"),
        PullState::Verifying => (Glyph::Live, "checking"),
        PullState::Confirming => (Glyph::Live, "looking for it"),
        PullState::Success => (Glyph::Pass, "pulled"),
        PullState::Failed => (Glyph::Fail, "failed"),
        PullState::Cancelled => (Glyph::Stop, "cancelled"),
    };
    state_line(glyph, word)
}

/// `12.7 of 20.2 GB`, `61 MB/s`, `about 2 min`; small amounts in MB.
fn figures(pull: &PullView) -> [String; 3] {
    let amount =
        |bytes: u64| if pull.total < 1_000_000_000 { format!("{:.1} MB", bytes as f64 / 1e6) } else { unit::gb(bytes) };
    let moved =
        if pull.total == 0 { String::new() } else { format!("{} of {}", amount(pull.completed), amount(pull.total)) };
    let rate = pull.rate.map(|rate| format!("{:.1} MB/s", rate / 1e6)).unwrap_or_default();
    [moved, rate, pull.left_s.map(unit::about).unwrap_or_default()]
}

fn one(this: Pulling, pull: &PullView) -> AnyView {
    let label = format!("Pulling {}", pull.model);
    let bar = pull.state.is_active() || (pull.state != PullState::Success && pull.progress > 0.0);
    let bar = bar.then(|| {
        let value = format!("{:.1}", pull.progress);
        let label = label.clone();
        view! { <progress class="prog" value=value.clone() max="100" aria-label=label.clone()>{format!("{value} %")}</progress> }
    });
    let line = (pull.state.is_active() || pull.state == PullState::Cancelled).then(|| {
        view! { <p class="ends small soft">{figures(pull).map(|text| view! { <span>{text}</span> }).collect_view()}</p> }
    });
    let failed = pull.error.clone().map(|error| {
        view! { <p class="small t-fail">{error}</p> {pull.advice.clone().map(|advice| view! { <p class="small">{advice}</p> })} }
    });
    let again = |word: &'static str| {
        let endpoint = view! { <input type="hidden" name="endpoint" value=pull.endpoint.clone()/> }.into_any();
        start_button(this, &pull.model, endpoint, format!("{word} pulling {}", pull.model), word)
    };
    let dismiss = || {
        let (id, label) = (pull.id.clone(), format!("Take {} off the list", pull.model));
        view! {
            <ActionForm action=this.dismiss>
                <input type="hidden" name="id" value=id/>
                {back(this)}
                <button class="btn quiet" type="submit" aria-label=label>"Dismiss"</button>
            </ActionForm>
        }
    };
    let acts = match pull.state {
        state if state.is_active() => {
            let (id, label) = (pull.id.clone(), format!("Cancel pulling {}", pull.model));
            view! {
                <ActionForm action=this.cancel>
                    <input type="hidden" name="id" value=id/>
                    {back(this)}
                    <button class="btn" type="submit" aria-label=label>"Cancel"</button>
                </ActionForm>
            }
            .into_any()
        }
        PullState::Success => {
            let href = format!(
                "/benchmark?model={}&endpoint={}&provider=ollama",
                encoded(&pull.model),
                encoded(&pull.endpoint)
            );
            view! { <a class="btn" href=href>"Benchmark"</a> {dismiss()} }.into_any()
        }
        PullState::Cancelled => view! { {again("Go on")} {dismiss()} }.into_any(),
        _ => view! { {again("Try again")} {dismiss()} }.into_any(),
    };
    view! {
        <div class="pull">
            <div class="mhead"><h3>{pull.model.clone()}</h3> {state(pull)}</div>
            {bar} {line} {failed}
            <div class="acts">{acts}</div>
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::pull::Pull;

    #[test]
    fn figures_are_written_in_the_unit_of_the_whole() {
        let mut pull = Pull::new("p", "m", "e", 0.0);
        assert_eq!(figures(pull.view()), ["", "", ""]);
        for (at, completed) in [(0.0, 0_u64), (2.0, 122_000_000)] {
            pull.line(
                &format!(r#"{{"status":"pulling a","digest":"a","total":20200000000,"completed":{completed}}}"#),
                at,
            );
        }
        assert_eq!(figures(pull.view()), ["0.1 GB of 20.2 GB", "61.0 MB/s", "about 5 min"]);
    }
}
