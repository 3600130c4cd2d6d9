//! A chat: what is asked, what comes back line by line, and the figures of an answer as a person reads them.

use serde::{Deserialize, Serialize};

use super::{
    id::{Thinking, Wire},
    plan::NUM_CTX,
    record::{host_of, is_this_machine},
    sample::Sample,
    transcript::{Message, Role},
    unit,
};

/// Tokens of an answer, thinking included, unless told otherwise.
pub const MAX_TOKENS: u32 = 4096;
/// The most tokens that may be asked for.
const MOST_TOKENS: u32 = 1_000_000;

/// One turn to be told to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Said {
    pub role: Role,
    pub text: String,
}

/// A question with everything that was said before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChatForm {
    pub model: String,
    pub endpoint: String,
    /// `None`: found by asking the server.
    pub provider: Option<Wire>,
    /// Empty: none is sent.
    pub system: String,
    /// The conversation, ending in what the user says.
    pub turns: Vec<Said>,
    /// `None`: the server's own.
    pub temperature: Option<f64>,
    /// `None`: [`MAX_TOKENS`].
    pub max_tokens: Option<u32>,
    /// `None`: none is sent.
    pub seed: Option<u64>,
    pub thinking: Thinking,
    /// Ask even where a run is being measured on the same machine.
    pub force: bool,
}

/// Why a question is not asked.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ChatError {
    #[error("chat: say which model to ask; the list shows what each server offers")]
    NoModel,
    #[error("chat with {0}: there is nothing to answer; write a message")]
    NoPrompt(String),
    #[error("chat at temperature {0}: give a number from 0 to 2")]
    Temperature(f64),
    #[error("chat with at most {0} tokens: give a whole number from 1 to 1,000,000")]
    MaxTokens(u32),
}

impl ChatForm {
    /// What may be sent, or why not.
    pub fn check(&self) -> Result<(), ChatError> {
        if self.model.trim().is_empty() {
            return Err(ChatError::NoModel);
        }
        let last = self.turns.last().filter(|said| said.role == Role::User && !said.text.trim().is_empty());
        if last.is_none() {
            return Err(ChatError::NoPrompt(self.model.clone()));
        }
        if let Some(temperature) = self.temperature.filter(|value| !(0.0..=2.0).contains(value)) {
            return Err(ChatError::Temperature(temperature));
        }
        match self.max_tokens {
            Some(tokens) if !(1..=MOST_TOKENS).contains(&tokens) => Err(ChatError::MaxTokens(tokens)),
            _ => Ok(()),
        }
    }

    /// The messages to send.
    pub fn messages(&self) -> Vec<Message> {
        let system = (!self.system.trim().is_empty()).then(|| Message::new(Role::System, self.system.trim()));
        let turns = self.turns.iter().map(|said| Message::new(said.role, said.text.clone()));
        system.into_iter().chain(turns).collect()
    }

    /// Context to ask of an Ollama server. It grows by doubling, since each change makes the server load the model anew.
    pub fn num_ctx(&self) -> u32 {
        let characters = self.messages().iter().map(|message| message.text.chars().count()).sum::<usize>();
        let prompt = u32::try_from(characters / 3).unwrap_or(MOST_TOKENS).min(MOST_TOKENS);
        let needed = prompt + self.max_tokens.unwrap_or(MAX_TOKENS).min(MOST_TOKENS) + 512;
        let mut context = NUM_CTX;
        while context < needed {
            context *= 2;
        }
        context
    }
}

/// What comes back while an answer is written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ChatLine {
    /// A piece of the answer.
    Answer { text: String },
    /// A piece of the thought before it.
    Reasoning { text: String },
    /// What the server is doing.
    Note { text: String },
    /// The end: the whole answer with its figures. Replaces all pieces.
    Done { sample: Box<Sample> },
}

impl ChatLine {
    /// Takes up a piece of the same kind; gives back what is none.
    pub fn join(&mut self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Answer { text }, Self::Answer { text: more })
            | (Self::Reasoning { text }, Self::Reasoning { text: more }) => text.push_str(&more),
            (_, other) => return Some(other),
        }
        None
    }

    /// The line as JSON in ASCII, with its line end: wherever a stream is cut, each half is valid text.
    pub fn to_line(&self) -> Result<String, serde_json::Error> {
        let json = serde_json::to_string(self)?;
        let mut line = String::with_capacity(json.len() + 1);
        for c in json.chars() {
            if c.is_ascii() {
                line.push(c);
            } else {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    line.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
        line.push('\n');
        Ok(line)
    }
}

/// The name of the machine that an endpoint is on: one name for all spellings of this one.
pub fn machine_of(endpoint: &str) -> String {
    let host = host_of(endpoint).trim_end_matches('.').to_ascii_lowercase();
    if is_this_machine(&host) { "this-machine".to_owned() } else { host }
}

/// A figure below an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    pub name: &'static str,
    /// With its unit; a dash if it is absent.
    pub value: String,
    /// Why it is absent.
    pub why: Option<String>,
}

