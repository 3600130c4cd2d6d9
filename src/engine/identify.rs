//! Reads which model a server will answer with: digest, quantisation, context, template. Read before and after a run.
//! Imports: domain, client types, discover, fingerprint, inquire.

use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    client::Target,
    discover,
    fingerprint::{self, parameters_in, quantization_in},
    inquire::Inquiry,
};
use crate::domain::{
    identity::Identity,
    model::{ModelInfo, Product, Server, ServerStatus},
    unit,
};

/// How long one question may take; describing a model can wait for a busy server.
const LIMIT: Duration = Duration::from_secs(10);

/// Whether the server's list has the model. Ollama's `name` means `name:latest`. An empty list says nothing.
pub fn offers(server: &Server, model: &str) -> bool {
    server.models.is_empty() || server.model(model).is_some()
}

/// The names a server lists, for a message; the first twelve.
pub fn offered(server: &Server) -> String {
    let names: Vec<&str> = server.benchmarkable().map(|model| model.name.as_str()).take(12).collect();
    names.join(", ")
}

fn text(value: &Value, pointer: &str) -> Option<String> {
    value.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// SHA-256 as hexadecimal digits.
fn hash(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Asks the server again what it is and what it holds. One that no longer answers tells its name alone, which is no
/// difference.
pub async fn read_again(target: &Target, known: &Server, model: &str) -> Identity {
    let server = discover::probe(&target.base, target.key.as_ref()).await;
    if server.status == ServerStatus::Ready {
        return identity(target, &server, model).await;
    }
    Identity { server: known.name.clone(), demo: known.demo, ..Identity::default() }
}

/// Reads the identity of `model` on the server that was just probed.
pub async fn identity(target: &Target, server: &Server, model: &str) -> Identity {
    let mut identity = of_list(server, model);
    let Ok(inquiry) = Inquiry::new(&target.base, target.key.as_ref(), LIMIT) else { return identity };
    match server.product {
        Product::Ollama | Product::Demo => {
            let reply = inquiry.post("/api/show", json!({"model": model})).await.ok();
            if let Some(show) = reply.filter(|reply| reply.status == 200).and_then(|reply| reply.json) {
                of_show(&mut identity, model, &show);
            }
        }
        Product::LlamaCpp => props(&inquiry, "/props", &mut identity).await,
        Product::LlamaCppRouter => {
            let model: String = url::form_urlencoded::byte_serialize(model.as_bytes()).collect();
            // a look must not load a model
            props(&inquiry, &format!("/props?model={model}&autoload=false"), &mut identity).await;
        }
        _ => {}
    }
    identity
}

fn note(identity: &mut Identity, source: &str, fields: &[(&str, bool)]) {
    for (field, _) in fields.iter().filter(|(_, read)| *read) {
        identity.sources.insert((*field).to_owned(), source.to_owned());
    }
}

/// What the server's list says.
fn of_list(server: &Server, model: &str) -> Identity {
    let listed = server.model(model);
    let ModelInfo {
        digest, quantization, size_bytes, family, parameter_size, context, context_max, vram_bytes, ..
    } = listed.cloned().unwrap_or_default();
    let absent = || Some(format!("not listed, but {}", unit::cut(&offered(server), 200)));
    let is_file = model.to_ascii_lowercase().ends_with(".gguf");
    let mut identity = Identity {
        server: server.name.clone(),
        server_version: server.version.clone(),
        demo: server.demo,
        model: match listed {
            Some(listed) => Some(listed.name.clone()),
            None if server.models.is_empty() => None,
            None => absent(),
        },
        model_file: is_file.then(|| file_name(model)),
        digest,
        quantization,
        size_bytes,
        family,
        parameter_size,
        context,
        context_max,
        vram_bytes,
        ..Identity::default()
    };
    let (list, loaded) = match server.product {
        Product::Ollama => ("GET /api/tags", "GET /api/ps"),
        Product::LmStudio => ("GET /api/v1/models and /api/v0/models", "GET /api/v1/models and /api/v0/models"),
        _ => ("GET /v1/models", "GET /v1/models"),
    };
    let fields = [
        ("digest", identity.digest.is_some()),
        ("quantization", identity.quantization.is_some()),
        ("size_bytes", identity.size_bytes.is_some()),
        ("family", identity.family.is_some()),
        ("parameter_size", identity.parameter_size.is_some()),
        ("context_max", identity.context_max.is_some()),
        ("model", identity.model.is_some()),
        ("model_file", identity.model_file.is_some()),
    ];
    let in_memory = [("context", identity.context.is_some()), ("vram_bytes", identity.vram_bytes.is_some())];
    note(&mut identity, list, &fields);
    note(&mut identity, loaded, &in_memory);
    // a list that is silent on both leaves only the model's name to read
    for field in ["quantization", "parameter_size"] {
        let silent = matches!(server.product, Product::Vllm | Product::Sglang | Product::MlxLm | Product::Compatible);
        if let Some(source) = identity.sources.get_mut(field).filter(|_| silent) {
            "the model's name".clone_into(source);
        }
    }
    let evidence = [("server", !server.evidence.is_empty())];
    note(&mut identity, &server.evidence, &evidence);
    identity
}

/// What Ollama's `/api/show` adds.
fn of_show(identity: &mut Identity, model: &str, show: &Value) {
    let mut told = ModelInfo { name: model.to_owned(), ..ModelInfo::default() };
    fingerprint::describe(&mut told, show);
    let template_hash = text(show, "/template").map(|template| hash(&template));
    let fields = [
        ("quantization", told.quantization.is_some()),
        ("parameter_size", told.parameter_size.is_some()),
        ("family", told.family.is_some()),
        ("context_max", told.context_max.is_some()),
        ("template_hash", template_hash.is_some()),
    ];
    note(identity, "POST /api/show", &fields);
    identity.quantization = told.quantization.or(identity.quantization.take());
    identity.parameter_size = told.parameter_size.or(identity.parameter_size.take());
    identity.family = told.family.or(identity.family.take());
    identity.context_max = told.context_max.or(identity.context_max);
    identity.template_hash = template_hash;
}

/// What llama.cpp's `/props` adds.
async fn props(inquiry: &Inquiry<'_>, path: &str, identity: &mut Identity) {
    let reply = inquiry.get(path).await.ok().filter(|reply| reply.status == 200);
    if let Some(props) = reply.and_then(|reply| reply.json) {
        of_props(identity, &props);
    }
}

fn of_props(identity: &mut Identity, props: &Value) {
    let context = props.pointer("/default_generation_settings/n_ctx").and_then(Value::as_u64).filter(|n| *n > 0);
    let version = text(props, "/build_info");
    let file = text(props, "/model_path").filter(|path| path != "none").map(|path| file_name(&path));
    let template_hash = text(props, "/chat_template").map(|template| hash(&template));
    let fields = [
        ("context", context.is_some()),
        ("server_version", version.is_some()),
        ("model_file", file.is_some()),
        ("template_hash", template_hash.is_some()),
    ];
    note(identity, "GET /props", &fields);
    identity.context = context.or(identity.context);
    identity.server_version = version.or(identity.server_version.take());
    identity.template_hash = template_hash;
    if identity.quantization.is_none() {
        identity.quantization = file.as_deref().and_then(quantization_in);
        let from_name = [("quantization", identity.quantization.is_some())];
        note(identity, "the file's name in GET /props", &from_name);
    }
    if identity.parameter_size.is_none() {
        identity.parameter_size = file.as_deref().and_then(parameters_in);
        let from_name = [("parameter_size", identity.parameter_size.is_some())];
        note(identity, "the file's name in GET /props", &from_name);
    }
    identity.model_file = file.or(identity.model_file.take());
}

/// The last part of a path; folders are the user's own business.
fn file_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_of_llama_cpp_name_file_template_and_context() {
        let mut identity = Identity::default();
        of_props(
            &mut identity,
            &json!({"default_generation_settings": {"n_ctx": 2048}, "build_info": "b11434", "chat_template": "{{ x }}",
                    "model_path": "/home/ana/models/Qwen3-8B-Q4_K_M.gguf"}),
        );
        assert_eq!((identity.context, identity.quantization.as_deref()), (Some(2048), Some("Q4_K_M")));
        assert_eq!(identity.model_file.as_deref(), Some("Qwen3-8B-Q4_K_M.gguf"), "the folder stays at home");
        // sha256sum of the six characters
        let expected = "e52c737297f7dad622da7e58f5a16e7437f2716daccb4da859fc567ccd75c9a4";
        assert_eq!(identity.template_hash.as_deref(), Some(expected));
        assert_eq!(identity.sources["context"], "GET /props");
        assert_eq!(identity.sources["quantization"], "the file's name in GET /props");
    }

    #[test]
    fn q84_a_model_that_left_the_list_is_told_by_the_others() {
        let model = |name: &str| ModelInfo { name: name.into(), ..ModelInfo::default() };
        let server = |name: &str| Server { models: vec![model(name)], ..Server::unknown("http://x") };

        let (before, after) = (of_list(&server("a"), "a"), of_list(&server("b"), "a"));

        assert_eq!(before.drift(&after), ["model was a, then not listed, but b"]);
    }
}
