//! Model lists in their shapes, joined to one list per server.

use serde_json::Value;

use super::{
    Question as Q, Replies,
    names::{parameters_in, quantization_in, quantization_of},
    number, text,
};
use crate::domain::{
    id::Wire,
    model::{Capability, ModelInfo, Product},
};

/// The models of a server and the protocol in which it lists them; `None` if no answer was a list.
pub fn list(product: Product, replies: &Replies) -> Option<(Wire, Vec<ModelInfo>)> {
    let tags = replies.json(Q::Tags).and_then(ollama_entries);
    let listed = replies.json(Q::Models).and_then(openai);
    let (wire, mut models) = match (product, tags, listed) {
        (Product::Ollama, Some(entries), _) => (Wire::Ollama, entries.iter().filter_map(of_ollama).collect()),
        (Product::Demo, Some(entries), _) if !entries.is_empty() => {
            (Wire::Ollama, entries.iter().filter_map(of_ollama).collect())
        }
        (_, _, Some(models)) => (Wire::OpenaiCompat, models),
        (Product::Tgi | Product::Sglang, _, None) => (Wire::OpenaiCompat, vec![only_model(replies)?]),
        _ => return None,
    };
    for model in &mut models {
        match product {
            Product::Ollama => running(model, replies),
            Product::LmStudio => studio(model, replies),
            Product::LlamaCpp => llama_cpp(model, replies),
            Product::Tgi => {
                model.context = replies.json(Q::TgiInfo).and_then(|info| number(info, &["max_total_tokens"]))
            }
            _ => {}
        }
        finish(model, product);
    }
    Some((wire, models))
}

/// Fills what only the name can tell.
fn finish(model: &mut ModelInfo, product: Product) {
    model.remote |= product.is_hosted();
    if !model.remote && product != Product::Demo {
        model.quantization = model.quantization.take().or_else(|| quantization_in(&model.name));
        model.parameter_size = model.parameter_size.take().or_else(|| parameters_in(&model.name));
    }
    let family = model.family.as_deref().unwrap_or_default();
    let name = model.name.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    let is_encoder = matches!(family, "bert" | "nomic-bert" | "nomic-bert-moe" | "jina-bert-v2" | "roberta");
    if model.capabilities.is_empty() && (is_encoder || name.starts_with("text-embedding-")) {
        model.capabilities.push(Capability::Embedding);
    }
    model.capabilities.sort_unstable();
    model.capabilities.dedup();
}

/// The one model of a server that has no list.
fn only_model(replies: &Replies) -> Option<ModelInfo> {
    let named = |question, key: &str| replies.json(question).and_then(|info| text(info, &[key]));
    let name = named(Q::TgiInfo, "model_id").or_else(|| named(Q::SglangModel, "model_path"))?;
    Some(ModelInfo { name, loaded: Some(true), ..ModelInfo::default() })
}

/// Entries of Ollama's list: they carry a digest and details. Others copy the shape and leave the digest empty.
pub fn ollama_entries(tags: &Value) -> Option<&Vec<Value>> {
    let models = tags.get("models")?.as_array()?;
    let is_entry = |model: &Value| text(model, &["digest"]).is_some() && model.get("details").is_some();
    models.iter().all(is_entry).then_some(models)
}

/// Capabilities in Ollama's words.
fn capability(word: &str) -> Option<Capability> {
    match word {
        "completion" | "chat" => Some(Capability::Chat),
        "tools" | "tool_use" => Some(Capability::Tools),
        "thinking" | "reasoning" => Some(Capability::Thinking),
        "vision" | "multimodal" => Some(Capability::Vision),
        "embedding" | "embeddings" => Some(Capability::Embedding),
        _ => None,
    }
}

fn capabilities(value: Option<&Value>) -> Vec<Capability> {
    let words = value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    words.filter_map(capability).collect()
}

