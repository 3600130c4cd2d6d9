//! What the answers tell: servers and samples → findings. Only what the evidence shows is said; what a small model failed
//! to do is unknown, not the server's fault. Pure. Imports: domain, harness, error words, probe questions.

use crate::{
    domain::{
        card::{Answer, Blocker, Finding, FindingId},
        id::{HarnessId, Thinking},
        identity::Identity,
        model::{ModelInfo, Server, ServerStatus},
        sample::{Flag, Sample, SampleClass, SampleState},
        transcript::NoteKind,
        unit,
    },
    engine::{
        client::{HOST_REFUSALS, MEMORY_FAILURES},
        harness, identify,
    },
};

use super::questions::{self, LAKES, LIMIT, SYSTEM_WORD};

/// Chunks from which on an answer was written as a stream.
const FINE_CHUNKS: u32 = 8;
/// Share of a prompt's tokens below which it must have been cut.
const LEAST: f64 = 0.7;

/// What the first look tells: whether a model server is there, takes the key and has the model. `named` says that the
/// user told how to speak to it.
pub fn server(server: &Server, model: &str, has_key: bool, named: bool, waited_ms: f64) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_server = Finding::new(FindingId::Server, Answer::Yes, what_it_is(server, waited_ms));
    let fails = |what, evidence: String, why| Finding::new(what, Answer::No, evidence).blocking(why);
    match &server.status {
        ServerStatus::Ready => findings.push(is_server),
        ServerStatus::Loading => {
            let evidence = format!(
                "{} was still loading its model after {} s",
                server.name,
                unit::count((waited_ms / 1000.0) as u64)
            );
            findings.push(fails(FindingId::Server, evidence, Blocker::Loading));
            return findings;
        }
        ServerStatus::NeedsKey => {
            findings.push(is_server);
            let (evidence, why) = match has_key {
                true => ("the server refuses the API key that is set", Blocker::KeyRefused),
                false => ("the server wants an API key", Blocker::KeyNeeded),
            };
            findings.push(fails(FindingId::Key, evidence.to_owned(), why));
            return findings;
        }
        ServerStatus::Unreachable(why) => {
            findings.push(fails(FindingId::Server, format!("{}: {why}", server.url), Blocker::Unreachable));
            return findings;
        }
        ServerStatus::OtherApi(what) => {
            if is_host_refusal(what) {
                findings.push(fails(FindingId::Server, what.clone(), Blocker::HostRefused));
                return findings;
            }
            // some servers have no list of models; a named provider is believed
            if !named {
                let evidence = format!("something answers at {}, but no model server: {what}", server.url);
                findings.push(fails(FindingId::Server, evidence, Blocker::WrongApi));
                return findings;
            }
            let evidence = format!("it has no list of models: {what}; the provider was named");
            findings.push(Finding::new(FindingId::Server, Answer::Partly, evidence));
        }
    }
    let key = match has_key {
        true => "the server takes the key that is set, or needs none",
        false => "none was needed to list the models",
    };
    findings.push(Finding::new(FindingId::Key, Answer::Yes, key));
    findings.push(listed(server, model));
    findings
}

/// What the same server says without the key that it takes.
pub fn key_that_is_taken(without: &Server) -> Finding {
    let evidence = match without.status {
        ServerStatus::NeedsKey => "the server wants a key, and takes the one that is set",
        _ => "a key is set; the server lists its models without one as well",
    };
    Finding::new(FindingId::Key, Answer::Yes, evidence)
}

fn is_host_refusal(what: &str) -> bool {
    let what = what.to_lowercase();
    HOST_REFUSALS.iter().any(|words| what.contains(words))
}

fn what_it_is(server: &Server, waited_ms: f64) -> String {
    let version = server.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    let evidence = if server.evidence.is_empty() { String::new() } else { format!(": {}", server.evidence) };
    let waited = match waited_ms >= 500.0 {
        true => format!("; it was loading for {}", unit::ms(Some(waited_ms))),
        false => String::new(),
    };
    format!("{}{version}{evidence}{waited}", server.name)
}

