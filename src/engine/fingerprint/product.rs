//! The rules that tell a product from answers, each with its evidence; servers that imitate others come first.

use serde_json::Value;

use super::{Question as Q, Replies, models, text};
use crate::domain::model::Product;

/// What `owned_by` says for the built-in scripted server.
pub const DEMO_OWNER: &str = "benchloop-demo";

type Rule = fn(&Replies) -> Option<(Product, String)>;

/// In this order; the first that finds something decides.
const RULES: [Rule; 15] = [
    demo,
    kobold,
    local_ai,
    osaurus,
    omlx,
    llama_cpp,
    sglang,
    vllm,
    tgi,
    lm_studio,
    lite_llm,
    open_router,
    open_ai,
    ollama,
    jan,
];

/// The product and what told it; `None` where nothing tells it apart.
pub fn decide(replies: &Replies) -> Option<(Product, String)> {
    RULES.iter().find_map(|rule| rule(replies)).or_else(|| mlx_lm(replies))
}

/// Whether any entry of the OpenAI list has this owner.
fn owner(replies: &Replies, owner: &str) -> bool {
    let data = replies.json(Q::Models).and_then(|list| list.get("data")).and_then(Value::as_array);
    data.is_some_and(|data| data.iter().any(|entry| entry.get("owned_by").is_some_and(|named| named == owner)))
}

fn owned(replies: &Replies, name: &str, product: Product) -> Option<(Product, String)> {
    owner(replies, name).then(|| (product, format!("GET /v1/models says owned_by {name}")))
}

fn by_header(replies: &Replies, name: &str, is: impl Fn(&str) -> bool) -> Option<(Q, String)> {
    replies.answers.iter().find_map(|(question, reply)| {
        let value = reply.header(name);
        (!value.is_empty() && is(value)).then(|| (*question, value.to_owned()))
    })
}

fn demo(replies: &Replies) -> Option<(Product, String)> {
    owned(replies, DEMO_OWNER, Product::Demo)
}

fn kobold(replies: &Replies) -> Option<(Product, String)> {
    let named =
        replies.json(Q::KoboldVersion).is_some_and(|info| text(info, &["result"]).as_deref() == Some("KoboldCpp"));
    let evidence = "GET /api/extra/version answered KoboldCpp".to_owned();
    named.then_some((Product::KoboldCpp, evidence)).or_else(|| owned(replies, "koboldcpp", Product::KoboldCpp))
}

fn local_ai(replies: &Replies) -> Option<(Product, String)> {
    let info = replies.json(Q::LocalAiSystem)?;
    let lists = info.get("backends").is_some() && info.get("loaded_models").is_some();
    lists.then(|| (Product::LocalAi, "GET /system answered with backends and loaded_models".to_owned()))
}

fn osaurus(replies: &Replies) -> Option<(Product, String)> {
    let greets = replies.get(Q::Root).is_some_and(|reply| reply.text.starts_with("Osaurus Server is running"));
    let evidence = "GET / answered Osaurus Server is running".to_owned();
    owned(replies, "osaurus", Product::Osaurus).or_else(|| greets.then_some((Product::Osaurus, evidence)))
}

fn omlx(replies: &Replies) -> Option<(Product, String)> {
    owned(replies, "omlx", Product::Omlx)
}

/// Whether the server header says it, which no imitator does.
pub fn says_llama_cpp(replies: &Replies) -> bool {
    by_header(replies, "server", |server| server == "llama.cpp").is_some()
}

fn llama_cpp(replies: &Replies) -> Option<(Product, String)> {
    let props = replies.json(Q::Props).filter(|props| props.get("default_generation_settings").is_some());
    let is_router = props.is_some_and(|props| props.get("role").is_some_and(|role| role == "router"))
        || replies.json(Q::Models).is_some_and(|list| {
            list.pointer("/data/0/owned_by").is_some_and(|owner| owner == "llamacpp")
                && list.pointer("/data/0/status/value").is_some()
        });
    let product = if is_router { Product::LlamaCppRouter } else { Product::LlamaCpp };
    let evidence = if is_router && props.is_some() {
        "GET /props answered with role router".to_owned()
    } else if props.is_some() {
        "GET /props answered with default_generation_settings".to_owned()
    } else if owner(replies, "llamacpp") {
        "GET /v1/models says owned_by llamacpp".to_owned()
    } else if says_llama_cpp(replies) {
        "header Server: llama.cpp".to_owned()
    } else {
        return None;
    };
    Some((product, evidence))
}

fn sglang(replies: &Replies) -> Option<(Product, String)> {
    owned(replies, "sglang", Product::Sglang).or_else(|| {
        let info = replies.json(Q::SglangModel)?;
        let is_it = text(info, &["model_path"]).is_some() && info.get("is_generation").is_some();
        is_it.then(|| (Product::Sglang, "GET /get_model_info answered with model_path and is_generation".to_owned()))
    })
}

fn vllm(replies: &Replies) -> Option<(Product, String)> {
    owned(replies, "vllm", Product::Vllm)
}

fn tgi(replies: &Replies) -> Option<(Product, String)> {
    let info = replies.json(Q::TgiInfo)?;
    if text(info, &["router"]).as_deref() == Some("text-generation-router") {
        return Some((Product::Tgi, "GET /info answered with router text-generation-router".to_owned()));
    }
    let is_it = text(info, &["model_id"]).is_some() && info.get("max_total_tokens").is_some();
    is_it.then(|| (Product::Tgi, "GET /info answered with model_id and max_total_tokens".to_owned()))
}

