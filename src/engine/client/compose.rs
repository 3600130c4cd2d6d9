//! A chat request → path and JSON body, per protocol, minus what the server has refused before.

use serde_json::{Map, Value, json};

use super::{
    ChatRequest,
    adapt::{Change, Shape},
};
use crate::domain::{
    id::{Thinking, Wire},
    transcript::{Message, Role, Tool, ToolCall},
};

/// Where the request goes below the base address.
pub fn path(wire: Wire) -> &'static str {
    match wire {
        Wire::Ollama => "/api/chat",
        Wire::OpenaiCompat => "/v1/chat/completions",
    }
}

/// Whether the body asks for a stream.
pub fn streams(request: &ChatRequest, shape: &Shape) -> bool {
    request.stream && !shape.has(Change::NoStream)
}

/// The body to send.
pub fn body(wire: Wire, request: &ChatRequest, shape: &Shape) -> Value {
    let mut body = Map::new();
    let stream = streams(request, shape);
    body.insert("model".into(), request.model.clone().into());
    let messages = match shape.has(Change::FoldSystem) {
        true => self::messages(wire, &folded(&request.messages)),
        false => self::messages(wire, &request.messages),
    };
    body.insert("messages".into(), messages);
    body.insert("stream".into(), stream.into());
    if !request.tools.is_empty() {
        body.insert("tools".into(), request.tools.iter().map(tool).collect());
    }
    match wire {
        Wire::Ollama => ollama(&mut body, request, shape),
        Wire::OpenaiCompat => openai(&mut body, request, shape, stream),
    }
    Value::Object(body)
}

fn ollama(body: &mut Map<String, Value>, request: &ChatRequest, shape: &Shape) {
    if !shape.has(Change::NoThink) {
        match request.thinking {
            Thinking::Auto => {}
            Thinking::On => drop(body.insert("think".into(), true.into())),
            Thinking::Off => drop(body.insert("think".into(), false.into())),
        }
    }
    let mut options = Map::new();
    sampling(&mut options, request, shape);
    options.insert("num_predict".into(), request.max_tokens.into());
    if let Some(num_ctx) = request.num_ctx.filter(|_| !shape.has(Change::NoNumCtx)) {
        options.insert("num_ctx".into(), num_ctx.into());
    }
    body.insert("options".into(), options.into());
    if request.json && !shape.has(Change::NoJson) {
        body.insert("format".into(), "json".into());
    }
}

fn openai(body: &mut Map<String, Value>, request: &ChatRequest, shape: &Shape, stream: bool) {
    if stream && !shape.has(Change::NoStreamOptions) {
        body.insert("stream_options".into(), json!({"include_usage": true}));
    }
    let cap = if shape.has(Change::MaxCompletionTokens) { "max_completion_tokens" } else { "max_tokens" };
    body.insert(cap.into(), request.max_tokens.into());
    sampling(body, request, shape);
    if request.json && !shape.has(Change::NoJson) {
        body.insert("response_format".into(), json!({"type": "json_object"}));
    }
    let on = match request.thinking {
        Thinking::Auto => return,
        Thinking::On => true,
        Thinking::Off => false,
    };
    if !shape.has(Change::NoTemplateArguments) {
        body.insert("chat_template_kwargs".into(), json!({"enable_thinking": on}));
    } else if !shape.has(Change::NoEffort) {
        body.insert("reasoning_effort".into(), if on { "high" } else { "none" }.into());
    }
}

fn sampling(to: &mut Map<String, Value>, request: &ChatRequest, shape: &Shape) {
    if let Some(temperature) = request.temperature.filter(|_| !shape.has(Change::NoTemperature)) {
        to.insert("temperature".into(), temperature.into());
    }
    if let Some(seed) = request.seed.filter(|_| !shape.has(Change::NoSeed)) {
        to.insert("seed".into(), seed.into());
    }
}

fn messages(wire: Wire, messages: &[Message]) -> Value {
    let mut results = 0;
    let told = messages.iter().map(|message| {
        if message.role != Role::Tool {
            results = 0;
            return self::message(wire, message);
        }
        results += 1;
        let mut out = self::message(wire, message);
        match (wire, &message.tool) {
            (Wire::Ollama, Some(tool)) => out["tool_name"] = tool.clone().into(),
            (Wire::Ollama, None) => {}
            // a result without id answers the call at the same place of the turn before
            (Wire::OpenaiCompat, _) => {
                out["tool_call_id"] = message.call_id.clone().unwrap_or_else(|| call_id(results - 1)).into();
            }
        }
        out
    });
    told.collect()
}

/// The same conversation without system messages: their texts stand before the first user message's, a blank line between.
fn folded(messages: &[Message]) -> Vec<Message> {
    let (system, mut rest): (Vec<Message>, Vec<Message>) =
        messages.iter().cloned().partition(|message| message.role == Role::System);
    if system.is_empty() {
        return rest;
    }
    let text = system.iter().map(|message| message.text.as_str()).collect::<Vec<_>>().join("\n\n");
    match rest.iter_mut().find(|message| message.role == Role::User) {
        Some(first) => first.text = format!("{text}\n\n{}", first.text),
        None => rest.insert(0, Message::user(text)),
    }
    rest
}

