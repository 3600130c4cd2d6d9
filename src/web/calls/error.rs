//! The error of every server function, as it travels to the page.

use std::fmt;

use serde::{Deserialize, Serialize};
use server_fn::error::{FromServerFnError, ServerFnErrorErr};

use crate::domain::id::closed_set;

closed_set! {
    /// What kind of failure it is; a page says it in its own words.
    CallErrorKind, "call error" {
        NotFound = "not_found",
        Invalid = "invalid",
        Conflict = "conflict",
        Unavailable = "unavailable",
        /// The server itself could not be reached or understood.
        Connection = "connection",
    }
}

/// Why a call failed. `message` completes "could not …"; `field` names the form field it belongs to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CallError {
    pub kind: CallErrorKind,
    pub message: String,
    pub field: Option<String>,
}

impl CallError {
    pub fn new(kind: CallErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), field: None }
    }

    /// A refusal of one form field.
    pub fn at(field: &str, message: impl Into<String>) -> Self {
        Self { kind: CallErrorKind::Invalid, message: message.into(), field: Some(field.to_owned()) }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl FromServerFnError for CallError {
    type Encoder = super::Json;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        let kind = match error {
            ServerFnErrorErr::Args(_) | ServerFnErrorErr::MissingArg(_) => CallErrorKind::Invalid,
            _ => CallErrorKind::Connection,
        };
        Self::new(kind, error.to_string())
    }
}

#[cfg(feature = "ssr")]
impl CallErrorKind {
    /// The status of a page or answer that carries this failure.
    fn status(self) -> server_fn::http_export::StatusCode {
        use server_fn::http_export::StatusCode;
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Conflict => StatusCode::CONFLICT,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::Connection => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

#[cfg(feature = "ssr")]
impl CallError {
    /// Puts the failure's status on the answer that is being made, be it a page or a call's.
    pub(super) fn with_status(self) -> Self {
        if let Some(response) = leptos::prelude::use_context::<leptos_axum::ResponseOptions>() {
            response.set_status(self.kind.status());
        }
        self
    }
}

#[cfg(feature = "ssr")]
impl From<crate::engine::EngineError> for CallError {
    fn from(error: crate::engine::EngineError) -> Self {
        use crate::engine::EngineErrorKind as Kind;
        let kind = match error.kind() {
            Kind::NotFound => CallErrorKind::NotFound,
            Kind::Invalid => CallErrorKind::Invalid,
            Kind::Conflict => CallErrorKind::Conflict,
            Kind::Unavailable => CallErrorKind::Unavailable,
        };
        Self { field: error.field().map(str::to_owned), ..Self::new(kind, error.to_string()) }
    }
}

impl From<crate::domain::plan::PlanError> for CallError {
    fn from(error: crate::domain::plan::PlanError) -> Self {
        Self::at(error.field(), error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_survives_the_trip_to_the_page() {
        let error = CallError::at("trials", "trials: \"0\" is no whole number from 1 to 9");
        assert_eq!(CallError::de(error.ser()), error);
    }
}
