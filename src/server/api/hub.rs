//! `GET /api/models/search-hf` and `/api/models/hf-details`: Hugging Face, asked on request.

use axum::{
    Json, Router,
    extract::{RawQuery, State},
    routing::get,
};
use serde_json::{Value, json};

use super::{error::ApiError, gb, parameter};
use crate::{
    domain::hub::{HubModel, HubQuery, WeightFormat},
    engine::{Engine, hub::Found},
};

pub fn router(engine: Engine) -> Router {
    Router::new()
        .route("/api/models/search-hf", get(search))
        .route("/api/models/hf-details", get(details))
        .with_state(engine)
}

/// A whole number within bounds.
fn number(query: Option<&str>, name: &str, default: u32, most: u32) -> Result<u32, ApiError> {
    let Some(text) = parameter(query, &[name]) else { return Ok(default) };
    let read = text.parse::<u32>().ok().filter(|n| (1..=most).contains(n));
    read.ok_or_else(|| ApiError::parameter(name, format!("{name} must be a whole number from 1 to {most}")))
}

fn read(query: Option<&str>) -> Result<HubQuery, ApiError> {
    let text = parameter(query, &["query", "q"]).unwrap_or_default();
    let format = match parameter(query, &["format"]).filter(|format| !matches!(format.as_str(), "all" | "any")) {
        None => None,
        Some(name) => {
            let format = name.to_ascii_lowercase().parse::<WeightFormat>();
            Some(format.map_err(|error| ApiError::parameter("format", error.to_string()))?)
        }
    };
    let sort = match parameter(query, &["sort"]) {
        None => None,
        Some(name) => Some(
            name.parse()
                .map_err(|error: crate::domain::id::UnknownName| ApiError::parameter("sort", error.to_string()))?,
        ),
    };
    let (limit, page) = (number(query, "limit", 20, 100)?, number(query, "page", 1, HubQuery::LAST_PAGE)?);
    Ok(HubQuery { format, sort, page, limit, ..HubQuery::new(&text) })
}

async fn search(State(engine): State<Engine>, RawQuery(raw): RawQuery) -> Result<Json<Value>, ApiError> {
    let query = read(raw.as_deref())?;
    let about = json!({"query": query.text, "format_filter": query.format, "page": query.page});
    let empty = json!({"query": query.text, "format_filter": query.format, "models": [], "count": 0, "total": 0,
                       "page": query.page, "pages": 0});
    let found = engine.search_hub(&query).await.map_err(|error| ApiError::from(error).beside(empty))?;
    // the Hub tells no total: what is known are the repositories up to here, and whether more follow
    let seen = (found.page - 1) * query.limit + found.models.len() as u32;
    let pages = found.page + u32::from(found.more);
    let models: Vec<Value> = found.models.iter().map(model).collect();
    let mut shape = about;
    if let Value::Object(map) = &mut shape {
        map.extend([
            ("count".to_owned(), json!(models.len())),
            ("total".to_owned(), json!(seen + u32::from(found.more))),
            ("pages".to_owned(), json!(pages)),
            ("has_more".to_owned(), json!(found.more)),
            ("models".to_owned(), Value::Array(models)),
        ]);
    }
    Ok(Json(shape))
}

fn model(model: &HubModel) -> Value {
    let (author, name) = model.parts();
    json!({
        "id": model.id, "author": author, "name": name, "avatar_url": null,
        "downloads": model.downloads, "likes": model.likes, "pipeline_tag": model.pipeline,
        "tags": model.tags.iter().take(15).collect::<Vec<_>>(),
        "formats": model.formats, "url": format!("https://huggingface.co/{}", model.id),
        "created_at": model.created_at, "gated": model.gated,
    })
}

async fn details(State(engine): State<Engine>, RawQuery(raw): RawQuery) -> Result<Json<Value>, ApiError> {
    let repo = parameter(raw.as_deref(), &["repo"])
        .ok_or_else(|| ApiError::parameter("repo", "repo is missing: owner/name"))?;
    let empty = json!({"repo": repo, "id": repo, "downloads": 0, "likes": 0, "tags": [], "cardData": {},
                       "gguf_files": [], "largest_gguf": null, "total_gguf_size_gb": null});
    let found = engine.hub_details(&repo).await.map_err(|error| ApiError::from(error).beside(empty))?;
    Ok(Json(shape(&repo, &found)))
}

fn shape(repo: &str, found: &Found) -> Value {
    let details = &found.details;
    let choice = |choice: &crate::domain::hub::QuantChoice| {
        json!({"path": choice.path, "size_bytes": choice.size_bytes, "size_gb": gb(choice.size_bytes),
               "quantization": choice.name, "parts": choice.parts, "parts_named": choice.parts_named, "pull": choice.pull})
    };
    let gguf: Vec<_> = details.choices.iter().filter(|choice| choice.format == Some(WeightFormat::Gguf)).collect();
    let total: u64 = gguf.iter().map(|choice| choice.size_bytes).sum();
    json!({
        "repo": repo, "id": details.model.id, "downloads": details.model.downloads, "likes": details.model.likes,
        "tags": details.model.tags, "cardData": found.card, "gated": details.model.gated, "license": details.license,
        "gguf_files": gguf.iter().map(|file| choice(file)).collect::<Vec<_>>(),
        "largest_gguf": gguf.last().map(|file| choice(file)),
        "total_gguf_size_gb": (!gguf.is_empty()).then(|| gb(total)),
        "choices": details.choices.iter().map(choice).collect::<Vec<_>>(),
        "parameters": details.parameters, "context_length": details.context_max, "note": details.note,
    })
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;

    use super::*;

    #[test]
    fn both_spellings_are_read_and_nonsense_is_named() {
        assert_eq!(
            read(Some("q=qwen+3&format=GGUF&page=2")).unwrap(),
            read(Some("query=qwen%203&format=gguf&page=2")).unwrap()
        );
        assert_eq!(read(None).unwrap(), HubQuery::new(""));
        for (bad, name) in [
            ("page=0", "page"),
            ("limit=1000", "limit"),
            ("limit=x", "limit"),
            ("format=zip", "format"),
            ("sort=up", "sort"),
        ] {
            let error = read(Some(bad)).unwrap_err();
            assert_eq!(error.status, StatusCode::UNPROCESSABLE_ENTITY, "{bad}");
            assert_eq!(error.detail[0]["loc"], json!(["query", name]));
        }
    }
}