/// Whether the list has the model.
fn listed(server: &Server, model: &str) -> Finding {
    if server.models.is_empty() {
        return Finding::new(FindingId::Model, Answer::Unknown, "the server lists no models");
    }
    let Some(found) = server.model(model) else {
        let list = identify::offered(server);
        let list = if list.is_empty() { "no model that chats".to_owned() } else { list };
        let evidence = format!("{model} is not listed at {}; it offers {list}", server.url);
        return Finding::new(FindingId::Model, Answer::No, evidence).blocking(Blocker::NotFound);
    };
    if found.is_embedding_only() {
        let evidence =
            format!("{model} makes vectors and no answers; the server also offers {}", identify::offered(server));
        return Finding::new(FindingId::Model, Answer::No, evidence).blocking(Blocker::NoChat);
    }
    Finding::new(FindingId::Model, Answer::Yes, described(found))
}

fn described(model: &ModelInfo) -> String {
    let mut facts: Vec<String> =
        [&model.family, &model.parameter_size, &model.quantization].into_iter().flatten().cloned().collect();
    facts.extend(model.size_bytes.filter(|bytes| *bytes > 0).map(unit::gb));
    facts.extend(model.loaded.map(|loaded| if loaded { "loaded" } else { "not loaded" }.to_owned()));
    if facts.is_empty() {
        format!("listed as {}", model.name)
    } else {
        format!("listed as {}: {}", model.name, facts.join(", "))
    }
}

/// Why a call got no answer, as what stands in the way.
pub fn blocker_of(sample: &Sample, has_key: bool) -> Blocker {
    let error = sample.error.as_ref();
    let text = error.map(|error| error.message.to_lowercase()).unwrap_or_default();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if says(&["no space left", "not enough disk", "disk full", "disk is full", "enospc"]) {
        return Blocker::DiskFull;
    }
    if says(&[
        "no such file",
        "file not found",
        "unexpected end of file",
        "invalid magic",
        "missing tensor",
        "failed to open gguf",
    ]) {
        return Blocker::MissingBlob;
    }
    if says(&MEMORY_FAILURES) {
        return Blocker::OutOfMemory;
    }
    if says(&[
        "unknown model architecture",
        "unable to load model",
        "failed to load model",
        "requires a newer version",
        "newer version of ollama",
        "unsupported model",
    ]) {
        return Blocker::TooOld;
    }
    if is_host_refusal(&text) {
        return Blocker::HostRefused;
    }
    match (sample.state, sample.class) {
        (_, Some(SampleClass::Key)) if has_key => Blocker::KeyRefused,
        (_, Some(SampleClass::Key)) => Blocker::KeyNeeded,
        (SampleState::RefusedCapability, Some(SampleClass::Model)) if says(&["answered as"]) => Blocker::WrongModel,
        (_, Some(SampleClass::Model)) => Blocker::NotFound,
        (_, Some(SampleClass::Loading | SampleClass::FirstByte)) => Blocker::Loading,
        (_, Some(SampleClass::Crash)) => Blocker::Crashed,
        (_, Some(SampleClass::RateLimit)) => Blocker::RateLimited,
        (_, Some(SampleClass::Context)) => Blocker::ContextTooSmall,
        (_, Some(SampleClass::Connect)) => Blocker::Unreachable,
        (SampleState::TransportError, _) => Blocker::Unreachable,
        _ if error.is_some_and(|error| matches!(error.status, Some(404 | 405))) => Blocker::WrongApi,
        _ => Blocker::Failed,
    }
}

/// What the first answer tells: whether it came, from which model, how it came, what was counted and timed.
pub fn first_answer(sample: &Sample, has_key: bool, model: &str) -> Vec<Finding> {
    let Some(why) = sample.why_not_judged() else {
        return vec![
            answers(sample),
            named(sample, model),
            streams(sample),
            usage(sample),
            server_times(sample),
            sampling(sample),
        ];
    };
    let blocker = blocker_of(sample, has_key);
    let what = match blocker {
        Blocker::KeyNeeded | Blocker::KeyRefused => FindingId::Key,
        Blocker::WrongModel => FindingId::Named,
        Blocker::NotFound => FindingId::Model,
        _ => FindingId::Answers,
    };
    vec![Finding::new(what, Answer::No, why).blocking(blocker)]
}

