//! Which model answered: the name in an answer against the name that was asked for. Servers write the same model in many
//! ways (tags, file names, paths, upper case), and some answer with whatever they have loaded. Pure. Imports: domain.

use crate::domain::{
    id::Wire,
    model::{Product, Server},
    sample::{ErrorKind, Flag, Sample, SampleClass, SampleError, SampleState},
};

/// What a differing name means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answered {
    AsAsked,
    /// The name is a different one, and nothing tells whether it is the same model: an alias, perhaps.
    Unclear,
    /// Another model of this server.
    Other,
}

/// The sample, refused if another model of the server gave the answer, flagged if that is unclear.
pub fn checked(mut sample: Sample, asked: &str, server: &Server, wire: Wire) -> Sample {
    let Some(named) = sample.model.clone().filter(|_| sample.state.is_judged()) else { return sample };
    // others that speak its protocol need not be as exact as Ollama itself
    let wire = if server.product == Product::Ollama { wire } else { Wire::OpenaiCompat };
    let listed: Vec<&str> = server.models.iter().map(|model| model.name.as_str()).collect();
    match answered(&named, asked, &listed, wire) {
        Answered::AsAsked => sample,
        Answered::Unclear => {
            sample.flag(Flag::ModelDiffers);
            sample
        }
        Answered::Other => {
            let message = format!(
                "the server answered as {named}, not as {asked}; load {asked}, or run the model that is loaded"
            );
            let error = SampleError { kind: ErrorKind::ErrorBody, message, status: None };
            let class = Some(SampleClass::Model);
            Sample { state: SampleState::RefusedCapability, class, error: Some(error), ..sample }
        }
    }
}

fn answered(named: &str, asked: &str, listed: &[&str], wire: Wire) -> Answered {
    if same(named, asked, wire) {
        return Answered::AsAsked;
    }
    let is_another = |entry: &&str| same(named, entry, wire) && !same(entry, asked, wire);
    // Ollama has no aliases: it repeats the name of the model that it ran
    match wire {
        Wire::Ollama => Answered::Other,
        Wire::OpenaiCompat if listed.iter().any(is_another) => Answered::Other,
        Wire::OpenaiCompat if !listed.is_empty() && !listed.iter().any(|entry| same(entry, asked, wire)) => {
            Answered::Other
        }
        Wire::OpenaiCompat => Answered::Unclear,
    }
}

/// Whether two names mean the same model.
fn same(a: &str, b: &str, wire: Wire) -> bool {
    let (a, b) = (plain(a), plain(b));
    if a == b || within(&a, &b) || within(&b, &a) {
        return true;
    }
    let is_path = |name: &str| name.starts_with(['/', '.', '~']) || name.get(1..3) == Some(":/");
    if (is_path(&a) || is_path(&b)) && last(&a) == last(&b) {
        return true;
    }
    wire == Wire::OpenaiCompat && (is_dated(&a, &b) || is_dated(&b, &a) || is_instance(&a, &b) || is_instance(&b, &a))
}

