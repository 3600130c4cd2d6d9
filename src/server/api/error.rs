//! How a route fails: a status and `{"detail": …}`, as old clients read it.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Map, Value, json};

use crate::engine::{EngineError, EngineErrorKind, hub::HubError};

/// A failure of a route.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiError {
    pub status: StatusCode,
    /// Text, or a list of `{type, loc, msg, input}` for fields of an invalid body.
    pub detail: Value,
    /// What old clients look for beside it: `error` and the route's usual empty collections.
    pub extra: Map<String, Value>,
}

impl ApiError {
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: Value::String(detail.into()), extra: Map::new() }
    }

    fn at(place: &str, field: &str, message: String) -> Self {
        let entry = json!({"type": "value_error", "loc": [place, field], "msg": message, "input": null});
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, detail: json!([entry]), extra: Map::new() }
    }

    /// 422 for one field of the body; what was given is not repeated, for it could hold a key.
    pub fn field(field: &str, message: impl Into<String>) -> Self {
        Self::at("body", field, message.into())
    }

    /// 422 for one parameter of the address.
    pub fn parameter(name: &str, message: impl Into<String>) -> Self {
        Self::at("query", name, message.into())
    }

    /// Adds the same text as `error`, and the keys of an empty answer.
    pub fn beside(mut self, empty: Value) -> Self {
        let text = match &self.detail {
            Value::String(text) => text.clone(),
            list => list.pointer("/0/msg").and_then(Value::as_str).unwrap_or_default().to_owned(),
        };
        if let Value::Object(empty) = empty {
            self.extra.extend(empty);
        }
        self.extra.insert("error".to_owned(), Value::String(text));
        self
    }
}

impl From<EngineError> for ApiError {
    fn from(error: EngineError) -> Self {
        let status = match (&error, error.kind()) {
            (EngineError::NoAnswer { .. }, _) => StatusCode::BAD_GATEWAY,
            (EngineError::Hub(HubError::Slow { .. }), _) => StatusCode::GATEWAY_TIMEOUT,
            (EngineError::Hub(HubError::Gated { .. }), _) => StatusCode::FORBIDDEN,
            (EngineError::Hub(HubError::Offline { .. } | HubError::TooMany { .. } | HubError::Answer { .. }), _) => {
                StatusCode::BAD_GATEWAY
            }
            (_, EngineErrorKind::NotFound) => StatusCode::NOT_FOUND,
            (_, EngineErrorKind::Invalid) => StatusCode::BAD_REQUEST,
            (_, EngineErrorKind::Conflict) => StatusCode::CONFLICT,
            (_, EngineErrorKind::Unavailable) => StatusCode::SERVICE_UNAVAILABLE,
        };
        Self::new(status, error.to_string())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut body = self.extra;
        body.insert("detail".to_owned(), self.detail);
        (self.status, Json(Value::Object(body))).into_response()
    }
}
