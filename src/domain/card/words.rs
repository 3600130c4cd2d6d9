//! The sentences of a card: titles, what a finding means for measuring, what BenchLoop does about it.

use super::{Answer, FindingId};

impl FindingId {
    /// What a person reads.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Server => "Server",
            Self::Key => "API key",
            Self::Model => "Model listed",
            Self::Answers => "Loads and answers",
            Self::Named => "Model as asked",
            Self::Streams => "Streaming",
            Self::Usage => "Token counts",
            Self::ServerTimes => "Server’s own times",
            Self::Limit => "Token limit",
            Self::Sampling => "Temperature and seed",
            Self::System => "System messages",
            Self::Tools => "Tools, streamed",
            Self::ToolsWhole => "Tools, in one piece",
            Self::Parallel => "Parallel calls",
            Self::ThinkingOff => "Thinking off",
            Self::ThinkingOn => "Thinking on",
            Self::Json => "JSON mode",
            Self::Context => "Context",
        }
    }
}

/// What failed, for the sentence that refuses a run.
pub const fn trouble(what: FindingId) -> &'static str {
    match what {
        FindingId::Server => "reach the server",
        FindingId::Key => "use the server",
        FindingId::Model => "find the model",
        FindingId::Named => "ask the model",
        FindingId::Context => "fit the tasks into the context",
        FindingId::Tools | FindingId::ToolsWhole => "give the model tools",
        _ => "get an answer",
    }
}

/// What a finding means for measuring; empty if it means nothing.
pub const fn effect(what: FindingId, answer: Answer) -> &'static str {
    use {Answer as A, FindingId as F};
    match (what, answer) {
        (_, A::Yes) => "",
        (F::Server | F::Key | F::Model | F::Answers, _) => "Nothing can be measured.",
        (F::Named, A::Unknown) => "Whether this model answers is not certain.",
        (F::Named, _) => "Figures would belong to another model.",
        (F::Streams, A::No) => "TTFT and decode tok/s can’t be measured; answers can be judged.",
        (F::Streams, _) => "Several tokens come at once: gaps between chunks say little.",
        (F::Usage, A::No) => "Tokens per second can’t be measured: nothing says how many tokens came.",
        (F::Usage, _) => "Token counts are doubtful, and figures made of them with them.",
        (F::ServerTimes, A::Partly) => "Server and client disagree on the times.",
        (F::ServerTimes, _) => "Only the client’s own clock measures.",
        (F::Limit, A::No) => "An answer can run on, or its cut end looks like a whole one.",
        (F::Limit, _) => "Cut answers may not be told.",
        (F::Sampling, _) => "Answers may vary from run to run.",
        (F::System, A::No) => "Instructions to the harness do not reach the model.",
        (F::System, A::Partly) => {
            "The hermes, qwen and pi harnesses put their instructions into the first user message."
        }
        (F::System, _) => "Whether system messages reach the model is not certain.",
        (F::Tools, A::No) => "The raw harness can’t be used for tool calls and agent.",
        (F::Tools, A::Partly) => "Under the raw harness these calls count as none, or come without times.",
        (F::Tools | F::ToolsWhole | F::Parallel, _) => {
            "Whether the server reads this model’s calls shows only in the scores of the raw harness."
        }
        (F::ThinkingOff, A::No) => "An arm without thinking would be contaminated.",
        (F::ThinkingOff, _) => "Whether thinking can be switched off is not certain.",
        (F::ThinkingOn, A::No) => "An arm with thinking would be silent.",
        (F::ThinkingOn, _) => "Whether thinking can be switched on is not certain.",
        (F::Json, _) => "None for scores: no suite relies on it.",
        (F::Context, A::No) => "Long tasks are cut or refused.",
        (F::Context, A::Partly) => "Deep prompts and long answers may not fit.",
        (F::Context, A::Unknown) => "Whether long prompts arrive whole is not certain.",
    }
}

/// What BenchLoop does about a finding; empty if there is nothing to do.
pub const fn doing(what: FindingId, answer: Answer) -> &'static str {
    use {Answer as A, FindingId as F};
    match (what, answer) {
        (F::Usage, A::Yes) => "Rates are made of the server’s counts.",
        (F::ServerTimes, A::Yes) => "Shown beside the client’s figures; differences above 20 % are flagged.",
        (_, A::Yes) => "",
        (F::Server | F::Key | F::Model | F::Answers, _) => "Starts no run.",
        (F::Named, A::Unknown) => "Flags each answer that names another model.",
        (F::Named, _) => "Refuses the answers.",
        (F::Streams, A::No) => "Shows these figures as absent, with the reason.",
        (F::Streams, _) => "Makes rates of whole answers, never of chunks, and flags coarse ones.",
        (F::Usage, A::No) => "Shows rates as absent; never counts words in place of tokens.",
        (F::Usage, _) => "Uses no count that is not plausible.",
        (F::ServerTimes, A::Partly) => "Shows both and flags the difference.",
        (F::ServerTimes, _) => "",
        (F::Limit, _) => "Ends answers that loop or outlast the clock, and marks them as cut.",
        (F::Sampling, _) => "Sends what the server takes, and says in the run what was not applied.",
        (F::System, A::Partly) => "Folds them into the first user message.",
        (F::System, _) => "",
        (F::Tools, A::No) => "Counts these trials as refused, not as wrong.",
        (F::Tools, A::Partly) => "Says in each such trial which harness would have read the call.",
        (F::ToolsWhole, _) => "Asks for streams.",
        (F::Tools | F::Parallel, _) => "",
        (F::ThinkingOff | F::ThinkingOn, _) => "Checks it in each answer and bars such runs from ranking.",
        (F::Json, _) => "Takes the best JSON of the answer.",
        (F::Context, A::No | A::Partly) => "Leaves out depths that do not fit, and counts cut prompts as refused.",
        (F::Context, A::Unknown) => "Compares each prompt’s count with its size.",
    }
}

#[cfg(test)]
mod tests {
    use super::{super::*, *};

    #[test]
    fn what_is_no_plain_yes_says_what_it_means() {
        for what in FindingId::ALL {
            for answer in [Answer::Partly, Answer::No, Answer::Unknown] {
                assert!(!effect(*what, answer).is_empty(), "{what} {answer}");
            }
        }
    }

    #[test]
    fn a_card_names_its_limits_or_its_blocker() {
        let card = |findings| CapabilityCard {
            model: "m".into(),
            endpoint: "http://x".into(),
            wire: None,
            server: "vLLM".into(),
            server_version: None,
            at: DateTime::UNIX_EPOCH,
            took_s: 1.0,
            findings,
        };
        let yes = Finding::new(FindingId::Server, Answer::Yes, "it answers");
        assert_eq!(card(vec![yes.clone()]).conclusion(), "Nothing stands in the way of a run.");
        let partly = Finding::new(FindingId::System, Answer::Partly, "folded");
        assert_eq!(card(vec![yes.clone(), partly]).conclusion(), "A run can start. Limits: system messages.");
        let mut key = Finding::new(FindingId::Key, Answer::No, "it wants a key.").blocking(Blocker::KeyNeeded);
        key.advice = Some("Give it.".into());
        let card = card(vec![yes, key]);
        assert_eq!(card.conclusion(), "No run can start: it wants a key.");
        assert_eq!(card.refusal().unwrap(), "use the server: it wants a key. Give it.");
    }
}