/// The name in lower case with forward slashes, without Ollama's default tag, file endings and cache folders.
fn plain(name: &str) -> String {
    let name = name.trim().to_lowercase().replace('\\', "/");
    let name = name.trim_end_matches('/');
    let name = name.strip_suffix(":latest").unwrap_or(name);
    let name = name.strip_suffix(".gguf").unwrap_or(name);
    // the first part of a file in parts
    let name = match name.rsplit_once("-of-") {
        Some((before, count)) if is_digits(count) => match before.rsplit_once('-') {
            Some((stem, part)) if is_digits(part) => stem,
            _ => name,
        },
        _ => name,
    };
    // …/hub/models--org--name/snapshots/<hash>
    match name.split('/').find_map(|part| part.strip_prefix("models--")) {
        Some(repository) => repository.replace("--", "/"),
        None => name.to_owned(),
    }
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

/// Whether `whole` is `part` with folders or an owner before it.
fn within(whole: &str, part: &str) -> bool {
    !part.is_empty() && whole.strip_suffix(part).is_some_and(|before| before.ends_with('/'))
}

/// Whether `long` is `short` with a release date: `name-2026-08-06` or `name-20260806`.
fn is_dated(long: &str, short: &str) -> bool {
    long.strip_prefix(short).and_then(|rest| rest.strip_prefix('-')).is_some_and(|date| {
        let digits = date.replace('-', "");
        digits.len() == 8 && is_digits(&digits) && digits.starts_with("20") && matches!(date.len(), 8 | 10)
    })
}

/// Whether `long` is a numbered instance of `short`: `name:2`.
fn is_instance(long: &str, short: &str) -> bool {
    long.strip_prefix(short).and_then(|rest| rest.strip_prefix(':')).is_some_and(|n| n.len() <= 2 && is_digits(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q84_one_model_has_many_names() {
        for (a, b) in [
            ("m", "m"),
            ("qwen3:latest", "qwen3"),
            ("Qwen3-8B", "qwen3-8b"),
            ("/models/Qwen3-8B-Q4_K_M.gguf", "Qwen3-8B-Q4_K_M"),
            ("/models/a/x.gguf", "/mnt/b/x.gguf"),
            ("C:\\models\\x.gguf", "x.gguf"),
            ("./x.gguf", "x"),
            ("x-00001-of-00003.gguf", "x"),
            ("lmstudio-community/qwen3-4b", "qwen3-4b"),
            ("hf.co/u/r:Q4_K_M", "u/r:q4_k_m"),
            ("/root/.cache/huggingface/hub/models--Qwen--Qwen3-8B/snapshots/0a1b", "Qwen/Qwen3-8B"),
            ("gpt-x-2026-08-06", "gpt-x"),
            ("gpt-x-20260806", "gpt-x"),
            ("qwen3-4b:2", "qwen3-4b"),
            ("my model/", "my model"),
        ] {
            assert!(same(a, b, Wire::OpenaiCompat) && same(b, a, Wire::OpenaiCompat), "{a} {b}");
        }
    }

    #[test]
    fn q84_other_models_have_other_names() {
        for (a, b) in [
            ("model-a.gguf", "model-b"),
            ("qwen3:4b", "qwen3:8b"),
            ("qwen3-4b", "qwen3-4b-2507"),
            ("qwen3-4b", "qwen3-4b-thinking"),
            ("u1/qwen3-4b", "u2/qwen3-4b"),
            ("m-q4_k_m.gguf", "m-q8_0.gguf"),
            ("qwen3-14b", "n3-14b"),
            ("m:2", "m:3"),
            ("m", ""),
        ] {
            assert!(!same(a, b, Wire::OpenaiCompat) && !same(b, a, Wire::OpenaiCompat), "{a} {b}");
        }
        assert!(!same("m:2", "m", Wire::Ollama), "a tag is another model there");
    }

    #[test]
    fn q84_an_alias_is_unclear_and_a_listed_stranger_is_another_model() {
        let openai = |named: &str, asked: &str, listed: &[&str]| answered(named, asked, listed, Wire::OpenaiCompat);
        assert_eq!(openai("model-a.gguf", "model-b", &["model-a.gguf"]), Answered::Other);
        assert_eq!(openai("m-8b", "m-4b", &["m-4b", "m-8b"]), Answered::Other);
        assert_eq!(openai("Qwen3-8B-Q4.gguf", "small", &["small", "large"]), Answered::Unclear);
        assert_eq!(openai("gpt-x", "my-deployment", &[]), Answered::Unclear);
        assert_eq!(openai("/models/M.gguf", "m", &["m", "n"]), Answered::AsAsked);
        assert_eq!(answered("n", "m", &["m"], Wire::Ollama), Answered::Other);
    }
}
