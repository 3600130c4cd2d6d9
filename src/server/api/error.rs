//! How a route fails: a status and `{"detail": …}`, as old clients read it.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::{Value, json};

use crate::engine::{EngineError, EngineErrorKind};

/// A failure of a route.
#[derive(Debug, Clone, PartialEq)]
pub struct ApiError {
    pub status: StatusCode,
    /// Text, or a list of `{type, loc, msg, input}` for fields of an invalid body.
    pub detail: Value,
}

impl ApiError {
    pub fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self { status, detail: Value::String(detail.into()) }
    }

    /// 422 for one field of the body; what was given is not repeated, for it could hold a key.
    pub fn field(field: &str, message: impl Into<String>) -> Self {
        let entry = json!({"type": "value_error", "loc": ["body", field], "msg": message.into(), "input": null});
        Self { status: StatusCode::UNPROCESSABLE_ENTITY, detail: json!([entry]) }
    }
}

impl From<EngineError> for ApiError {
    fn from(error: EngineError) -> Self {
        let status = match (&error, error.kind()) {
            (EngineError::NoAnswer { .. }, _) => StatusCode::BAD_GATEWAY,
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
        (self.status, Json(json!({"detail": self.detail}))).into_response()
    }
}
