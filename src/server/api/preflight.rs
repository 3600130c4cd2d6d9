//! `GET /api/models/preflight`: can a run start with this model? The outcome is the payload, so the status is 200.

use axum::{
    Json, Router,
    extract::{RawQuery, State},
    routing::get,
};
use serde_json::{Value, json};

use super::{error::ApiError, parameter};
use crate::{
    domain::{
        card::{Blocker, CapabilityCard, Finding},
        id::Wire,
        unit,
    },
    engine::{Engine, probe::Depth},
};

/// Seconds that old clients wait.
const PATIENCE_S: f64 = 15.0;
/// Characters of what the server said.
const RAW: usize = 300;

pub fn router(engine: Engine) -> Router {
    Router::new().route("/api/models/preflight", get(preflight)).with_state(engine)
}

fn flag(query: Option<&str>, name: &str) -> Result<bool, ApiError> {
    match parameter(query, &[name]).as_deref() {
        None | Some("0" | "false") => Ok(false),
        Some("1" | "true") => Ok(true),
        Some(_) => Err(ApiError::parameter(name, format!("{name} must be true or false"))),
    }
}

async fn preflight(State(engine): State<Engine>, RawQuery(query): RawQuery) -> Result<Json<Value>, ApiError> {
    let query = query.as_deref();
    let given = |name| parameter(query, &[name]).ok_or_else(|| ApiError::parameter(name, format!("{name} is missing")));
    let (endpoint, model) = (given("endpoint")?, given("model")?);
    let provider = Wire::named(&parameter(query, &["provider"]).unwrap_or_default())
        .map_err(|_| ApiError::parameter("provider", "give ollama or openai_compat"))?;
    let depth = if flag(query, "full")? { Depth::Whole } else { Depth::Short };
    let card = engine.read_card(&endpoint, &model, provider, depth, PATIENCE_S).await?;
    Ok(Json(shape(&card)))
}

fn shape(card: &CapabilityCard) -> Value {
    let blocker = card.blocker();
    let reason = blocker.and_then(|finding| finding.blocks);
    // a model that takes long to load is no reason to give up
    let ok = matches!(reason, None | Some(Blocker::Loading));
    let message = match blocker {
        None => card.conclusion(),
        Some(_) => card.refusal().unwrap_or_default(),
    };
    json!({
        "ok": ok,
        "reason": reason,
        "message": message,
        "provider_version": card.server_version,
        "raw": blocker.map(|finding| unit::cut(&finding.evidence, RAW)),
        "model": card.model,
        "endpoint": card.endpoint,
        "provider": card.wire,
        "server": card.server,
        "took_s": card.took_s,
        "findings": card.findings.iter().map(Finding::whole).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::card::{Answer, FindingId};

    fn card(findings: Vec<Finding>) -> CapabilityCard {
        CapabilityCard {
            model: "m".into(),
            endpoint: "http://x".into(),
            wire: None,
            server: "Ollama".into(),
            server_version: Some("0.30.1".into()),
            at: chrono::DateTime::UNIX_EPOCH,
            took_s: 1.0,
            findings,
        }
    }

    #[test]
    fn the_outcome_keeps_the_old_keys_and_names_the_reason() {
        let well = shape(&card(vec![Finding::new(FindingId::Server, Answer::Yes, "it answers")]));
        assert_eq!((&well["ok"], &well["reason"], &well["raw"]), (&json!(true), &Value::Null, &Value::Null));
        assert_eq!(well["provider_version"], "0.30.1");
        assert_eq!(well["findings"][0]["title"], "Server");

        let blocked = |why| shape(&card(vec![Finding::new(FindingId::Answers, Answer::No, "no").blocking(why)]));
        let memory = blocked(Blocker::OutOfMemory);
        assert_eq!((&memory["ok"], &memory["reason"]), (&json!(false), &json!("oom")));
        let loading = blocked(Blocker::Loading);
        assert_eq!((&loading["ok"], &loading["reason"]), (&json!(true), &json!("load_timeout")));
    }
}
