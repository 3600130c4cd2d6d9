//! One trial opened: what was said, how it was judged part by part, where the time went, why figures are missing.

use leptos::prelude::*;

use super::Extras;
use crate::{
    domain::{
        event::{Spoken, Trial},
        run::Row,
        transcript::{Message, Role, ToolCall},
        unit,
        verdict::{Part, PartKind},
    },
    web::part::{
        glyph::{Glyph, glyph},
        kv::kv,
        state::{failure, loading},
        strip::timing_strip,
    },
};

/// The opened trial, once it has arrived.
pub fn opened(row: &Row, extras: Extras) -> AnyView {
    let row = row.clone();
    view! {
        <Suspense fallback=|| loading("Reading the transcript …")>
            {move || {
                let row = row.clone();
                Suspend::new(async move {
                    match extras.trial.await {
                        Some(Ok(trial)) => transcript(&trial, &row),
                        Some(Err(error)) => failure("read this trial", &error),
                        None => ().into_any(),
                    }
                })
            }}
        </Suspense>
    }
    .into_any()
}

fn transcript(trial: &Trial, row: &Row) -> AnyView {
    let sample = &trial.sample;
    let said = trial.messages.iter().map(message).collect_view();
    let count = trial.turn_count();
    let turns = trial.spoken().enumerate().map(|(index, turn)| {
        let who = match index + 1 {
            _ if count == 1 => "Answer".to_owned(),
            number => format!("Turn {number} of {count}"),
        };
        spoken(turn, who)
    });
    let turns = turns.collect_view();
    let timing = if trial.steps.is_empty() { "Timing: " } else { "Timing of the last turn: " };
    view! {
        <div class="tr-grid">
            <div>
                <div class="turns">
                    {said} {turns}
                </div>
            </div>
            <div class="sect">{verdict(trial, row)}</div>
        </div>
        <h3>{timing} {unit::ms(sample.timing.total_ms)}</h3>
        {timing_strip(&sample.timing, &sample.usage)}
        {notes(trial)}
    }
    .into_any()
}

/// One turn of the model: thoughts, words and calls, remarks on how it was read; then what each call gave back.
fn spoken(turn: Spoken, who: String) -> AnyView {
    let sample = turn.sample;
    let tokens = sample.usage.completion_tokens.map(|n| format!("{} tokens", unit::count(n))).unwrap_or_default();
    let reasoning = (!sample.reasoning.is_empty()).then(|| long_turn("Thinking", String::new(), &sample.reasoning));
    let answer = match (sample.answer.is_empty(), turn.calls.is_empty()) {
        (true, true) => view! { <p class="soft">"No answer text."</p> }.into_any(),
        (true, false) => ().into_any(),
        (false, _) => view! { <pre class="code fold">{sample.answer.clone()}</pre> }.into_any(),
    };
    let calls = turn.calls.iter().map(call).collect_view();
    let notes = turn.notes.iter().map(|note| {
        let text = format!("{}: {}", note.kind.words(), note.text);
        view! { <p class="small dim">{text}</p> }
    });
    let notes = notes.collect_view();
    let finish = sample.finish_reason.clone().map(|reason| format!("Stop reason: {reason}."));
    let results = turn.calls.iter().zip(turn.results).map(|(call, result)| self::result(&call.name, result));
    let results = results.collect_view();
    view! {
        {reasoning}
        <article class="turn">
            <header><b>{who}</b>{tokens}</header>
            <div>{answer} {calls} {notes} {finish.map(|text| view! { <p class="small dim">{text}</p> })}</div>
        </article>
        {results}
    }
    .into_any()
}

/// What a call gave back.
fn result(tool: &str, result: &str) -> AnyView {
    let shown =
        serde_json::from_str::<serde_json::Value>(result).and_then(|value| serde_json::to_string_pretty(&value));
    let shown = shown.unwrap_or_else(|_| result.to_owned());
    view! {
        <article class="turn">
            <header><b>"Result"</b>{tool.to_owned()}</header>
            <div><pre class="code fold">{shown}</pre></div>
        </article>
    }
    .into_any()
}