fn of_ollama(model: &Value) -> Option<ModelInfo> {
    let name = text(model, &["name"]).or_else(|| text(model, &["model"]))?;
    let has_host = |key: &str| text(model, &[key]).is_some();
    let remote =
        has_host("remote_host") || has_host("remote_model") || name.ends_with(":cloud") || name.ends_with("-cloud");
    Some(ModelInfo {
        size_bytes: number(model, &["size"]),
        quantization: text(model, &["details", "quantization_level"]).filter(|level| level != "unknown"),
        family: text(model, &["details", "family"]),
        parameter_size: text(model, &["details", "parameter_size"]),
        format: text(model, &["details", "format"]),
        digest: text(model, &["digest"]),
        capabilities: capabilities(model.get("capabilities")),
        about: text(model, &["details", "about"]),
        remote,
        name,
        ..ModelInfo::default()
    })
}

/// What Ollama holds in memory: context and graphics memory of this model.
fn running(model: &mut ModelInfo, replies: &Replies) {
    let Some(running) = replies.json(Q::Running).and_then(|json| json.get("models")?.as_array()) else { return };
    let entry = running.iter().find(|entry| text(entry, &["name"]).is_some_and(|name| name == model.name));
    model.loaded = Some(entry.is_some());
    if let Some(entry) = entry {
        model.context = number(entry, &["context_length"]);
        model.vram_bytes = entry.get("size_vram").and_then(Value::as_u64);
    }
}

/// Adds what Ollama's `/api/show` says of a model.
pub fn describe(model: &mut ModelInfo, show: &Value) {
    model.quantization =
        text(show, &["details", "quantization_level"]).filter(|level| level != "unknown").or(model.quantization.take());
    model.parameter_size = text(show, &["details", "parameter_size"]).or(model.parameter_size.take());
    model.family = text(show, &["details", "family"]).or(model.family.take());
    model.remote |= text(show, &["remote_host"]).is_some() || text(show, &["remote_model"]).is_some();
    let told = capabilities(show.get("capabilities"));
    if !told.is_empty() {
        model.capabilities = told;
        model.capabilities.sort_unstable();
    }
    let Some(info) = show.get("model_info") else { return };
    let Some(family) = text(info, &["general.architecture"]) else { return };
    let of = |key: &str| number(info, &[&format!("{family}.{key}")]);
    model.context_max = of("context_length").or(model.context_max);
    model.kv_bytes_per_token = kv_bytes(of);
}

/// Bytes that one token takes in a 16-bit cache: keys and values of every layer's key-value heads.
fn kv_bytes(of: impl Fn(&str) -> Option<u64>) -> Option<u64> {
    let (layers, heads) = (of("block_count")?, of("attention.head_count")?);
    let kv_heads = of("attention.head_count_kv").unwrap_or(heads);
    let width = of("embedding_length").map(|length| length / heads.max(1));
    let (key, value) = (of("attention.key_length").or(width)?, of("attention.value_length").or(width)?);
    layers.checked_mul(kv_heads)?.checked_mul(key.checked_add(value)?)?.checked_mul(2)
}

/// Models of an OpenAI-style list: entries with an id.
fn openai(list: &Value) -> Option<Vec<ModelInfo>> {
    let data = match list.get("data") {
        Some(Value::Array(data)) => data.as_slice(),
        Some(Value::Null) if list.get("object").is_some_and(|object| object == "list") => &[],
        _ => return None,
    };
    if !data.iter().all(|entry| text(entry, &["id"]).is_some()) {
        return None;
    }
    let beside = list.get("models").and_then(Value::as_array);
    Some(data.iter().filter_map(|entry| of_openai(entry, beside)).collect())
}

/// One entry; llama.cpp lists capabilities beside it in Ollama's shape.
fn of_openai(model: &Value, beside: Option<&Vec<Value>>) -> Option<ModelInfo> {
    let name = text(model, &["id"])?;
    let twin = beside.and_then(|models| models.iter().find(|other| text(other, &["name"]).as_ref() == Some(&name)));
    let state = text(model, &["status", "value"]).or_else(|| text(model, &["status"]));
    let embeds = matches!(text(model, &["type"]).as_deref(), Some("embeddings" | "embedding"));
    let told =
        if embeds { vec![Capability::Embedding] } else { capabilities(twin.and_then(|t| t.get("capabilities"))) };
    Some(ModelInfo {
        size_bytes: number(model, &["meta", "size"]).or_else(|| number(model, &["weight_size_bytes"])),
        quantization: text(model, &["quantization"])
            .or_else(|| text(model, &["meta", "ftype"]).and_then(|words| quantization_of(&words))),
        family: text(model, &["arch"]).or_else(|| text(model, &["meta", "architecture"])),
        parameter_size: number(model, &["meta", "n_params"]).map(parameters),
        context: number(model, &["max_model_len"])
            .or_else(|| number(model, &["meta", "n_ctx"]))
            .or_else(|| number(model, &["loaded_context_length"])),
        context_max: number(model, &["meta", "n_ctx_train"])
            .or_else(|| number(model, &["max_context_length"]))
            .or_else(|| number(model, &["context_length"])),
        format: text(model, &["compatibility_type"]),
        capabilities: told,
        loaded: state.map(|state| state == "loaded"),
        about: text(model, &["about"]),
        name,
        ..ModelInfo::default()
    })
}