fn answers(sample: &Sample) -> Finding {
    let load =
        sample.timing.load_ms.filter(|ms| *ms >= 100.0).map(|ms| format!("; loading took {}", unit::ms(Some(ms))));
    let first = sample.timing.ttft_ms.map(|ms| format!("first token after {}", unit::ms(Some(ms))));
    let first = first.unwrap_or_else(|| "an answer came".to_owned());
    let quoted = match sample.answer.trim() {
        "" => "no text".to_owned(),
        text => format!("“{}”", unit::cut(text, 40)),
    };
    let answer =
        if sample.answer.trim().is_empty() && sample.reasoning.trim().is_empty() && sample.tool_calls.is_empty() {
            Answer::Partly
        } else {
            Answer::Yes
        };
    Finding::new(FindingId::Answers, answer, format!("{first}: {quoted}{}", load.unwrap_or_default()))
}

fn named(sample: &Sample, model: &str) -> Finding {
    let found = |answer, evidence: String| Finding::new(FindingId::Named, answer, evidence);
    match &sample.model {
        _ if sample.has(Flag::ModelDiffers) => {
            let named = sample.model.as_deref().unwrap_or("another name");
            found(
                Answer::Unknown,
                format!(
                    "the answer names {named}, not {model}; the server’s list does not tell whether they are the same"
                ),
            )
        }
        Some(named) => found(Answer::Yes, format!("the answer names {named}")),
        None => found(Answer::Unknown, "the answer names no model".to_owned()),
    }
}

fn streams(sample: &Sample) -> Finding {
    let found = |answer, evidence: String| Finding::new(FindingId::Streams, answer, evidence);
    let chunks = unit::many(sample.chunks as usize, "chunk");
    if sample.has(Flag::NonStream) {
        return found(Answer::No, "the server refuses to stream; the answer came in one piece".to_owned());
    }
    let counted = sample.usage.completion_tokens;
    if sample.has(Flag::Unstreamed) || (sample.chunks <= 1 && counted.is_some_and(|n| n >= u64::from(FINE_CHUNKS))) {
        return found(Answer::No, format!("all of the answer came at once, in {chunks}"));
    }
    let gap = sample.timing.inter_chunk_ms.map(|ms| format!(", median gap {}", unit::ms(Some(ms)))).unwrap_or_default();
    match counted {
        Some(tokens) if u64::from(sample.chunks) * 2 < tokens => {
            found(Answer::Partly, format!("{} tokens came in {chunks}{gap}", unit::count(tokens)))
        }
        _ if sample.chunks < FINE_CHUNKS => found(Answer::Unknown, format!("only {chunks} came{gap}; too few to tell")),
        Some(tokens) => found(Answer::Yes, format!("{chunks} for {} tokens{gap}", unit::count(tokens))),
        None => found(Answer::Yes, format!("{chunks}{gap}")),
    }
}

fn usage(sample: &Sample) -> Finding {
    let found = |answer, evidence: String| Finding::new(FindingId::Usage, answer, evidence);
    if sample.has(Flag::UsageImplausible) || sample.has(Flag::UsageNotMonotonic) {
        return found(Answer::Partly, "the counts that came are not plausible".to_owned());
    }
    let (prompt, completion) = (sample.usage.prompt_tokens, sample.usage.completion_tokens);
    match (prompt, completion) {
        (Some(prompt), Some(completion)) => {
            let detail = sample.usage.reasoning_tokens.map(|n| format!(", {} of them thinking", unit::count(n)));
            let detail = detail.unwrap_or_default();
            found(Answer::Yes, format!("{} tokens in, {} out{detail}", unit::count(prompt), unit::count(completion)))
        }
        (None, Some(n)) => found(Answer::Partly, format!("{} tokens out; the prompt is not counted", unit::count(n))),
        (Some(n), None) => found(Answer::Partly, format!("{} tokens in; the answer is not counted", unit::count(n))),
        (None, None) => {
            let why = sample.notes.get("usage.completion_tokens").or_else(|| sample.notes.get("decode_tok_s"));
            found(Answer::No, why.cloned().unwrap_or_else(|| "no count came".to_owned()))
        }
    }
}

