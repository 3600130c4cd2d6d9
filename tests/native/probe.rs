//! The capability card against servers that each have one thing amiss: what is found, what blocks a run, what is advised.

use benchloop::{
    domain::{
        card::{Answer, Blocker, CapabilityCard, FindingId},
        id::Wire,
        plan::{RunForm, RunPlan},
        run::RunStatus,
    },
    engine::{Engine, probe::Depth},
};
use serde_json::{Value, json};

use crate::support::{
    home::home,
    wire::{Request, Script, WireServer, head},
};

const JSON: &str = "application/json";

/// What a server has amiss.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Amiss {
    Nothing,
    NoUsage,
    OnePiece,
    RefusesStreams,
    NoTools,
    NoToolsInStream,
    CallsAsText,
    JoinsCalls,
    TemplateRefusesSystem,
    DropsSystem,
    ThinksAnyway,
    RefusesThinking,
    RefusesJson,
    RefusesSeed,
    IgnoresLimit,
    SaysStopWhenCut,
    CutsPrompts,
    Forgets,
    SmallContext,
    AnswersAsOther,
    NamesNothing,
    WantsKey,
    Loads,
    ChatLoads,
    OutOfMemory,
    NoFile,
    TooOld,
    DiskFull,
    ForeignHost,
    Website,
    NoChatRoute,
}

/// What the fake server says to a question.
struct Said {
    reasoning: String,
    content: String,
    calls: Vec<Value>,
    finish: &'static str,
    prompt_tokens: usize,
    completion_tokens: usize,
}

fn error(status: u16, message: &str) -> Script {
    Script::answer(status, JSON, &json!({"error": {"message": message, "code": status}}).to_string())
}

/// The word between `The password is ` and the full stop.
fn password(text: &str) -> Option<&str> {
    text.split_once("The password is ").and_then(|(_, rest)| rest.split('.').next())
}

fn say(amiss: Amiss, body: &Value) -> Said {
    let text = |message: &Value| message["content"].as_str().unwrap_or_default().to_owned();
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let system = messages.iter().find(|message| message["role"] == "system").map(text);
    let last = messages.last().map(text).unwrap_or_default();
    let kept_system = system.filter(|_| amiss != Amiss::DropsSystem);
    let mut prompt_tokens = 10 + last.len() / 4 + kept_system.as_ref().map_or(0, |text| text.len() / 4);
    let thinks = match amiss {
        Amiss::ThinksAnyway => true,
        _ => body["chat_template_kwargs"]["enable_thinking"] == true,
    };
    let mut calls = Vec::new();
    let mut content = (1..=30).map(|n| n.to_string()).collect::<Vec<_>>().join(" ");
    if let Some(word) = password(&last) {
        content = if matches!(amiss, Amiss::CutsPrompts | Amiss::Forgets) { "swordfish".into() } else { word.into() };
        if amiss == Amiss::CutsPrompts {
            prompt_tokens = prompt_tokens.min(120);
        }
    } else if kept_system.is_some() {
        content = "Kayak.".into();
    } else if body.get("tools").is_some() {
        let call = |name: &str| json!({"lake": name}).to_string();
        match amiss {
            Amiss::CallsAsText => {
                content =
                    "<tool_call>{\"name\": \"lake_depth\", \"arguments\": {\"lake\": \"Orsa\"}}</tool_call>".into();
            }
            Amiss::JoinsCalls => {
                content.clear();
                calls = vec![json!(call("Orsa") + &call("Mjosa"))];
            }
            _ => {
                content.clear();
                calls = vec![json!(call("Orsa")), json!(call("Mjosa"))];
            }
        }
    } else if body.get("response_format").is_some() {
        content = "{\"name\": \"Ada\", \"age\": 36}".into();
    } else if last.contains("Norway") {
        content = "Oslo".into();
    }
    let words: Vec<&str> = content.split_inclusive(' ').collect();
    let most = body["max_tokens"].as_u64().unwrap_or(100) as usize;
    let cut = words.len() > most && amiss != Amiss::IgnoresLimit;
    let words = if cut { &words[..most] } else { &words[..] };
    let completion_tokens = words.len() + calls.len() + if thinks { 4 } else { 0 };
    Said {
        reasoning: if thinks { "ten past ten plus".into() } else { String::new() },
        content: words.concat(),
        finish: if cut && amiss != Amiss::SaysStopWhenCut { "length" } else { "stop" },
        calls,
        prompt_tokens,
        completion_tokens,
    }
}

