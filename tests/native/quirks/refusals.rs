//! Errors of the kinds in `errors.rs` in their other dresses: on the other wire, inside a stream, after half of the answer;
//! Q22 to Q38.

use benchloop::domain::sample::{
    ErrorKind,
    SampleClass::{self, Context, Crash, Key, Loading, Model, RateLimit, Template, Thinking, Tools},
    SampleState::{ProviderError, RefusedCapability},
};

use super::row::{DONE, End::*, Row, at, fails, line, ollama, openai, says};

const JSON: &str = "application/json";

/// One event with this error object.
fn event(error: &str) -> String {
    format!("data: {{\"error\":{error}}}\n\n")
}

pub fn rows() -> Vec<Row> {
    let by_status = || fails(ProviderError, ErrorKind::Status);
    let in_body = || fails(ProviderError, ErrorKind::ErrorBody);
    let refused = |class: SampleClass| fails(RefusedCapability, ErrorKind::Status).class(class);
    let refused_in_body = |class: SampleClass| fails(RefusedCapability, ErrorKind::ErrorBody).class(class);
    vec![
        openai("Q22 a refused host is told how to be trusted", [at(100, "Invalid host header")], Close,
            by_status().says("the server answered 403: Invalid host header").says("trusted hosts").says_not("API key"))
            .status(403, "text/plain"),
        ollama("Q22 a refused host on the other wire", [at(100, "{\"error\":\"host not allowed\"}")], Close,
            by_status().says("trusted hosts")).status(403, JSON),
        openai("Q23 a key is needed, plain text", [at(100, "Unauthorized")], Close,
            by_status().class(Key).says("API key")).status(401, "text/plain"),
        ollama("Q23 a key is needed on the other wire", [at(100, "{\"error\":\"unauthorized\"}")], Close,
            by_status().class(Key).says("API key")).status(401, JSON),
        openai("Q23 a key is refused inside a stream",
            [at(100, event(r#"{"code":401,"message":"token sk-secret-1 expired"}"#))], Close,
            in_body().class(Key).says("***").says_not("sk-secret-1")).key("sk-secret-1"),
        ollama("Q24 loading on the other wire", [at(100, "{\"error\":\"model is loading\"}")], Close,
            by_status().class(Loading)).status(500, JSON),
        openai("Q24 loading said inside a stream", [at(100, event(r#"{"code":503,"message":"Loading model"}"#) + DONE)], Close,
            in_body().class(Loading)),
        ollama("Q25 too many requests on the other wire", [at(100, "{\"error\":\"too many requests\"}")], Close,
            by_status().class(RateLimit)).status(429, JSON),
        openai("Q25 too many requests said inside a stream",
            [at(100, event(r#"{"code":429,"message":"Provider returned error"}"#))], Close,
            in_body().class(RateLimit).says("Provider returned error")),
        openai("Q25 too many requests after half of the answer is an error, not a reason to ask again",
            [at(100, says("The ")), at(200, event(r#"{"code":429,"message":"slow down"}"#))], Close,
            in_body().class(RateLimit).kept("The ").times(100., 100., 100.)),
        openai("Q27 a model that is not there, the older shape",
            [at(100, "{\"object\":\"error\",\"message\":\"The model `x` does not exist.\",\"type\":\"NotFoundError\",\"param\":null,\"code\":404}")], Close,
            refused(Model).says("The model `x` does not exist.").says("models that the server lists")).status(404, JSON),
        openai("Q27 no model is loaded",
            [at(100, "{\"error\":{\"message\":\"No models loaded. Please load a model first.\",\"code\":\"model_not_found\"}}")], Close,
            refused(Model)).status(404, JSON),
        openai("Q27 a proxy knows no such model", [at(100, "{\"error\":\"could not find real modelID for x\"}")], Close,
            refused(Model)).status(400, JSON),
        openai("Q27 a route that is not there, as JSON", [at(100, "{\"detail\":\"Not Found\"}")], Close,
            by_status().says("404: Not Found")).status(404, JSON),
        openai("Q29 a validation error as a list",
            [at(100, "{\"object\":\"error\",\"message\":{\"detail\":[{\"type\":\"extra_forbidden\",\"loc\":[\"body\",\"top_k\"],\"msg\":\"Extra inputs are not permitted\",\"input\":7}]}}")], Close,
            by_status().says("422: body.top_k: Extra inputs are not permitted")).status(422, JSON),
        openai("Q30 a budget over what the model may say is no unknown field",
            [at(100, "{\"error\":{\"message\":\"max_tokens is too large: 9000. This model supports at most 4096 completion tokens, whereas you provided 9000.\",\"param\":\"max_tokens\",\"code\":\"invalid_value\"}}")], Close,
            refused(Context).says("4096")).status(400, JSON),
        ollama("Q32 a prompt over the window on the other wire",
            [at(100, "{\"error\":\"input length exceeds maximum context length\"}")], Close, refused(Context)).status(400, JSON),
        openai("Q32 LM Studio's words for a prompt over the window",
            [at(100, "event: error\ndata: {\"error\":{\"message\":\"Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.\"}}\n\n")], Close,
            refused_in_body(Context).says("only 4096 tokens")),
        openai("Q32 a context that ran full in the middle of the answer",
            [at(100, says("The ")), at(200, event(r#"{"message":"Reached context length of 4096 tokens with this model"}"#))], Close,
            refused_in_body(Context).kept("The ").times(100., 100., 100.)),
        ollama("Q32 a deadline that Go calls a context is no context",
            [at(100, "{\"error\":\"context deadline exceeded\"}")], Close, by_status()).status(500, JSON),
        ollama("Q33 the template refuses on the other wire",
            [at(100, "{\"error\":\"template: :3:14: executing \\\"\\\" at <.Messages>: nil\"}")], Close,
            by_status().class(Template)).status(500, JSON),
        openai("Q33 the template refuses inside a stream",
            [at(100, "event: error\ndata: {\"error\":\"Error rendering prompt with jinja template\"}\n\n")], Close,
            in_body().class(Template)),
        openai("Q34 a model without tools on the other wire",
            [at(100, "{\"error\":{\"message\":\"registry.example/demo:1b does not support tools\",\"type\":\"api_error\"}}")], Close,
            refused(Tools).says("harness")).status(400, JSON),
        openai("Q34 a server that knows no field for tools",
            [at(100, "{\"error\":{\"message\":\"Unknown parameter: 'tools'.\",\"param\":\"tools\"}}")], Close, refused(Tools)).status(400, JSON),
        openai("Q34 a router without a provider for tools",
            [at(100, "{\"error\":{\"message\":\"No endpoints found that support tool use.\",\"code\":404}}")], Close, refused(Tools)).status(404, JSON),
        openai("Q35 llama.cpp without its template switch",
            [at(100, "{\"error\":{\"code\":500,\"message\":\"tools param requires --jinja flag\",\"type\":\"server_error\"}}")], Close,
            refused(Tools)).status(500, JSON),
        openai("Q37 a thinking value that is not supported",
            [at(100, "{\"error\":{\"message\":\"think value \\\"medium\\\" is not supported for this model\"}}")], Close,
            refused(Thinking)).status(400, JSON),
        ollama("Q37 a model that cannot think", [at(100, "{\"error\":\"\\\"demo:1b\\\" does not support thinking\"}")], Close,
            refused(Thinking)).status(400, JSON),
        openai("Q38 the model crashed in the middle of the answer",
            [at(100, says("The ")), at(200, "event: error\ndata: {\"error\":{\"message\":\"The model has crashed without additional information. (Exit code: 11)\"}}\n\n")], Close,
            in_body().class(Crash).kept("The ").times(100., 100., 100.).says("Exit code: 11")),
        openai("Q38 the model was unloaded for another one",
            [at(100, says("The ")), at(200, event(r#"{"message":"Model unloaded."}"#))], Close,
            in_body().class(Crash).kept("The ").times(100., 100., 100.)),
        ollama("Q38 the runner died in the middle of the answer",
            [at(100, line("The ")), at(200, "{\"error\":\"an error was encountered while running the model: unexpected EOF\"}\n")], Close,
            in_body().class(Crash).kept("The ").times(100., 100., 100.)),
        ollama("Q38 the model does not fit into memory",
            [at(100, "{\"error\":\"model requires more system memory (9.0 GiB) than is available (4.0 GiB)\"}")], Close,
            by_status().class(Crash)).status(500, JSON),
        ollama("Q18 an error beside a message and done",
            [at(100, "{\"message\":{\"content\":\"x\"},\"error\":\"broken\",\"done\":true}\n")], Close, in_body().says("broken")),
        ollama("Q20 the body says 404, the status 200", [at(100, "{\"error\":{\"code\":404,\"message\":\"model 'x' not found\"}}\n")], Close,
            refused_in_body(Model)),
        ollama("Q21 a page with status 502 on the other wire", [at(100, "<html><h1>502 Bad Gateway</h1></html>")], Close,
            by_status().says("the server answered 502: 502 Bad Gateway").says_not("<h1>")).status(502, "text/html"),
    ]
}