fn server_times(sample: &Sample) -> Finding {
    let found = |answer, evidence: String| Finding::new(FindingId::ServerTimes, answer, evidence);
    let told = &sample.server_timing;
    if told.decode_tok_s.is_none() && told.prefill_tok_s.is_none() {
        return found(Answer::No, "the server tells no times".to_owned());
    }
    let both = format!(
        "decode {}, by the client’s clock {}",
        unit::tok_s(told.decode_tok_s),
        unit::tok_s(sample.timing.decode_tok_s)
    );
    found(if sample.has(Flag::ClockDisagrees) { Answer::Partly } else { Answer::Yes }, both)
}

/// The sentence about a field that was not applied.
fn not_applied<'a>(sample: &'a Sample, fields: &[&str]) -> Option<&'a str> {
    let about = |line: &&String| fields.iter().any(|field| line.starts_with(field));
    sample.adaptations.iter().find(about).map(String::as_str)
}

fn sampling(sample: &Sample) -> Finding {
    match not_applied(sample, &["temperature", "seed"]) {
        Some(line) => Finding::new(FindingId::Sampling, Answer::Partly, line),
        None => Finding::new(FindingId::Sampling, Answer::Yes, "temperature 0 and a seed were taken without complaint"),
    }
}

/// Whether a call failed in a way that says nothing of what was looked at.
fn failed(what: FindingId, sample: &Sample) -> Option<Finding> {
    let why = sample.why_not_judged()?;
    Some(Finding::new(what, Answer::Unknown, why))
}

/// Whether the token limit was kept and told.
pub fn limit(sample: &Sample) -> Finding {
    let what = FindingId::Limit;
    if let Some(failed) = failed(what, sample) {
        return failed;
    }
    let told = sample.finish_reason.as_deref().unwrap_or("no reason");
    let count = sample.usage.completion_tokens;
    let came =
        count.map_or_else(|| unit::many(sample.chunks as usize, "chunk"), |n| format!("{} tokens", unit::count(n)));
    let most = u64::from(LIMIT);
    if count.unwrap_or(u64::from(sample.chunks)) > most * 2 {
        return Finding::new(what, Answer::No, format!("{came} came where {most} were allowed"));
    }
    match (sample.state, sample.class) {
        (SampleState::Truncated, Some(SampleClass::Length)) if matches!(told, "length" | "max_tokens" | "limit") => {
            Finding::new(what, Answer::Yes, format!("cut after {came}, told as “{told}”"))
        }
        _ if count.is_some_and(|n| n + 1 < most) => {
            Finding::new(what, Answer::Unknown, format!("the model stopped by itself after {came}"))
        }
        _ => Finding::new(what, Answer::Partly, format!("cut after {came}, but told as “{told}”")),
    }
}

/// Whether a system message reaches the model; `without` is the same question without it.
pub fn system(without: &Sample, with: &Sample) -> Finding {
    let what = FindingId::System;
    if let Some(line) = not_applied(with, &["system messages"]) {
        return Finding::new(what, Answer::Partly, line);
    }
    if let Some(why) = with.why_not_judged() {
        let answer = if with.class == Some(SampleClass::Template) { Answer::No } else { Answer::Unknown };
        return Finding::new(what, answer, why);
    }
    if with.answer.to_lowercase().contains(SYSTEM_WORD) {
        return Finding::new(what, Answer::Yes, "the model did what the system message asked");
    }
    let counts = (without.usage.prompt_tokens, with.usage.prompt_tokens);
    match counts {
        // the message has some thirty tokens
        (Some(before), Some(after)) if after >= before + 15 => {
            let evidence = format!("the prompt grew by {} tokens; the model did not follow it", after - before);
            Finding::new(what, Answer::Yes, evidence)
        }
        (Some(before), Some(after)) if after <= before + 4 => {
            let evidence = format!("the prompt grew by {} tokens: the template drops it", after.saturating_sub(before));
            Finding::new(what, Answer::No, evidence)
        }
        _ => Finding::new(what, Answer::Unknown, "taken without complaint; the model did not follow it"),
    }
}