fn message(wire: Wire, message: &Message) -> Value {
    let mut out = json!({"role": message.role.as_str(), "content": message.text});
    if !message.calls.is_empty() {
        let calls = message.calls.iter().enumerate().map(|(index, call)| self::call(wire, index, call));
        out["tool_calls"] = calls.collect();
    }
    out
}

/// The id of a call that the server left nameless.
fn call_id(index: usize) -> String {
    format!("call_{index}")
}

/// A call as it is told back: arguments as an object to Ollama, as text otherwise.
fn call(wire: Wire, index: usize, call: &ToolCall) -> Value {
    let object = call.arguments.clone().unwrap_or_else(|| json!({}));
    match wire {
        Wire::Ollama => json!({"function": {"name": call.name, "arguments": object}}),
        Wire::OpenaiCompat => json!({
            "id": call.id.clone().unwrap_or_else(|| call_id(index)),
            "type": "function",
            "function": {"name": call.name, "arguments": object.to_string()},
        }),
    }
}

fn tool(tool: &Tool) -> Value {
    let function = json!({"name": tool.name, "description": tool.description, "parameters": tool.parameters});
    json!({"type": "function", "function": function})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dialogue() -> ChatRequest {
        let call = |name: &str, id: Option<&str>| ToolCall {
            id: id.map(str::to_owned),
            name: name.into(),
            arguments: Some(json!({"a": 1})),
            arguments_raw: "{\"a\":1}".into(),
        };
        let result = |tool: &str, id: Option<&str>| Message {
            tool: Some(tool.into()),
            call_id: id.map(str::to_owned),
            ..Message::new(Role::Tool, "ok")
        };
        let calls = vec![call("f", Some("x1")), call("g", None)];
        ChatRequest {
            model: "m".into(),
            messages: vec![
                Message::user("hi"),
                Message { calls, ..Message::new(Role::Assistant, "") },
                result("f", Some("x1")),
                result("g", None),
            ],
            tools: vec![Tool { name: "f".into(), description: "d".into(), parameters: json!({"type": "object"}) }],
            max_tokens: 9,
            temperature: Some(0.0),
            seed: Some(7),
            thinking: Thinking::Off,
            num_ctx: Some(4096),
            stream: true,
            stop_loops: false,
            json: false,
        }
    }

    #[test]
    fn q61_ollama_gets_arguments_as_objects_and_results_by_tool_name() {
        let body = body(Wire::Ollama, &dialogue(), &Shape::default());

        assert_eq!(body["messages"][1]["tool_calls"][0]["function"]["arguments"], json!({"a": 1}));
        assert_eq!((&body["messages"][2]["tool_name"], &body["messages"][3]["tool_name"]), (&json!("f"), &json!("g")));
        assert_eq!(body["options"], json!({"temperature": 0.0, "seed": 7, "num_predict": 9, "num_ctx": 4096}));
        assert_eq!((&body["think"], body.get("keep_alive"), body.get("max_tokens")), (&json!(false), None, None));
    }

    #[test]
    fn q61_other_servers_get_arguments_as_text_and_results_by_id() {
        let body = body(Wire::OpenaiCompat, &dialogue(), &Shape::default());

        let calls = &body["messages"][1]["tool_calls"];
        assert_eq!(calls[0]["function"]["arguments"], "{\"a\":1}");
        assert_eq!((&calls[0]["id"], &calls[1]["id"]), (&json!("x1"), &json!("call_1")));
        assert_eq!(body["messages"][2]["tool_call_id"], "x1");
        assert_eq!(body["messages"][3]["tool_call_id"], "call_1");
        assert_eq!(body["stream_options"], json!({"include_usage": true}));
        assert_eq!((&body["max_tokens"], body.get("options"), body.get("num_ctx")), (&json!(9), None, None));
    }

    #[test]
    fn folded_system_messages_stand_before_the_first_question() {
        let system = |text: &str| Message::new(Role::System, text);
        let told = |messages: &[Message]| {
            let texts = folded(messages).into_iter().map(|message| format!("{} {}", message.role, message.text));
            texts.collect::<Vec<_>>()
        };
        let answer = || Message::new(Role::Assistant, "c");
        assert_eq!(
            told(&[system("a"), Message::user("b"), answer(), system("d"), Message::user("e")]),
            ["user a\n\nd\n\nb", "assistant c", "user e"]
        );
        assert_eq!(told(&[system("a")]), ["user a"]);
        assert_eq!(told(&[Message::user("b")]), ["user b"]);
    }

    #[test]
    fn thinking_auto_sends_nothing() {
        let request = ChatRequest { thinking: Thinking::Auto, ..dialogue() };
        for wire in [Wire::Ollama, Wire::OpenaiCompat] {
            let body = body(wire, &request, &Shape::default());
            let said =
                ["think", "chat_template_kwargs", "reasoning_effort"].iter().any(|field| body.get(*field).is_some());
            assert!(!said, "{body}");
        }
    }
}