fn lm_studio(replies: &Replies) -> Option<(Product, String)> {
    let first = |question, list: &str| replies.json(question).and_then(|json| json.get(list)?.get(0));
    let has = |entry: Option<&Value>, keys: [&str; 2]| {
        entry.is_some_and(|entry| keys.iter().all(|key| entry.get(key).is_some()))
    };
    let evidence = if has(first(Q::StudioInstances, "models"), ["key", "loaded_instances"]) {
        "GET /api/v1/models answered with loaded_instances"
    } else if has(first(Q::StudioModels, "data"), ["compatibility_type", "state"]) {
        "GET /api/v0/models answered with compatibility_type and state"
    } else if owner(replies, "organization_owner") {
        "GET /v1/models says owned_by organization_owner"
    } else if replies.answers.values().any(|reply| {
        reply
            .json
            .as_ref()
            .and_then(|json| text(json, &["error"]))
            .is_some_and(|error| error.starts_with("Unexpected endpoint or method."))
    }) {
        "an unknown path answered Unexpected endpoint or method"
    } else {
        return None;
    };
    Some((Product::LmStudio, evidence.to_owned()))
}

fn lite_llm(replies: &Replies) -> Option<(Product, String)> {
    let state = replies.json(Q::LiteLlmState).is_some_and(|state| state.get("litellm_version").is_some());
    if state {
        return Some((Product::LiteLlm, "GET /health/readiness answered with litellm_version".to_owned()));
    }
    by_header(replies, "x-litellm-version", |_| true)
        .map(|(question, _)| (Product::LiteLlm, format!("GET {} has the header x-litellm-version", question.path())))
}

fn open_router(replies: &Replies) -> Option<(Product, String)> {
    let first = replies.json(Q::Models)?.pointer("/data/0")?;
    let is_it = ["pricing", "top_provider"].iter().all(|key| first.get(key).is_some());
    is_it.then(|| (Product::OpenRouter, "GET /v1/models lists pricing and top_provider".to_owned()))
}

/// By its own headers: many servers copy the owner's name.
fn open_ai(replies: &Replies) -> Option<(Product, String)> {
    let names = ["openai-version", "openai-processing-ms", "openai-organization"];
    names
        .iter()
        .find_map(|name| by_header(replies, name, |_| true).map(|(question, _)| (*name, question)))
        .map(|(name, question)| (Product::OpenAi, format!("GET {} has the header {name}", question.path())))
}

fn ollama(replies: &Replies) -> Option<(Product, String)> {
    if replies.get(Q::Root).is_some_and(|reply| reply.text.starts_with("Ollama is running")) {
        return Some((Product::Ollama, "GET / answered Ollama is running".to_owned()));
    }
    let entries = replies.json(Q::Tags).and_then(models::ollama_entries)?;
    let version = replies.json(Q::OllamaVersion).and_then(|version| text(version, &["version"]));
    if !entries.is_empty() {
        return Some((Product::Ollama, "GET /api/tags lists models with digest and details".to_owned()));
    }
    // an empty list could be anybody's; only Ollama has a version beside it
    version.map(|_| (Product::Ollama, "GET /api/version and /api/tags answered as Ollama's".to_owned()))
}

fn jan(replies: &Replies) -> Option<(Product, String)> {
    let first = replies.json(Q::Models).and_then(|list| list.pointer("/data/0"));
    let lists = first.is_some_and(|entry| {
        entry.get("owned_by").is_some_and(|owner| owner == "user") && entry.get("created").is_some_and(|at| *at == 1)
    });
    if lists {
        return Some((Product::Jan, "GET /v1/models says owned_by user and created 1".to_owned()));
    }
    let documents = replies.get(Q::Root).is_some_and(|reply| reply.markup.contains("/docs/swagger-ui-bundle.js"));
    if documents {
        return Some((Product::Jan, "GET / answered with its API pages".to_owned()));
    }
    let refuses =
        replies.answers.values().any(|reply| reply.status == 403 && reply.text.trim() == "Invalid host header");
    refuses.then(|| (Product::Jan, "it answered Invalid host header".to_owned()))
}

/// Python's own HTTP server with a list whose entries have no owner.
fn mlx_lm(replies: &Replies) -> Option<(Product, String)> {
    let reply = replies.get(Q::Models)?;
    let data = replies.json(Q::Models)?.get("data")?.as_array()?;
    let plain = data.iter().all(|entry| entry.get("id").is_some() && entry.get("owned_by").is_none());
    let python = reply.header("server").starts_with("BaseHTTP/");
    (python && plain).then(|| (Product::MlxLm, "header Server: BaseHTTP, and GET /v1/models names no owner".to_owned()))
}

/// The version that the product tells.
pub fn version(product: Product, replies: &Replies) -> Option<String> {
    let told = |question, key: &str| replies.json(question).and_then(|json| text(json, &[key]));
    match product {
        Product::Ollama | Product::Osaurus => told(Q::OllamaVersion, "version"),
        Product::LlamaCpp | Product::LlamaCppRouter => told(Q::Props, "build_info"),
        Product::KoboldCpp => told(Q::KoboldVersion, "version"),
        Product::Vllm | Product::LocalAi => told(Q::VllmVersion, "version"),
        Product::Sglang => told(Q::SglangServer, "version"),
        Product::Tgi => told(Q::TgiInfo, "version"),
        Product::LiteLlm => told(Q::LiteLlmState, "litellm_version")
            .or_else(|| by_header(replies, "x-litellm-version", |_| true).map(|(_, version)| version)),
        Product::OpenAi => by_header(replies, "openai-version", |_| true).map(|(_, version)| version),
        _ => None,
    }
}