fn call(index: usize, arguments: &Value) -> Value {
    json!({"index": index, "id": format!("c{index}"), "type": "function",
           "function": {"name": "lake_depth", "arguments": arguments}})
}

fn answer(amiss: Amiss, body: &Value) -> Script {
    let said = say(amiss, body);
    let usage = (amiss != Amiss::NoUsage).then(|| {
        json!({"prompt_tokens": said.prompt_tokens, "completion_tokens": said.completion_tokens,
               "total_tokens": said.prompt_tokens + said.completion_tokens})
    });
    let name = match amiss {
        Amiss::AnswersAsOther => json!("other"),
        Amiss::NamesNothing => Value::Null,
        _ => json!("m"),
    };
    let calls: Vec<Value> = said.calls.iter().enumerate().map(|(at, arguments)| call(at, arguments)).collect();
    if body["stream"] != true {
        let mut message = json!({"role": "assistant", "content": said.content, "reasoning_content": said.reasoning});
        if !calls.is_empty() {
            message["tool_calls"] = calls.into();
        }
        let choice = json!({"index": 0, "message": message, "finish_reason": said.finish});
        return Script::answer(200, JSON, &json!({"model": name, "choices": [choice], "usage": usage}).to_string());
    }
    let event = |delta: Value, finish: Option<&str>| {
        format!(
            "data: {}\n\n",
            json!({"model": name, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
        )
    };
    let mut pieces = vec![(0.0, head(200, "text/event-stream"))];
    if amiss == Amiss::OnePiece {
        pieces.push((1.0, event(json!({"content": said.content, "reasoning_content": said.reasoning}), None)));
    } else {
        for word in said.reasoning.split_inclusive(' ') {
            pieces.push((1.0, event(json!({"reasoning_content": word}), None)));
        }
        for word in said.content.split_inclusive(' ') {
            pieces.push((1.0, event(json!({"content": word}), None)));
        }
    }
    if !calls.is_empty() {
        pieces.push((1.0, event(json!({"tool_calls": calls}), None)));
    }
    let mut end = event(json!({}), Some(said.finish));
    if let Some(usage) = usage {
        end += &format!("data: {}\n\n", json!({"model": name, "choices": [], "usage": usage}));
    }
    pieces.push((1.0, end + "data: [DONE]\n\n"));
    let pieces = pieces.into_iter().map(|(wait, text)| (wait, text.into_bytes())).collect();
    Script { pieces, end: crate::support::wire::End::Close }
}

fn chat(amiss: Amiss, body: &Value) -> Script {
    let has = |field: &str| body.get(field).is_some();
    let has_system =
        body["messages"].as_array().is_some_and(|all| all.iter().any(|message| message["role"] == "system"));
    match amiss {
        Amiss::RefusesStreams if body["stream"] == true => error(400, "streaming is not supported"),
        Amiss::NoTools if has("tools") => error(400, "m does not support tools"),
        Amiss::NoToolsInStream if has("tools") && body["stream"] == true => error(500, "Cannot use tools with stream"),
        Amiss::TemplateRefusesSystem if has_system => error(500, "jinja template: System role not supported"),
        Amiss::RefusesThinking if has("chat_template_kwargs") || has("reasoning_effort") => {
            error(400, "m does not support thinking")
        }
        Amiss::RefusesJson if has("response_format") => {
            error(400, "'response_format.type' must be 'json_schema' or 'text'")
        }
        Amiss::RefusesSeed if has("seed") => error(400, "Unknown parameter: seed"),
        Amiss::WantsKey => error(401, "Invalid API Key"),
        Amiss::ChatLoads => error(503, "Loading model"),
        Amiss::OutOfMemory => error(500, "cudaMalloc failed: out of memory"),
        Amiss::NoFile => error(500, "open /models/m.gguf: no such file or directory"),
        Amiss::TooOld => error(500, "unable to load model: unknown model architecture 'qwen9'"),
        Amiss::DiskFull => error(500, "write blob: no space left on device"),
        Amiss::NoChatRoute => Script::answer(404, "text/plain", "404 page not found"),
        _ => answer(amiss, body),
    }
}

fn respond(amiss: Amiss, request: &Request) -> Script {
    let path = request.head.split(' ').nth(1).unwrap_or_default();
    let keyed = request.head.to_lowercase().contains("authorization: bearer sk-right-key");
    match (amiss, path) {
        (Amiss::ForeignHost, _) => Script::answer(403, "text/plain", "Invalid host header"),
        (Amiss::Website, _) => Script::answer(200, "text/html", "<html><h1>Welcome to the router</h1></html>"),
        (Amiss::WantsKey, _) if !keyed => error(401, "Invalid API Key"),
        (Amiss::Loads, _) => error(503, "Loading model"),
        (_, "/v1/models") => {
            let entry =
                |name: &str| json!({"id": name, "object": "model", "owned_by": "llamacpp", "meta": {"n_params": 9}});
            Script::answer(200, JSON, &json!({"object": "list", "data": [entry("m"), entry("other")]}).to_string())
        }
        (_, "/props") => {
            let context = if amiss == Amiss::SmallContext { 512 } else { 16_384 };
            let props = json!({"default_generation_settings": {"n_ctx": context}, "total_slots": 1,
                               "model_path": "/models/m-Q4_K_M.gguf", "chat_template": "{{ x }}", "build_info": "b9000"});
            Script::answer(200, JSON, &props.to_string())
        }
        (_, "/v1/chat/completions") => chat(amiss, &request.json()),
        _ => error(404, "File Not Found"),
    }
}

async fn server(amiss: Amiss) -> WireServer {
    WireServer::choosing(move |_, request| respond(amiss, request)).await
}

async fn card(engine: &Engine, url: &str, model: &str, depth: Depth) -> CapabilityCard {
    engine.read_card(url, model, None, depth, 1.0).await.unwrap()
}

/// What is amiss, and the findings that differ from those of a server with nothing amiss.
const FOUND: [(Amiss, &[(FindingId, Answer)]); 20] = {
    use {Amiss as W, Answer as A, FindingId as F};
    [
        (W::Nothing, &[]),
        (W::NoUsage, &[(F::Usage, A::No)]),
        (W::OnePiece, &[(F::Streams, A::No)]),
        (W::RefusesStreams, &[(F::Streams, A::No), (F::Tools, A::Partly)]),
        (W::NoTools, &[(F::Tools, A::No)]),
        (W::NoToolsInStream, &[(F::Tools, A::Partly)]),
        (W::CallsAsText, &[(F::Tools, A::Partly), (F::ToolsWhole, A::Partly), (F::Parallel, A::Unknown)]),
        (W::JoinsCalls, &[(F::Tools, A::Partly), (F::ToolsWhole, A::Partly), (F::Parallel, A::No)]),
        (W::TemplateRefusesSystem, &[(F::System, A::Partly)]),
        (W::DropsSystem, &[(F::System, A::No)]),
        (W::ThinksAnyway, &[(F::ThinkingOff, A::No)]),
        (W::RefusesThinking, &[(F::ThinkingOn, A::No)]),
        (W::RefusesJson, &[(F::Json, A::No)]),
        (W::RefusesSeed, &[(F::Sampling, A::Partly)]),
        (W::IgnoresLimit, &[(F::Limit, A::No)]),
        (W::SaysStopWhenCut, &[(F::Limit, A::Partly)]),
        (W::CutsPrompts, &[(F::Context, A::No)]),
        (W::Forgets, &[(F::Context, A::Unknown)]),
        (W::SmallContext, &[(F::Context, A::No)]),
        (W::NamesNothing, &[(F::Named, A::Unknown)]),
    ]
};

#[tokio::test(flavor = "multi_thread")]
async fn each_fault_shows_in_its_finding_and_in_no_other() {
    let home = home();
    let mut wrong = Vec::new();
    for (amiss, differs) in FOUND {
        let server = server(amiss).await;
        let card = card(&home.engine, &server.url(), "m", Depth::Whole).await;
        for finding in &card.findings {
            let wanted = differs.iter().find(|(what, _)| *what == finding.what).map(|(_, answer)| *answer);
            // this server tells no times of its own, ever
            let usual = if finding.what == FindingId::ServerTimes { Answer::No } else { Answer::Yes };
            if finding.answer != wanted.unwrap_or(usual) {
                wrong.push(format!("{amiss:?}: {} is {}: {}", finding.what, finding.answer, finding.evidence));
            }
        }
        for (what, _) in differs {
            if card.find(*what).is_none() {
                wrong.push(format!("{amiss:?}: {what} is missing"));
            }
        }
        let blocks = card.blocker().and_then(|finding| finding.blocks);
        let expected = (amiss == Amiss::SmallContext).then_some(Blocker::ContextTooSmall);
        assert_eq!(blocks, expected, "{amiss:?}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_blocks_a_run_is_named_with_advice_for_the_server() {
    use {Amiss as W, Blocker as B};
    let home = home();
    for (amiss, model, blocker, evidence, advice) in [
        (W::WantsKey, "m", B::KeyNeeded, "wants an API key", "BENCHLOOP_OPENAI_KEYS="),
        (W::Loads, "m", B::Loading, "still loading", "Wait until"),
        (W::ChatLoads, "m", B::Loading, "Loading model", "Wait until"),
        (W::Nothing, "absent", B::NotFound, "it offers m, other", "--alias"),
        (W::AnswersAsOther, "m", B::WrongModel, "answered as other", "Load m"),
        (W::OutOfMemory, "m", B::OutOfMemory, "out of memory", "--ctx-size"),
        (W::NoFile, "m", B::MissingBlob, "no such file", "download it again"),
        (W::TooOld, "m", B::TooOld, "unknown model architecture", "llama.cpp"),
        (W::DiskFull, "m", B::DiskFull, "no space left", "disk is full"),
        (W::ForeignHost, "m", B::HostRefused, "Invalid host header", "127.0.0.1"),
        (W::Website, "m", B::WrongApi, "Welcome to the router", "before /v1"),
        (W::NoChatRoute, "m", B::WrongApi, "404 page not found", "before /v1"),
        (W::SmallContext, "m", B::ContextTooSmall, "512 tokens", "--ctx-size"),
    ] {
        let server = server(amiss).await;
        let card = card(&home.engine, &server.url(), model, Depth::Short).await;
        let Some(finding) = card.blocker() else { panic!("{amiss:?} blocks nothing: {card:?}") };
        assert_eq!(finding.blocks, Some(blocker), "{amiss:?}: {}", finding.evidence);
        assert!(finding.evidence.contains(evidence), "{amiss:?}: {}", finding.evidence);
        let told = finding.advice.as_deref().unwrap_or_default();
        assert!(told.contains(advice), "{amiss:?}: {told}");
        assert!(card.refusal().is_some_and(|text| text.contains(told)), "{amiss:?}");
    }
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let card = card(&home.engine, &format!("http://127.0.0.1:{closed}"), "m", Depth::Whole).await;
    assert_eq!(card.blocker().and_then(|finding| finding.blocks), Some(Blocker::Unreachable));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_is_set_is_taken_or_refused() {
    let home = home();
    let server = server(Amiss::WantsKey).await;
    let file = home.folder.path().join("endpoints.toml");
    let keep = |key: &str| {
        std::fs::write(&file, format!("[[endpoint]]\nurl = \"{}\"\nkey = \"{key}\"\n", server.url())).unwrap();
    };
    keep("sk-wrong-key");
    let refused = card(&home.engine, &server.url(), "m", Depth::Short).await;
    assert_eq!(refused.blocker().and_then(|finding| finding.blocks), Some(Blocker::KeyRefused));
    let other = self::server(Amiss::Nothing).await;
    std::fs::write(&file, format!("[[endpoint]]\nurl = \"{}\"\nkey = \"sk-needless-key\"\n", other.url())).unwrap();
    let needless = card(&home.engine, &other.url(), "m", Depth::Whole).await;
    let key = needless.find(FindingId::Key).unwrap();
    assert!(key.answer == Answer::Yes && key.evidence.contains("without one"), "{key:?}");
    keep("sk-right-key");
    let listed = card(&home.engine, &server.url(), "m", Depth::Short).await;
    // this server refuses every key when it is to chat
    let blocker = listed.blocker().unwrap();
    assert_eq!((blocker.what, blocker.blocks), (FindingId::Key, Some(Blocker::KeyRefused)));
    assert_eq!(listed.findings.iter().filter(|finding| finding.what == FindingId::Key).count(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_question_is_asked_with_the_limits_that_a_probe_promises() {
    let home = home();
    let server = server(Amiss::Nothing).await;
    let card = card(&home.engine, &server.url(), "m", Depth::Whole).await;
    assert_eq!((card.wire, card.server.as_str()), (Some(Wire::OpenaiCompat), "llama.cpp"));
    let chats: Vec<Value> = server
        .requests()
        .iter()
        .filter(|request| request.head.starts_with("POST /v1/chat/completions"))
        .map(Request::json)
        .collect();
    assert!(chats.len() <= 11, "{} calls", chats.len());
    let budget: u64 = chats.iter().map(|body| body["max_tokens"].as_u64().unwrap()).sum();
    assert!(budget <= 800, "{budget} tokens");
    let asked: Vec<FindingId> = card.findings.iter().map(|finding| finding.what).collect();
    assert_eq!(asked, FindingId::ALL, "every finding, once and in order");
}

fn form(url: &str, suites: &str) -> RunForm {
    RunForm {
        model: "m".into(),
        endpoint: url.into(),
        suites: vec![suites.into()],
        profile: "quick".into(),
        ..RunForm::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_starts_with_a_look_unless_it_is_told_not_to() {
    let home = home();
    let run = async |form: RunForm| {
        let id = home.engine.start(RunPlan::new(form).unwrap()).await.unwrap();
        home.engine.finished(&id).await.unwrap()
    };
    let well = server(Amiss::Nothing).await;
    let view = run(form(&well.url(), "reasonmath")).await;
    let card = view.card.as_ref().unwrap();
    assert!(card.blocker().is_none() && card.find(FindingId::Tools).is_none(), "{card:?}");
    assert_eq!(serde_json::to_value(view.record()).unwrap()["preflight"]["findings"][0]["what"], "server");

    // tools are looked at where the plan needs them, and stop only a plan that has nothing else
    let toolless = server(Amiss::NoTools).await;
    let mixed = run(form(&toolless.url(), "reasonmath,toolcall")).await;
    assert_eq!(mixed.status, RunStatus::Completed);
    let tools = mixed.card.as_ref().and_then(|card| card.find(FindingId::Tools)).unwrap();
    assert_eq!((tools.answer, tools.blocks), (Answer::No, None));
    assert!(tools.advice.as_deref().is_some_and(|advice| advice.contains("hermes")), "{tools:?}");
    let only = run(form(&toolless.url(), "toolcall")).await;
    assert_eq!(only.status, RunStatus::Failed);
    assert!(only.error.as_deref().is_some_and(|why| why.contains("hermes")), "{:?}", only.error);
    assert!(only.rows.is_empty());
    let hermes = run(RunForm { harness: "hermes".into(), ..form(&toolless.url(), "toolcall") }).await;
    assert_eq!(hermes.status, RunStatus::Completed, "{:?}", hermes.error);

    let other = server(Amiss::AnswersAsOther).await;
    let refused = run(form(&other.url(), "reasonmath")).await;
    let named = refused.card.as_ref().and_then(|card| card.find(FindingId::Named)).unwrap();
    assert_eq!((refused.status, named.blocks), (RunStatus::Failed, Some(Blocker::WrongModel)), "{named:?}");
    assert!(refused.rows.is_empty());

    let small = server(Amiss::SmallContext).await;
    let stopped = run(form(&small.url(), "reasonmath")).await;
    assert_eq!(stopped.status, RunStatus::Failed);
    assert!(stopped.error.as_deref().is_some_and(|why| why.contains("--ctx-size")), "{:?}", stopped.error);
    let skipped = run(RunForm { skip_preflight: true, ..form(&small.url(), "reasonmath") }).await;
    assert_eq!((skipped.status, skipped.card), (RunStatus::Completed, None));

    // a model that the list does not have is asked all the same
    let unlisted = RunForm { model: "hidden".into(), skip_preflight: true, ..form(&small.url(), "reasonmath") };
    let view = run(unlisted).await;
    assert_eq!(view.status, RunStatus::Failed, "the server answers as m, which is another model of its list");
}
