//! The capability card: what one model on one server can do, each finding with its evidence, what it means for measuring,
//! and what BenchLoop does about it. Pure values; the sentences that depend on the finding alone are in [`words`].

mod words;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::id::{Wire, closed_set};

closed_set! {
    /// What was looked at, in the order in which it is asked and shown.
    FindingId, "finding" {
        /// Something answers there, and it is a model server.
        Server = "server",
        /// The server wants a key, and takes the one that is set.
        Key = "key",
        /// The server lists the model.
        Model = "model",
        /// The model loads and writes an answer.
        Answers = "answers",
        /// The answer comes from the model that was asked for.
        Named = "named",
        /// The answer comes in pieces, as it is written.
        Streams = "streams",
        /// The server counts tokens.
        Usage = "usage",
        /// The server tells its own times.
        ServerTimes = "server_times",
        /// The token limit is kept, and its end is told.
        Limit = "limit",
        /// Temperature and seed are taken.
        Sampling = "sampling",
        /// System messages reach the model.
        System = "system",
        /// Native tool calls in a streamed answer.
        Tools = "tools",
        /// Native tool calls in an answer of one piece.
        ToolsWhole = "tools_whole",
        /// Several tool calls in one answer, told apart.
        Parallel = "parallel",
        ThinkingOff = "thinking_off",
        ThinkingOn = "thinking_on",
        /// An answer can be held to JSON.
        Json = "json",
        /// How much of a long prompt the model sees.
        Context = "context",
    }
}

closed_set! {
    /// What was found.
    Answer, "answer" {
        Yes = "yes",
        /// In part, or with a change that BenchLoop makes.
        Partly = "partly",
        No = "no",
        /// What came does not tell; a small model may just not have done what was asked.
        Unknown = "unknown",
    }
}

closed_set! {
    /// Why a run can't start. The names of the older product stay where the meaning is the same.
    Blocker, "reason" {
        Unreachable = "endpoint_unreachable",
        /// Something answers there, and no model server, or not at this path.
        WrongApi = "wrong_api",
        /// The server refuses the host name by which it was called.
        HostRefused = "host_refused",
        KeyNeeded = "key_needed",
        KeyRefused = "key_refused",
        NotFound = "not_found",
        /// Another model of the server answers.
        WrongModel = "wrong_model",
        /// The model only makes vectors.
        NoChat = "no_chat",
        Loading = "load_timeout",
        OutOfMemory = "oom",
        /// A file of the model is missing or damaged.
        MissingBlob = "missing_blob",
        /// The server is too old for the model, or for its format.
        TooOld = "version_mismatch",
        DiskFull = "disk_full",
        ContextTooSmall = "context_too_small",
        ToolsUnsupported = "tools_unsupported",
        RateLimited = "rate_limited",
        /// The process that runs the model ended.
        Crashed = "model_crashed",
        Failed = "unknown_failure",
    }
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    pub what: FindingId,
    pub answer: Answer,
    /// What was seen: the server's own words, counts, times.
    pub evidence: String,
    /// Why no run can start; `None` if it can.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<Blocker>,
    /// What the user can do about it, on this server and system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
}

impl Finding {
    pub fn new(what: FindingId, answer: Answer, evidence: impl Into<String>) -> Self {
        Self { what, answer, evidence: evidence.into(), blocks: None, advice: None }
    }

    /// The same finding, which lets no run start.
    pub fn blocking(self, why: Blocker) -> Self {
        Self { blocks: Some(why), ..self }
    }

    /// Whether there is nothing to say beside the evidence.
    pub fn is_plain(&self) -> bool {
        self.effect().is_empty() && self.advice.is_none()
    }

    /// The finding with its sentences, for JSON that people and programs read.
    pub fn whole(&self) -> Value {
        json!({
            "what": self.what,
            "title": self.what.title(),
            "answer": self.answer,
            "evidence": self.evidence,
            "effect": self.effect(),
            "doing": self.doing(),
            "blocks": self.blocks,
            "advice": self.advice,
        })
    }

    /// What it means for measuring; empty if it means nothing.
    pub const fn effect(&self) -> &'static str {
        words::effect(self.what, self.answer)
    }

    /// What BenchLoop does about it; empty if there is nothing to do.
    pub const fn doing(&self) -> &'static str {
        words::doing(self.what, self.answer)
    }
}

/// What is known of a model on a server at a time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CapabilityCard {
    pub model: String,
    /// Base URL without `/v1`.
    pub endpoint: String,
    pub wire: Option<Wire>,
    /// Name and version of the server, as far as it tells.
    pub server: String,
    pub server_version: Option<String>,
    pub at: DateTime<Utc>,
    /// Seconds that the look took.
    pub took_s: f64,
    /// In the order of [`FindingId`]; what was not looked at is missing.
    pub findings: Vec<Finding>,
}

impl CapabilityCard {
    pub fn find(&self, what: FindingId) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.what == what)
    }

    /// The first finding that lets no run start.
    pub fn blocker(&self) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.blocks.is_some())
    }

    /// Why no run can start, with what was seen and what to do; `None` if one can.
    pub fn refusal(&self) -> Option<String> {
        let finding = self.blocker()?;
        let advice = finding.advice.as_deref().map(|advice| format!(". {advice}")).unwrap_or_default();
        Some(format!("{}: {}{advice}", words::trouble(finding.what), finding.evidence.trim_end_matches('.')))
    }

    /// One sentence for the whole card.
    pub fn conclusion(&self) -> String {
        if let Some(finding) = self.blocker() {
            return format!("No run can start: {}.", finding.evidence.trim_end_matches('.'));
        }
        let names = |answers: &[Answer]| {
            // a model that knows no thinking is limited in nothing that a run asks of it
            let found = self.findings.iter().filter(|finding| finding.what != FindingId::ThinkingOn);
            let found = found.filter(|finding| answers.contains(&finding.answer));
            found.map(|finding| finding.what.title().to_lowercase()).collect::<Vec<_>>()
        };
        match names(&[Answer::No, Answer::Partly]).as_slice() {
            [] => "Nothing stands in the way of a run.".to_owned(),
            limits => format!("A run can start. Limits: {}.", limits.join(", ")),
        }
    }
}
