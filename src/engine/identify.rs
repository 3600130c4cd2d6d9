//! Reads which model a server will answer with: digest, quantisation, context, template. Read before and after a run.
//! Imports: domain, client types, http, discover.

use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{client::Target, http};
use crate::domain::{id::Wire, identity::Identity, model::Server};

/// How long one question may take; describing a model can wait for a busy server.
const LIMIT: Duration = Duration::from_secs(10);

/// Whether the server's list has the model. Ollama's `name` means `name:latest`. An empty list says nothing.
pub fn offers(server: &Server, model: &str) -> bool {
    server.models.is_empty()
        || server.models.iter().any(|known| known.name == model || known.name.strip_suffix(":latest") == Some(model))
}

/// The names a server lists, for a message; the first twelve.
pub fn offered(server: &Server) -> String {
    let names: Vec<&str> = server.models.iter().map(|model| model.name.as_str()).take(12).collect();
    names.join(", ")
}

async fn get(target: &Target, path: &str) -> Option<Value> {
    ask(target, path, None).await
}

async fn ask(target: &Target, path: &str, body: Option<Value>) -> Option<Value> {
    let client = http::client(LIMIT, target.base.is_private()).ok()?;
    let url = target.base.join(path);
    let mut request = match body {
        Some(body) => client.post(url).json(&body),
        None => client.get(url),
    };
    if let Some(key) = &target.key {
        request = request.bearer_auth(key.reveal());
    }
    let response = request.send().await.ok()?;
    if !response.status().is_success() {
        return None;
    }
    response.json().await.ok()
}

fn text(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn hash(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Reads the identity of `model` on the server that was probed.
pub async fn identity(target: &Target, server: &Server, model: &str) -> Identity {
    let listed =
        server.models.iter().find(|known| known.name == model || known.name.strip_suffix(":latest") == Some(model));
    let mut identity = Identity {
        server: server.name.clone(),
        server_version: server.version.clone(),
        quantization: listed.and_then(|model| model.quantization.clone()),
        parameter_size: listed.and_then(|model| model.parameter_size.clone()),
        family: listed.and_then(|model| model.family.clone()),
        context: listed.and_then(|model| model.context),
        demo: server.demo,
        ..Identity::default()
    };
    match target.wire {
        Wire::Ollama => ollama(target, model, &mut identity).await,
        Wire::OpenaiCompat if server.name == "llama.cpp" => llama_cpp(target, &mut identity).await,
        Wire::OpenaiCompat => {}
    }
    identity
}

async fn ollama(target: &Target, model: &str, identity: &mut Identity) {
    if let Some(tags) = get(target, "/api/tags").await {
        let models = tags.get("models").and_then(Value::as_array).cloned().unwrap_or_default();
        let is_it = |entry: &&Value| {
            text(entry, "/name").is_some_and(|name| name == model || name.strip_suffix(":latest") == Some(model))
        };
        identity.digest = models.iter().find(is_it).and_then(|entry| text(entry, "/digest"));
    }
    if let Some(show) = ask(target, "/api/show", Some(json!({"model": model}))).await {
        identity.quantization = text(&show, "/details/quantization_level").or(identity.quantization.take());
        identity.parameter_size = text(&show, "/details/parameter_size").or(identity.parameter_size.take());
        identity.family = text(&show, "/details/family").or(identity.family.take());
        identity.template_hash = text(&show, "/template").map(|template| hash(&template));
    }
    if let Some(running) = get(target, "/api/ps").await {
        let models = running.get("models").and_then(Value::as_array).cloned().unwrap_or_default();
        let loaded = models.iter().find(|entry| {
            text(entry, "/name").is_some_and(|name| name == model || name.strip_suffix(":latest") == Some(model))
        });
        identity.context = loaded.and_then(|entry| entry.get("context_length")).and_then(Value::as_u64);
    }
}

async fn llama_cpp(target: &Target, identity: &mut Identity) {
    if let Some(props) = get(target, "/props").await {
        identity.context =
            props.pointer("/default_generation_settings/n_ctx").and_then(Value::as_u64).or(identity.context);
        identity.template_hash = text(&props, "/chat_template").map(|template| hash(&template));
        identity.server_version = text(&props, "/build_info").or(identity.server_version.take());
        if let Some(path) = text(&props, "/model_path") {
            let file = path.rsplit(['/', '\\']).next().unwrap_or(&path);
            identity.quantization = identity.quantization.take().or_else(|| quantization_in(file));
        }
    }
}

/// The quantisation in a GGUF file's name: `gemma-3-270m-q4_k_m.gguf` → `Q4_K_M`.
pub fn quantization_in(file: &str) -> Option<String> {
    let stem = file.strip_suffix(".gguf").or_else(|| file.strip_suffix(".GGUF"))?;
    let is_quant = |part: &str| {
        let upper = part.to_ascii_uppercase();
        let numbered = |prefix: &str| {
            upper.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        numbered("Q") || numbered("IQ") || numbered("TQ") || matches!(upper.as_str(), "F16" | "F32" | "BF16" | "MXFP4")
    };
    stem.split(['-', '.']).rev().find(|part| is_quant(part)).map(str::to_ascii_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gguf_name_tells_its_quantisation() {
        for (file, expected) in [
            ("gemma-3-270m-q4_k_m.gguf", Some("Q4_K_M")),
            ("Qwen3-8B.Q8_0.gguf", Some("Q8_0")),
            ("model-IQ3_XXS.gguf", Some("IQ3_XXS")),
            ("x-bf16.gguf", Some("BF16")),
            ("qwen3-8b.gguf", None),
            ("model.bin", None),
        ] {
            assert_eq!(quantization_in(file).as_deref(), expected, "{file}");
        }
    }
}
