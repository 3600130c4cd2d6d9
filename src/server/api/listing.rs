//! `GET /api/models`: the servers that answer and what they offer; with `endpoint` one of them.

use axum::{
    Json, Router,
    extract::{RawQuery, State},
    http::StatusCode,
    routing::get,
};
use serde_json::{Value, json};

use super::{error::ApiError, gb, parameter};
use crate::{
    domain::{
        id::Wire,
        model::{ModelInfo, Server, ServerStatus},
    },
    engine::Engine,
};

pub fn router(engine: Engine) -> Router {
    Router::new().route("/api/models", get(models)).with_state(engine)
}

async fn models(State(engine): State<Engine>, RawQuery(query): RawQuery) -> Result<Json<Value>, ApiError> {
    let empty = || json!({"providers": [], "total_models": 0});
    let Some(endpoint) = parameter(query.as_deref(), &["endpoint"]) else {
        return Ok(Json(listing(&engine.servers().await, false)));
    };
    let server = engine.probe(&endpoint).await.map_err(|error| ApiError::from(error).beside(empty()))?;
    if server.status == ServerStatus::Ready {
        return Ok(Json(listing(&[server], true)));
    }
    let why = says(&server);
    let status = if why.contains("in time") { StatusCode::GATEWAY_TIMEOUT } else { StatusCode::BAD_GATEWAY };
    Err(ApiError::new(status, format!("list the models of {}: {why}", server.url)).beside(empty()))
}

/// What a server that can't be used says.
fn says(server: &Server) -> String {
    match &server.status {
        ServerStatus::Ready => String::new(),
        ServerStatus::Loading => "its model is still being loaded".to_owned(),
        ServerStatus::NeedsKey => "it wants an API key".to_owned(),
        ServerStatus::OtherApi(what) => format!("something answers there, but no model server: {what}"),
        ServerStatus::Unreachable(why) => why.clone(),
    }
}

fn listing(servers: &[Server], custom: bool) -> Value {
    let ready = |server: &&Server| server.status == ServerStatus::Ready;
    let providers: Vec<Value> = servers.iter().filter(ready).map(|server| provider(server, custom)).collect();
    let total: usize = servers.iter().filter(ready).map(|server| server.models.len()).sum();
    // additive: what answers and is no model server, or was saved and does not answer
    let others: Vec<Value> = servers
        .iter()
        .filter(|server| !ready(server))
        .map(|server| json!({"url": server.url, "label": server.label, "saved": server.saved, "error": says(server)}))
        .collect();
    json!({"providers": providers, "total_models": total, "unavailable": others})
}

fn provider(server: &Server, custom: bool) -> Value {
    let is_ollama = server.wire == Some(Wire::Ollama);
    let slug: String =
        server.name.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let mut shape = json!({
        "name": if custom { "custom".to_owned() } else { slug },
        "label": server.label.clone().unwrap_or_else(|| server.name.clone()),
        "url": server.url,
        "type": if is_ollama { "ollama" } else { "openai" },
        "available": true,
        "model_count": server.models.len(),
        "models": server.models.iter().map(|model| entry(model, server)).collect::<Vec<_>>(),
        "product": server.name,
        "evidence": server.evidence,
        "demo": server.demo,
        "saved": server.saved,
    });
    if let (Value::Object(map), Some(version)) = (&mut shape, &server.version) {
        map.insert("provider_version".to_owned(), json!(version));
    }
    shape
}

fn entry(model: &ModelInfo, server: &Server) -> Value {
    let mut shape = json!({
        "name": model.name,
        "size_gb": model.size_bytes.map(gb),
        "quantization": model.quantization.clone().unwrap_or_default(),
        "family": model.family.clone().unwrap_or_default(),
        "parameter_size": model.parameter_size.clone().unwrap_or_default(),
        "format": model.format.clone().unwrap_or_default(),
        "context_length": model.context.or(model.context_max),
        "loaded": model.loaded,
        "remote": model.remote,
        "capabilities": model.capabilities,
    });
    if server.wire == Some(Wire::Ollama)
        && let Value::Object(map) = &mut shape
    {
        let warning = model.is_embedding_only().then_some("makes vectors and no answers; it can't be benchmarked");
        map.insert("provider_version".to_owned(), json!(server.version));
        map.insert("supported".to_owned(), json!(warning.is_none()));
        map.insert("warning".to_owned(), json!(warning));
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_servers_that_can_be_used_are_providers_and_the_others_say_why() {
        let ollama = Server {
            name: "Ollama".into(),
            wire: Some(Wire::Ollama),
            version: Some("0.12.3".into()),
            models: vec![ModelInfo { name: "a:1b".into(), size_bytes: Some(1_234_000_000), ..ModelInfo::default() }],
            ..Server::unknown("http://127.0.0.1:11434")
        };
        let other = Server { status: ServerStatus::OtherApi("it answered 200".into()), ..Server::unknown("http://x") };

        let shape = listing(&[ollama, other], false);

        assert_eq!((&shape["total_models"], shape["providers"].as_array().unwrap().len()), (&json!(1), 1));
        let provider = &shape["providers"][0];
        assert_eq!(
            (&provider["name"], &provider["type"], &provider["available"]),
            (&json!("ollama"), &json!("ollama"), &json!(true))
        );
        let model = &provider["models"][0];
        assert_eq!(
            (&model["size_gb"], &model["supported"], &model["warning"]),
            (&json!(1.23), &json!(true), &Value::Null)
        );
        assert!(shape["unavailable"][0]["error"].as_str().unwrap().contains("no model server"));
    }
}
