//! What a model is asked to find out what its server can do: few, short questions, written so that a small model has a
//! chance. Pure. Imports: domain, client types, suite texts.

use serde_json::json;

use crate::{
    domain::{
        id::Thinking,
        plan::SEED,
        transcript::{Message, Role, Tool},
    },
    engine::{client::ChatRequest, suite::speed_text},
};

/// Tokens allowed where the server is to count its own cut.
pub const LIMIT: u32 = 8;
/// What the system message asks for, whatever the question is.
pub const SYSTEM_WORD: &str = "kayak";
/// The question that is asked with and without a system message.
const CAPITAL: &str = "What is the capital of Norway? Answer with one word.";
/// The lakes that a tool is to be asked about.
pub const LAKES: [&str; 2] = ["Orsa", "Mjosa"];

/// A question of one message.
pub fn question(model: &str, text: &str, max_tokens: u32, num_ctx: u32) -> ChatRequest {
    ChatRequest {
        model: model.to_owned(),
        messages: vec![Message::user(text)],
        tools: Vec::new(),
        max_tokens,
        temperature: Some(0.0),
        seed: Some(SEED),
        thinking: Thinking::Auto,
        num_ctx: Some(num_ctx),
        stream: true,
        stop_loops: true,
        json: false,
    }
}

/// An answer long enough to see whether it streams.
pub fn count(model: &str, num_ctx: u32) -> ChatRequest {
    question(model, "Count from 1 to 30. Write the numbers with spaces between them and nothing else.", 64, num_ctx)
}

/// An answer that must be cut.
pub fn cut(model: &str, num_ctx: u32) -> ChatRequest {
    question(model, "Write the numbers from 1 to 200, with spaces between them.", LIMIT, num_ctx)
}

/// The same question without (`false`) and with a system message.
pub fn system(model: &str, with: bool, num_ctx: u32) -> ChatRequest {
    let mut request = question(model, CAPITAL, 16, num_ctx);
    if with {
        let text = format!(
            "You are a parrot that knows one word. Whatever the user asks, answer with the single word {SYSTEM_WORD} and nothing else."
        );
        request.messages.insert(0, Message::new(Role::System, text));
    }
    request
}

/// The tool that is offered.
pub fn lake_tool() -> Tool {
    Tool {
        name: "lake_depth".to_owned(),
        description: "Gives the greatest depth of one lake in metres.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": {"lake": {"type": "string", "description": "Name of the lake"}},
            "required": ["lake"],
        }),
    }
}

/// Two calls of one tool.
pub fn tools(model: &str, stream: bool, num_ctx: u32) -> ChatRequest {
    let text = format!(
        "How deep are the lakes {} and {}? Call lake_depth for each of the two lakes, both calls now.",
        LAKES[0], LAKES[1]
    );
    ChatRequest { tools: vec![lake_tool()], stream, ..question(model, &text, 160, num_ctx) }
}

/// A question that invites a short thought.
pub fn thinking(model: &str, thinking: Thinking, num_ctx: u32) -> ChatRequest {
    let text = "A train leaves at 9:50 and travels 35 minutes. When does it arrive? Give the time alone.";
    ChatRequest { thinking, ..question(model, text, 96, num_ctx) }
}

/// An answer that is to be a JSON object.
pub fn json_object(model: &str, num_ctx: u32) -> ChatRequest {
    let text = "Give a JSON object with the keys \"name\" (a first name) and \"age\" (a number), and nothing else.";
    ChatRequest { json: true, ..question(model, text, 64, num_ctx) }
}

/// A prompt of about `tokens` tokens with a word at its beginning that is asked for at its end.
pub fn canary(model: &str, word: &str, tokens: u32, chars_per_token: f64, num_ctx: u32) -> ChatRequest {
    let notes = speed_text::prefill_prompt(&super::super::nonce(), tokens, chars_per_token);
    let notes = notes.rsplit_once("\n\n").map_or(notes.as_str(), |(notes, _)| notes);
    let text = format!(
        "The password is {word}. Remember it.\n\n{notes}\n\nWhat is the password that was given at the very beginning? Answer with the password alone."
    );
    question(model, &text, 24, num_ctx)
}