/// Whether native tool calls come, in a stream (`Tools`) or in one piece (`ToolsWhole`).
pub fn tools(what: FindingId, sample: &Sample) -> Finding {
    let found = |answer, evidence: String| Finding::new(what, answer, evidence);
    if let Some(why) = sample.why_not_judged() {
        return match (sample.state, sample.class) {
            (SampleState::RefusedCapability, Some(SampleClass::Tools)) => found(Answer::No, why),
            (_, Some(SampleClass::Template)) => found(Answer::No, why),
            _ => found(Answer::Unknown, why),
        };
    }
    let read = harness::parse(HarnessId::Raw, sample, &[questions::lake_tool()]);
    let call = sample.tool_calls.first();
    if let Some(line) = not_applied(sample, &["stream"]).filter(|_| what == FindingId::Tools) {
        return found(Answer::Partly, line.to_owned());
    }
    match call {
        Some(call) if call.arguments.is_none() => {
            found(Answer::Partly, format!("{} was called with arguments that are no JSON object", call.name))
        }
        Some(call) => found(Answer::Yes, format!("{}({})", call.name, unit::cut(&call.arguments_raw, 60))),
        None => match read.notes.iter().find(|note| note.kind == NoteKind::NoNativeCall) {
            Some(note) => found(Answer::Partly, format!("the call came as text: {}", note.text)),
            None if sample.state == SampleState::Truncated => {
                found(Answer::Unknown, "the server took the tools; the model wrote on without a call".to_owned())
            }
            None => found(Answer::Unknown, "the server took the tools; the model made no call".to_owned()),
        },
    }
}

/// Whether several calls of one answer are told apart.
pub fn parallel(sample: &Sample) -> Finding {
    let found = |answer, evidence: String| Finding::new(FindingId::Parallel, answer, evidence);
    let calls = &sample.tool_calls;
    let names = |lake: &str| calls.iter().any(|call| call.arguments_raw.to_lowercase().contains(&lake.to_lowercase()));
    match calls.len() {
        0 => found(Answer::Unknown, "the model made no call".to_owned()),
        1 if calls[0].arguments.is_none() && LAKES.iter().all(|lake| names(lake)) => {
            found(Answer::No, format!("two calls were joined into one: {}", unit::cut(&calls[0].arguments_raw, 80)))
        }
        1 => found(Answer::Unknown, "the model made one call where two were asked for".to_owned()),
        n if calls.iter().all(|call| call.arguments.is_some()) => {
            found(Answer::Yes, format!("{n} calls came, each with its own arguments"))
        }
        n => found(Answer::Partly, format!("{n} calls came, some with arguments that are no JSON object")),
    }
}

/// Whether thinking follows its switch.
pub fn thinking(asked: Thinking, sample: &Sample) -> Finding {
    let what = if asked == Thinking::On { FindingId::ThinkingOn } else { FindingId::ThinkingOff };
    let found = |answer, evidence: String| Finding::new(what, answer, evidence);
    if let Some(why) = sample.why_not_judged() {
        let refused = (sample.state, sample.class) == (SampleState::RefusedCapability, Some(SampleClass::Thinking));
        return found(if refused { Answer::No } else { Answer::Unknown }, why);
    }
    let thought = unit::cut(sample.reasoning.trim(), 40);
    let line = not_applied(sample, &["think", "chat_template_kwargs", "reasoning_effort"]);
    match (asked, thought.is_empty()) {
        (Thinking::On, false) => found(Answer::Yes, format!("it thought: “{thought}”")),
        (Thinking::On, true) => {
            let why = line.unwrap_or("no thinking came; the model may know none");
            found(Answer::No, why.to_owned())
        }
        (_, false) => found(Answer::No, format!("it thought all the same: “{thought}”")),
        (_, true) => found(Answer::Yes, "no thinking came".to_owned()),
    }
}

/// Whether an answer can be held to JSON.
pub fn json(sample: &Sample) -> Finding {
    let what = FindingId::Json;
    if let Some(line) = not_applied(sample, &["response_format"]) {
        return Finding::new(what, Answer::No, line);
    }
    if let Some(failed) = failed(what, sample) {
        return failed;
    }
    let text = sample.answer.trim();
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(value) if value.is_object() => Finding::new(what, Answer::Yes, format!("it wrote {}", unit::cut(text, 60))),
        _ if sample.state == SampleState::Truncated => {
            Finding::new(what, Answer::Unknown, "taken without complaint; the answer was cut before its end")
        }
        _ => Finding::new(what, Answer::No, format!("taken, but not kept: {}", unit::cut(text, 60))),
    }
}

