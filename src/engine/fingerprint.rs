//! Which server answers, judged by the shape of its answers and never by its port or status: some servers say 200 to
//! any path. Pure: takes the answers to a few questions, gives a [`Server`]. Imports: domain, serde_json.
//!
//! To recognise one more server: add what tells it apart to [`openai_name`] or a branch to [`recognise`], and a row to
//! the tests with the answers it gives.

use serde_json::Value;

use crate::domain::{
    id::Wire,
    model::{ModelInfo, Server, ServerStatus},
    unit,
};

/// The answer to one question: status, and the body if it was JSON.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    pub status: u16,
    pub json: Option<Value>,
    /// The beginning of the body, for telling what else answered.
    pub text: String,
}

/// The answers to all questions; `None` where nothing came.
#[derive(Debug, Clone, Default)]
pub struct Replies {
    /// `/api/version`
    pub version: Option<Reply>,
    /// `/api/tags`
    pub tags: Option<Reply>,
    /// `/v1/models`
    pub models: Option<Reply>,
    /// `/props`
    pub props: Option<Reply>,
    /// Why nothing came, from the first question that failed.
    pub failure: Option<String>,
}

/// What `owned_by` says for the built-in scripted server.
pub const DEMO_OWNER: &str = "benchloop-demo";

fn text(value: &Value, path: &[&str]) -> Option<String> {
    let found = path.iter().try_fold(value, |value, key| value.get(key))?;
    found.as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn json(reply: Option<&Reply>) -> Option<&Value> {
    reply.and_then(|reply| reply.json.as_ref())
}

/// Models of Ollama's list: entries that carry a digest and details.
fn ollama_models(tags: &Value) -> Option<Vec<ModelInfo>> {
    let models = tags.get("models")?.as_array()?;
    // other servers copy the shape and leave the digest empty
    if !models.iter().all(|model| text(model, &["digest"]).is_some() && model.get("details").is_some()) {
        return None;
    }
    Some(models.iter().filter_map(ollama_model).collect())
}

fn ollama_model(model: &Value) -> Option<ModelInfo> {
    let name = text(model, &["name"]).or_else(|| text(model, &["model"]))?;
    let remote = model.get("remote_host").is_some_and(|host| !host.is_null())
        || name.ends_with(":cloud")
        || name.ends_with("-cloud");
    Some(ModelInfo {
        size_bytes: model.get("size").and_then(Value::as_u64).filter(|size| *size > 0),
        quantization: text(model, &["details", "quantization_level"]),
        family: text(model, &["details", "family"]),
        parameter_size: text(model, &["details", "parameter_size"]),
        context: None,
        about: text(model, &["details", "about"]),
        remote,
        name,
    })
}

/// Models of an OpenAI-style list: entries with an id.
fn openai_models(list: &Value) -> Option<Vec<ModelInfo>> {
    let data = match list.get("data") {
        Some(Value::Array(data)) => data.as_slice(),
        Some(Value::Null) if list.get("object").is_some_and(|object| object == "list") => &[],
        _ => return None,
    };
    let number = |model: &Value, path: &[&str]| {
        path.iter().try_fold(model, |value, key| value.get(key)).and_then(Value::as_u64).filter(|n| *n > 0)
    };
    let model = |model: &Value| {
        Some(ModelInfo {
            name: text(model, &["id"])?,
            size_bytes: number(model, &["meta", "size"]),
            quantization: text(model, &["quantization"]),
            family: text(model, &["arch"]),
            parameter_size: number(model, &["meta", "n_params"]).map(parameters),
            context: number(model, &["max_model_len"])
                .or_else(|| number(model, &["meta", "n_ctx"]))
                .or_else(|| number(model, &["loaded_context_length"])),
            remote: false,
            about: text(model, &["about"]),
        })
    };
    if !data.iter().all(|entry| text(entry, &["id"]).is_some()) {
        return None;
    }
    Some(data.iter().filter_map(model).collect())
}

/// `268098176` → `268 M`, `8030261248` → `8.0 B`.
fn parameters(n: u64) -> String {
    if n >= 1_000_000_000 { format!("{:.1} B", n as f64 / 1e9) } else { format!("{:.0} M", n as f64 / 1e6) }
}

/// The name of an OpenAI-compatible server, from what it lets slip.
fn openai_name(list: &Value, props: Option<&Value>) -> &'static str {
    let owner = list.pointer("/data/0/owned_by").and_then(Value::as_str).unwrap_or_default();
    match owner {
        DEMO_OWNER => "BenchLoop demo",
        "llamacpp" => "llama.cpp",
        "vllm" => "vLLM",
        "sglang" => "SGLang",
        "koboldcpp" => "KoboldCpp",
        "openai" | "system" | "openai-internal" => "OpenAI",
        "library" => "Ollama",
        _ if props.is_some_and(|props| props.get("default_generation_settings").is_some()) => "llama.cpp",
        _ => "OpenAI-compatible",
    }
}