/// The figures that stand below an answer. Where thinking and answer begin together, the second wait is left out.
pub fn figures(sample: &Sample) -> Vec<Figure> {
    let (timing, usage) = (&sample.timing, &sample.usage);
    let tokens = |count: Option<u64>| count.map_or_else(|| unit::ABSENT.to_owned(), unit::count);
    let all = [
        ("First token", "ttft_ms", unit::ms(timing.ttft_ms)),
        ("First of answer", "ttfo_ms", unit::ms(timing.ttfo_ms)),
        ("Decode", "decode_tok_s", unit::tok_s(timing.decode_tok_s)),
        ("Tokens out", "completion_tokens", tokens(usage.completion_tokens)),
        ("Tokens in", "prompt_tokens", tokens(usage.prompt_tokens)),
        ("Total", "total_ms", unit::ms(timing.total_ms)),
    ];
    let figure = |(name, field, value): (&'static str, &str, String)| {
        let reason = || sample.notes.get(field).cloned().unwrap_or_else(|| "not measured".to_owned());
        let why = (value == unit::ABSENT).then(reason);
        Figure { name, value, why }
    };
    all.into_iter().map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::sample::{Timing, Usage};

    fn form() -> ChatForm {
        ChatForm {
            model: "m".into(),
            endpoint: "http://127.0.0.1:1".into(),
            provider: None,
            system: " Be brief. ".into(),
            turns: vec![Said { role: Role::User, text: "Hi".into() }],
            temperature: None,
            max_tokens: None,
            seed: None,
            thinking: Thinking::Auto,
            force: false,
        }
    }

    #[test]
    fn what_cannot_be_asked_is_refused_with_its_reason() {
        assert_eq!(form().check(), Ok(()));
        let no_prompt = ChatError::NoPrompt("m".into());
        let answer = Said { role: Role::Assistant, text: "Hello".into() };
        for (form, refusal) in [
            (ChatForm { model: " ".into(), ..form() }, ChatError::NoModel),
            (ChatForm { turns: Vec::new(), ..form() }, no_prompt.clone()),
            (ChatForm { turns: vec![form().turns[0].clone(), answer], ..form() }, no_prompt),
            (ChatForm { temperature: Some(2.5), ..form() }, ChatError::Temperature(2.5)),
            (ChatForm { max_tokens: Some(0), ..form() }, ChatError::MaxTokens(0)),
        ] {
            assert_eq!(form.check(), Err(refusal));
        }
        assert!(ChatForm { temperature: Some(f64::NAN), ..form() }.check().is_err());
    }

    #[test]
    fn the_system_prompt_comes_first_and_only_if_there_is_one() {
        let roles = |form: ChatForm| form.messages().iter().map(|message| message.role).collect::<Vec<_>>();
        assert_eq!(roles(form()), [Role::System, Role::User]);
        assert_eq!(form().messages()[0].text, "Be brief.");
        assert_eq!(roles(ChatForm { system: "  ".into(), ..form() }), [Role::User]);
    }

    #[test]
    fn the_context_grows_by_doubling() {
        assert_eq!(form().num_ctx(), 10_240);
        assert_eq!(ChatForm { max_tokens: Some(10_000), ..form() }.num_ctx(), 20_480);
        let long = Said { role: Role::User, text: "x".repeat(60_000) };
        assert_eq!(ChatForm { turns: vec![long], ..form() }.num_ctx(), 40_960);
    }

    #[test]
    fn a_line_is_ascii_and_reads_back() {
        let line = ChatLine::Answer { text: "für 𝄞\n\"".into() };
        let text = line.to_line().unwrap();
        assert!(text.is_ascii() && text.ends_with('\n') && text.matches('\n').count() == 1, "{text}");
        assert_eq!(serde_json::from_str::<ChatLine>(&text).unwrap(), line);
    }

    #[test]
    fn pieces_join_with_their_own_kind() {
        let mut line = ChatLine::Answer { text: "a".into() };
        assert_eq!(line.join(ChatLine::Answer { text: "b".into() }), None);
        let other = ChatLine::Reasoning { text: "c".into() };
        assert_eq!(line.join(other.clone()), Some(other));
        assert_eq!(line, ChatLine::Answer { text: "ab".into() });
    }

    #[test]
    fn an_absent_figure_says_why() {
        let mut sample = Sample::written("Hi".into(), String::new(), Vec::new());
        sample.timing = Timing { ttft_ms: Some(143.0), ..Timing::default() };
        sample.usage = Usage { completion_tokens: Some(5), ..Usage::default() };
        sample.notes.insert("decode_tok_s".into(), "5 tokens; 8 are needed".into());

        let figures = figures(&sample);

        let find = |name: &str| figures.iter().find(|figure| figure.name == name).unwrap();
        assert_eq!((find("First token").value.as_str(), &find("First token").why), ("143 ms", &None));
        assert_eq!(find("Decode").why.as_deref(), Some("5 tokens; 8 are needed"));
        assert_eq!(find("Tokens out").value, "5");
    }
}