fn message(message: &Message) -> AnyView {
    let who = match message.role {
        Role::System => "System",
        Role::User => "User",
        Role::Assistant => "Assistant",
        Role::Tool => "Tool",
    };
    let calls = message.calls.iter().map(call).collect_view();
    if message.text.chars().count() > 600 {
        return view! { {long_turn(who, format!("{} characters", unit::count(message.text.chars().count() as u64)), &message.text)} {calls} }.into_any();
    }
    view! {
        <article class="turn"><header><b>{who}</b></header><div><p>{message.text.clone()}</p> {calls}</div></article>
    }
    .into_any()
}

/// A turn whose text is folded to its beginning.
fn long_turn(who: &'static str, about: String, text: &str) -> AnyView {
    view! {
        <article class="turn">
            <header><b>{who}</b>{about}</header>
            <div>
                <details>
                    <summary>{unit::cut(text.trim(), 90)}</summary>
                    <p class="think">{text.to_owned()}</p>
                </details>
            </div>
        </article>
    }
    .into_any()
}

fn call(call: &ToolCall) -> AnyView {
    let arguments = match &call.arguments {
        Some(value) => serde_json::to_string_pretty(value).unwrap_or_else(|_| call.arguments_raw.clone()),
        None => call.arguments_raw.clone(),
    };
    view! { <pre class="code">{format!("{}({arguments})", call.name)}</pre> }.into_any()
}

fn verdict(trial: &Trial, row: &Row) -> AnyView {
    let mark = row.mark();
    let Some(verdict) = &trial.verdict else {
        let why =
            if row.why.is_empty() { "A timed trial: its figures are its result.".to_owned() } else { row.why.clone() };
        return view! { <h3>{format!("Verdict: {mark}")}</h3> <p class="small soft">{why}</p> }.into_any();
    };
    let parts = verdict.parts.iter().map(part).collect_view();
    view! {
        <h3>{format!("Verdict: {mark}, {:.2}", verdict.score)}</h3>
        <div class="wrap bare" tabindex="0" role="region" aria-label="Parts of the verdict">
            <table class="tbl">
                <thead>
                    <tr><th scope="col">"Part"</th><th scope="col">"Answer"</th><th scope="col" class="num">"Weight"</th><th scope="col" class="num">"Score"</th></tr>
                </thead>
                <tbody>{parts}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn part(part: &Part) -> AnyView {
    let shape = match part.score {
        s if s >= 1.0 => Glyph::Pass,
        s if s > 0.0 => Glyph::Part,
        _ => Glyph::Fail,
    };
    let kind = match part.kind {
        PartKind::Correctness => "",
        PartKind::Format => " (format)",
    };
    view! {
        <tr>
            <th scope="row">
                {glyph(shape)} " " {part.name.clone()} {kind} <span class="sub">{part.why.clone()}</span>
            </th>
            <td class="mono">{part.answer.clone().unwrap_or_else(|| unit::ABSENT.to_owned())}</td>
            <td class="num">{format!("{:.2}", part.weight)}</td>
            <td class="num">{format!("{:.2}", part.score)}</td>
        </tr>
    }
    .into_any()
}

/// Why figures are null, what was dropped to please the server, what else to know.
fn notes(trial: &Trial) -> AnyView {
    let sample = &trial.sample;
    let mut pairs: Vec<(&'static str, AnyView)> = Vec::new();
    for (field, why) in &sample.notes {
        pairs.push(("No figure", view! { <code>{field.clone()}</code> ": " {why.clone()} }.into_any()));
    }
    for change in &sample.adaptations {
        pairs.push(("Not applied", change.clone().into_any()));
    }
    if !sample.flags.is_empty() {
        let flags: Vec<String> = sample.flags.iter().map(|flag| flag.as_str().replace('_', " ")).collect();
        pairs.push(("Flags", flags.join(", ").into_any()));
    }
    if let Some(error) = &sample.error {
        let status = error.status.map(|status| format!(" (status {status})")).unwrap_or_default();
        pairs.push(("Error", format!("{}{status}", error.message).into_any()));
    }
    let seed = trial.seed.map_or_else(|| "none".to_owned(), |seed| seed.to_string());
    let requests = if sample.requests == 1 { "1 request".to_owned() } else { format!("{} requests", sample.requests) };
    pairs.push((
        "Sent",
        format!("seed {seed}, at most {} tokens, {requests}", unit::count(u64::from(trial.max_tokens))).into_any(),
    ));
    kv(pairs)
}