/// Names the server at `url`.
pub fn recognise(url: &str, replies: &Replies) -> Server {
    let mut server = Server {
        url: url.to_owned(),
        name: "unknown".to_owned(),
        version: None,
        wire: None,
        status: ServerStatus::Ready,
        models: Vec::new(),
        demo: false,
        saved: false,
    };
    let list = json(replies.models.as_ref());
    let props = json(replies.props.as_ref());
    let models = list.and_then(openai_models);
    let demo = list.is_some_and(|list| openai_name(list, None) == "BenchLoop demo");
    let version = json(replies.version.as_ref()).and_then(|version| text(version, &["version"]));
    // an empty list could be anybody's; only Ollama has a version beside it
    let ollama =
        json(replies.tags.as_ref()).and_then(ollama_models).filter(|models| !models.is_empty() || version.is_some());
    if let Some(models) = ollama {
        server.name = if demo { "BenchLoop demo" } else { "Ollama" }.to_owned();
        server.version = version;
        server.wire = Some(Wire::Ollama);
        server.models = models;
        server.demo = demo;
        return server;
    }
    if let (Some(models), Some(list)) = (models, list) {
        server.name = openai_name(list, props).to_owned();
        server.version = props.and_then(|props| text(props, &["build_info"]));
        server.wire = Some(Wire::OpenaiCompat);
        server.models = models;
        server.demo = demo;
        return server;
    }
    let answered = [&replies.models, &replies.tags, &replies.version, &replies.props];
    let loads = |reply: &Reply| reply.status == 503 && reply.text.to_lowercase().contains("loading");
    if answered.iter().any(|reply| reply.as_ref().is_some_and(loads)) {
        server.name = "loading its model".to_owned();
        server.wire = Some(Wire::OpenaiCompat);
        server.status = ServerStatus::Loading;
        return server;
    }
    if let Some(reply) =
        answered.iter().find_map(|reply| reply.as_ref().filter(|reply| matches!(reply.status, 401 | 403)))
    {
        server.name = "needs a key".to_owned();
        server.wire = Some(Wire::OpenaiCompat);
        server.status = if reply.status == 401 || reply.text.to_lowercase().contains("key") {
            ServerStatus::NeedsKey
        } else {
            ServerStatus::OtherApi(format!("it answered {}: {}", reply.status, said(reply)))
        };
        return server;
    }
    server.status = match answered.iter().find_map(|reply| reply.as_ref()) {
        Some(reply) => ServerStatus::OtherApi(format!("it answered {} to /v1/models: {}", reply.status, said(reply))),
        None => {
            let why = replies.failure.clone().unwrap_or_else(|| "nothing is listening".to_owned());
            ServerStatus::Unreachable(why)
        }
    };
    server
}

