//! Names: suites, harnesses, runs. Closed sets are enums, so that a `match` tells where a new member must be handled.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A name that is not in its closed set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{value:?} is no {kind}; known: {known}")]
pub struct UnknownName {
    pub kind: &'static str,
    pub value: String,
    pub known: String,
}

/// Declares a closed set with its wire names, in the order in which it is shown.
macro_rules! closed_set {
    ($(#[$doc:meta])* $name:ident, $kind:literal { $($(#[$vdoc:meta])* $variant:ident = $wire:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $wire)] $variant,)+ }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)+];

            /// The name in files, JSON and on the command line.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $wire,)+ }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { f.pad(self.as_str()) }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::domain::id::UnknownName;
            fn from_str(value: &str) -> Result<Self, Self::Err> {
                Self::ALL.iter().copied().find(|item| item.as_str() == value).ok_or_else(|| $crate::domain::id::UnknownName {
                    kind: $kind,
                    value: value.to_owned(),
                    known: Self::ALL.iter().map(|item| item.as_str()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}
pub(crate) use closed_set;

closed_set! {
    /// The seven fixed suites, in running order.
    SuiteId, "suite" {
        Speed = "speed",
        Toolcall = "toolcall",
        Coding = "coding",
        Dataextract = "dataextract",
        Instructfollow = "instructfollow",
        Reasonmath = "reasonmath",
        Agent = "agent",
    }
}

impl SuiteId {
    /// The six suites whose mean is the quality score.
    pub const QUALITY: [Self; 6] =
        [Self::Toolcall, Self::Coding, Self::Dataextract, Self::Instructfollow, Self::Reasonmath, Self::Agent];

    /// What a person reads.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Speed => "Speed",
            Self::Toolcall => "Tool calls",
            Self::Coding => "Coding",
            Self::Dataextract => "Data extraction",
            Self::Instructfollow => "Instructions",
            Self::Reasonmath => "Reasoning",
            Self::Agent => "Agent",
        }
    }

    /// Whether this version has tasks for the suite; the others are names that can't be chosen.
    pub const fn is_built(self) -> bool {
        // every suite has tasks since the first version with all seven
        true
    }
}

closed_set! {
    /// How a task is put to the model and how its answer is read.
    HarnessId, "harness" {
        Raw = "raw",
        Hermes = "hermes",
        Qwen = "qwen",
        Pi = "pi",
    }
}

impl HarnessId {
    pub const fn is_built(self) -> bool {
        matches!(self, Self::Raw | Self::Hermes | Self::Qwen | Self::Pi)
    }

    /// One line that says what the harness does.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Raw => "native tools, no prompt rewriting",
            Self::Hermes => "<tool_call> tags",
            Self::Qwen => "<function_call> tags",
            Self::Pi => "<think> and <tool_call> tags",
        }
    }
}

closed_set! {
    /// The protocol spoken to a server.
    Wire, "provider" {
        Ollama = "ollama",
        OpenaiCompat = "openai_compat",
    }
}

impl Wire {
    /// The protocol that a person or an old client names; `None` for none and `auto`, where the server is asked.
    pub fn named(text: &str) -> Result<Option<Self>, UnknownName> {
        match text.trim() {
            "" | "auto" => Ok(None),
            "openai" | "vmlx" => Ok(Some(Self::OpenaiCompat)),
            other => other.parse().map(Some),
        }
    }
}

closed_set! {
    /// How much of each suite runs.
    Profile, "profile" {
        Quick = "quick",
        Standard = "standard",
    }
}

closed_set! {
    /// What the run asks of a model that can think.
    Thinking, "thinking mode" {
        Auto = "auto",
        On = "on",
        Off = "off",
    }
}

/// A run's name, made at its start and never changed: `<UTC stamp>-<slug>-<6 random>`. Also the name of its folder,
/// so nothing but `a-z 0-9 . _ -` in either case gets in, and never a leading dot.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no run id; `benchloop list` shows them")]
pub struct BadRunId(pub String);

impl RunId {
    /// Builds the id from its three parts; the slug is cut to 60 characters.
    pub fn new(stamp: &str, model: &str, random: &str) -> Self {
        Self(format!("{stamp}-{}-{random}", slug(model)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RunId {
    type Err = BadRunId;
    fn from_str(text: &str) -> Result<Self, BadRunId> {
        let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        if text.is_empty() || text.len() > 200 || text.starts_with('.') || !text.chars().all(safe) {
            return Err(BadRunId(text.chars().take(80).collect()));
        }
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<String> for RunId {
    type Error = BadRunId;
    fn try_from(text: String) -> Result<Self, BadRunId> {
        text.parse()
    }
}

impl From<RunId> for String {
    fn from(id: RunId) -> Self {
        id.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A name that is safe in a path: every run of other characters becomes one `-`; at most 60 characters; never empty.
pub fn slug(name: &str) -> String {
    let mut slug = String::new();
    for c in name.trim().chars() {
        if c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-') {
            slug.push(c);
        } else if !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let cut: String = slug.trim_matches('-').chars().take(60).collect();
    let cut = cut.trim_matches(['-', '.']).to_owned();
    if cut.is_empty() { "run".to_owned() } else { cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_those_of_the_existing_run_folders() {
        let cases = [
            ("qwen3:8b", "qwen3-8b"),
            ("hf.co/a/b", "hf.co-a-b"),
            (r"C:\models\x q4.gguf", "C-models-x-q4.gguf"),
            ("-x-", "x"),
            ("  ", "run"),
            ("模型", "run"),
        ];
        for (name, expected) in cases {
            assert_eq!(slug(name), expected, "{name:?}");
        }
    }

    #[test]
    fn a_long_model_name_is_cut_to_sixty_characters() {
        assert_eq!(slug(&"x".repeat(300)).len(), 60);
    }

    #[test]
    fn a_run_id_can_never_leave_its_folder() {
        for text in ["", "..", ".", "../x", "a/b", r"a\b", "a%2fb", ".hidden", "a\0b", "ä"] {
            assert!(text.parse::<RunId>().is_err(), "{text:?}");
        }
        assert!("20260901-080105-demo-7b-local-ollama".parse::<RunId>().is_ok());
    }

    #[test]
    fn an_unknown_suite_names_the_known_ones() {
        let error = "maths".parse::<SuiteId>().unwrap_err().to_string();
        assert!(error.contains("\"maths\" is no suite") && error.contains("reasonmath"), "{error}");
    }
}
