//! The first look: whether a model server is there, takes the key and has the model; and why a call got no answer. Pure.
//! Imports: domain, error words, identify.

use crate::{
    domain::{
        card::{Answer, Blocker, Finding, FindingId},
        model::{ModelInfo, Server, ServerStatus},
        sample::{Sample, SampleClass, SampleState},
        unit,
    },
    engine::{
        client::{HOST_REFUSALS, MEMORY_FAILURES},
        identify,
    },
};

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
pub(super) fn blocker_of(sample: &Sample, has_key: bool) -> Blocker {
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