/// `268098176` → `268 M`, `8030261248` → `8.0 B`.
fn parameters(n: u64) -> String {
    if n >= 1_000_000_000 { format!("{:.1} B", n as f64 / 1e9) } else { format!("{:.0} M", n as f64 / 1e6) }
}

/// A server of one model: what its settings add.
fn llama_cpp(model: &mut ModelInfo, replies: &Replies) {
    model.loaded = Some(true);
    model.format = Some("gguf".to_owned());
    let Some(props) = replies.json(Q::Props) else { return };
    model.context = number(props, &["default_generation_settings", "n_ctx"]).or(model.context);
    let typed = || text(props, &["model_ftype"]).and_then(|words| quantization_of(&words));
    let named = || text(props, &["model_path"]).and_then(|path| quantization_in(&path));
    model.quantization = model.quantization.take().or_else(typed).or_else(named);
    if props.pointer("/modalities/vision").is_some_and(|vision| *vision == true) {
        model.capabilities.push(Capability::Vision);
    }
}

/// What LM Studio's own lists say of a model, the newer one first.
fn studio(model: &mut ModelInfo, replies: &Replies) {
    let find = |question, list: &str, key: &str| {
        let entries = replies.json(question).and_then(|json| json.get(list)?.as_array())?;
        entries.iter().find(|entry| text(entry, &[key]).is_some_and(|id| id == model.name)).cloned()
    };
    let (newer, older) = (find(Q::StudioInstances, "models", "key"), find(Q::StudioModels, "data", "id"));
    if let Some(entry) = older {
        model.quantization = text(&entry, &["quantization"]);
        model.family = text(&entry, &["arch"]);
        model.format = text(&entry, &["compatibility_type"]);
        model.context_max = number(&entry, &["max_context_length"]);
        model.context = number(&entry, &["loaded_context_length"]);
        model.loaded = text(&entry, &["state"]).map(|state| state == "loaded");
        model.capabilities = match text(&entry, &["type"]).as_deref() {
            Some("embeddings") => vec![Capability::Embedding],
            Some("vlm") => vec![Capability::Chat, Capability::Vision],
            Some("llm") => vec![Capability::Chat],
            _ => Vec::new(),
        };
        model.capabilities.extend(capabilities(entry.get("capabilities")));
    }
    if let Some(entry) = newer {
        model.quantization = text(&entry, &["quantization", "name"]).or(model.quantization.take());
        model.family = text(&entry, &["architecture"]).or(model.family.take());
        model.format = text(&entry, &["format"]).or(model.format.take());
        model.size_bytes = number(&entry, &["size_bytes"]);
        model.parameter_size = text(&entry, &["params_string"]);
        model.context_max = number(&entry, &["max_context_length"]).or(model.context_max);
        if let Some(instances) = entry.get("loaded_instances").and_then(Value::as_array) {
            model.loaded = Some(!instances.is_empty());
            let loaded = instances.first().and_then(|instance| number(instance, &["config", "context_length"]));
            model.context = loaded.or(model.context);
        }
        let can = |key: &str| entry.pointer(&format!("/capabilities/{key}")).is_some_and(|can| *can == true);
        match text(&entry, &["type"]).as_deref() {
            Some("embedding") => model.capabilities = vec![Capability::Embedding],
            Some("llm") => model.capabilities.push(Capability::Chat),
            _ => {}
        }
        for (key, capability) in [("vision", Capability::Vision), ("trained_for_tool_use", Capability::Tools)] {
            if can(key) {
                model.capabilities.push(capability);
            }
        }
    }
}