fn said(reply: &Reply) -> String {
    let text = reply.text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() { "nothing".to_owned() } else { unit::cut(&text, 120) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reply(status: u16, body: Value) -> Option<Reply> {
        Some(Reply { status, text: body.to_string(), json: Some(body) })
    }

    #[test]
    fn servers_are_known_by_the_shape_of_their_answers() {
        let ollama = Replies {
            version: reply(200, json!({"version": "0.12.3"})),
            tags: reply(
                200,
                json!({"models": [{"name": "a:1b", "size": 5, "digest": "d", "details": {"family": "f"}}]}),
            ),
            models: reply(200, json!({"object": "list", "data": [{"id": "a:1b", "owned_by": "library"}]})),
            ..Replies::default()
        };
        let llama = Replies {
            tags: reply(200, json!({"models": [{"name": "g", "digest": "", "details": {"format": "gguf"}}]})),
            // llama.cpp has an Ollama-like list beside the OpenAI one, in some builds also under Ollama's path
            models: reply(
                200,
                json!({"models": [{"name": "g", "digest": ""}], "object": "list",
                       "data": [{"id": "g", "owned_by": "llamacpp", "meta": {"n_ctx": 16384, "n_params": 268_098_176}}]}),
            ),
            props: reply(200, json!({"default_generation_settings": {"n_ctx": 16384}, "build_info": "b11434"})),
            ..Replies::default()
        };
        let vllm = Replies {
            models: reply(
                200,
                json!({"object": "list", "data": [{"id": "q", "owned_by": "vllm", "max_model_len": 4096}]}),
            ),
            ..Replies::default()
        };
        for (replies, name, wire, models) in [
            (&ollama, "Ollama", Wire::Ollama, 1),
            (&llama, "llama.cpp", Wire::OpenaiCompat, 1),
            (&vllm, "vLLM", Wire::OpenaiCompat, 1),
        ] {
            let server = recognise("http://x", replies);
            assert_eq!((server.name.as_str(), server.wire, server.models.len()), (name, Some(wire), models));
            assert_eq!(server.status, ServerStatus::Ready);
        }
        let llama = recognise("http://x", &llama);
        assert_eq!(llama.models[0].parameter_size.as_deref(), Some("268 M"));
        assert_eq!((llama.models[0].context, llama.version.as_deref()), (Some(16384), Some("b11434")));
    }

    #[test]
    fn q19_a_200_for_an_unknown_path_is_no_ollama() {
        let error = json!({"error": "Unexpected endpoint or method. (GET /api/tags)"});
        let replies = Replies {
            version: reply(200, error.clone()),
            tags: reply(200, error.clone()),
            models: reply(200, json!({"object": "list", "data": [{"id": "q"}]})),
            props: reply(200, error),
            ..Replies::default()
        };
        assert_eq!(recognise("http://x", &replies).wire, Some(Wire::OpenaiCompat));
    }

    #[test]
    fn an_empty_or_null_list_is_a_server_without_models() {
        for list in [json!({"object": "list", "data": []}), json!({"object": "list", "data": null})] {
            let server = recognise("http://x", &Replies { models: reply(200, list), ..Replies::default() });
            assert_eq!((server.status, server.models.len()), (ServerStatus::Ready, 0));
        }
    }

    #[test]
    fn q24_a_server_that_loads_is_no_stranger() {
        let error = json!({"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}});
        let replies = Replies { models: reply(503, error.clone()), tags: reply(503, error), ..Replies::default() };
        assert_eq!(recognise("http://x", &replies).status, ServerStatus::Loading);
    }

    #[test]
    fn an_empty_list_under_ollamas_path_needs_ollamas_version() {
        let empty = reply(200, json!({"models": []}));
        let alone = Replies { tags: empty.clone(), ..Replies::default() };
        assert!(matches!(recognise("http://x", &alone).status, ServerStatus::OtherApi(_)));
        let both = Replies { tags: empty, version: reply(200, json!({"version": "0.12.3"})), ..Replies::default() };
        assert_eq!(recognise("http://x", &both).name, "Ollama");
    }

    #[test]
    fn something_else_says_what_it_answered() {
        let html = Reply { status: 200, json: None, text: "<html>Router login</html>".into() };
        let replies = Replies { models: Some(html.clone()), tags: Some(html), ..Replies::default() };
        let ServerStatus::OtherApi(what) = recognise("http://x", &replies).status else { panic!("not other") };
        assert!(what.contains("Router login"), "{what}");
        let replies = Replies { models: Some(Reply { status: 401, ..Reply::default() }), ..Replies::default() };
        assert_eq!(recognise("http://x", &replies).status, ServerStatus::NeedsKey);
        assert!(matches!(recognise("http://x", &Replies::default()).status, ServerStatus::Unreachable(_)));
    }

    #[test]
    fn the_demo_is_known_on_both_wires() {
        let models = reply(200, json!({"object": "list", "data": [{"id": "demo-steady", "owned_by": DEMO_OWNER}]}));
        let tags = reply(200, json!({"models": [{"name": "demo-steady", "digest": "d", "details": {}}]}));
        for tags in [tags, None] {
            let server = recognise("http://x", &Replies { tags, models: models.clone(), ..Replies::default() });
            assert!(server.demo);
            assert_eq!(server.name, "BenchLoop demo");
        }
    }
}