/// How many tasks there are, and how many of them a context is too small for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Room {
    pub tasks: u32,
    /// Tasks whose prompt and answer need more than the context.
    pub too_large: u32,
    /// Tokens, about, that the largest task needs.
    pub largest: u64,
}

/// What a context that the server tells means for the tasks; `None` if it tells none.
pub fn told_context(identity: &Identity, asked: Option<u64>, room: impl Fn(u64) -> Room) -> Option<Finding> {
    let (context, from) = match (asked, identity.context_max) {
        (Some(asked), Some(most)) if most < asked => (most, "the model allows"),
        (Some(asked), _) => (asked, "the run asks for"),
        (None, _) => (identity.context?, "the server gives"),
    };
    let room = room(context);
    let tokens = format!("{from} {} tokens", unit::count(context));
    if room.too_large == 0 {
        return Some(Finding::new(FindingId::Context, Answer::Yes, tokens));
    }
    let evidence = format!(
        "{tokens}; {} of {} tasks may need more, the largest about {}",
        room.too_large,
        room.tasks,
        unit::count(room.largest)
    );
    let finding = Finding::new(FindingId::Context, Answer::Partly, evidence);
    Some(if room.too_large * 2 > room.tasks {
        Finding { answer: Answer::No, ..finding.blocking(Blocker::ContextTooSmall) }
    } else {
        finding
    })
}

/// What a word at the beginning of a prompt of about `tokens` tokens tells, beside what the server says of itself.
pub fn canary(sample: &Sample, word: &str, tokens: u32, told: Option<Finding>) -> Finding {
    let what = FindingId::Context;
    let told_evidence = told.as_ref().map(|told| format!("; {}", told.evidence)).unwrap_or_default();
    let with = |answer, evidence: String| Finding {
        answer,
        evidence: format!("{evidence}{told_evidence}"),
        ..Finding::new(what, answer, "")
    };
    if let Some(why) = sample.why_not_judged() {
        let refused = sample.class == Some(SampleClass::Context) || sample.has(Flag::PromptCut);
        let about = unit::count(u64::from(tokens));
        return match refused {
            true => with(Answer::No, format!("a prompt of about {about} tokens was refused: {why}")),
            false => with(told.as_ref().map_or(Answer::Unknown, |told| told.answer), why),
        };
    }
    let counted = sample.usage.prompt_tokens;
    let size = counted.map_or_else(|| format!("about {}", unit::count(u64::from(tokens))), unit::count);
    let told_answer = told.as_ref().map_or(Answer::Yes, |told| told.answer);
    let said = format!("{} {}", sample.answer, sample.reasoning).to_uppercase();
    if said.contains(&word.to_uppercase()) {
        return with(told_answer, format!("a word at the beginning of a prompt of {size} tokens was repeated"));
    }
    match counted {
        Some(n) if (n as f64) < f64::from(tokens) * LEAST => with(
            Answer::No,
            format!(
                "{} tokens were counted where about {} were sent: the prompt was cut",
                unit::count(n),
                unit::count(u64::from(tokens))
            ),
        ),
        Some(_) => with(
            Answer::Unknown,
            format!("all of {size} tokens were counted; the model did not repeat the word at their beginning"),
        ),
        None => with(
            Answer::Unknown,
            "the model did not repeat the word at the beginning, and the server counts no tokens".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::id::Wire, engine::probe::asked_context};

    #[test]
    fn a_context_is_asked_for_over_ollamas_own_protocol_alone() {
        let identity = Identity { context: Some(4096), context_max: Some(32_768), ..Identity::default() };
        let told = |wire| told_context(&identity, asked_context(wire, 10_240), |_| Room::default()).unwrap().evidence;
        assert_eq!(told(Wire::Ollama), "the run asks for 10,240 tokens");
        assert_eq!(told(Wire::OpenaiCompat), "the server gives 4,096 tokens");
    }
}
