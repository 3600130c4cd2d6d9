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
    body.insert("messages".into(), request.messages.iter().map(|message| self::message(wire, message)).collect());
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
    if let Some(num_ctx) = request.num_ctx {
        options.insert("num_ctx".into(), num_ctx.into());
    }
    body.insert("options".into(), options.into());
}

fn openai(body: &mut Map<String, Value>, request: &ChatRequest, shape: &Shape, stream: bool) {
    if stream && !shape.has(Change::NoStreamOptions) {
        body.insert("stream_options".into(), json!({"include_usage": true}));
    }
    let cap = if shape.has(Change::MaxCompletionTokens) { "max_completion_tokens" } else { "max_tokens" };
    body.insert(cap.into(), request.max_tokens.into());
    sampling(body, request, shape);
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

fn message(wire: Wire, message: &Message) -> Value {
    let mut out = Map::new();
    out.insert("role".into(), message.role.as_str().into());
    out.insert("content".into(), message.text.clone().into());
    if !message.calls.is_empty() {
        let calls = message.calls.iter().enumerate().map(|(index, call)| self::call(wire, index, call));
        out.insert("tool_calls".into(), calls.collect());
    }
    if message.role == Role::Tool {
        match wire {
            Wire::Ollama => out.extend(message.tool.clone().map(|tool| ("tool_name".to_owned(), tool.into()))),
            Wire::OpenaiCompat => {
                out.insert("tool_call_id".into(), message.call_id.clone().unwrap_or_else(|| call_id(0)).into());
            }
        }
    }
    Value::Object(out)
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
