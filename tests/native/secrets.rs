//! A key is planted, and the server does its worst with it: repeats it in model names, in answers, in errors and in a
//! redirect. It must turn up in no file, no event, no log and no output.

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};

use axum::{
    body::{Body, to_bytes},
    http::Request as HttpRequest,
};
use benchloop::{
    domain::{
        chat::{ChatForm, ChatLine, Said},
        event::RunEvent,
        id::Thinking,
        plan::{RunForm, RunPlan},
        run::RunStatus,
        transcript::Role,
    },
    engine::{Engine, Live, probe::Depth},
    server::api,
};
use futures_util::StreamExt;
use tower::ServiceExt;

use crate::support::wire::{Request, Script, WireServer, head};

const KEY: &str = "sk-planted-0123456789abcdef";
const JSON: &str = "application/json";

/// The key as the request carried it, empty if it carried none.
fn carried(request: &Request) -> String {
    let line = request.head.lines().find_map(|line| line.strip_prefix("authorization: Bearer "));
    line.unwrap_or_default().to_owned()
}

/// Answers with the request's key in every place where text can stand; what it does is told by the model's name.
fn echo(request: &Request, elsewhere: &str) -> Script {
    let key = carried(request);
    let path = request.head.split(' ').nth(1).unwrap_or_default();
    if path == "/v1/models" && key.is_empty() {
        return Script::answer(401, JSON, r#"{"error":{"message":"no key"}}"#);
    }
    if path == "/v1/models" {
        let body = format!(
            r#"{{"object":"list","data":[{{"id":"talks"}},{{"id":"fails"}},{{"id":"moves"}},{{"id":"for-{key}","owned_by":"{key}"}}]}}"#
        );
        return Script::answer(200, JSON, &body);
    }
    if path != "/v1/chat/completions" {
        return Script::answer(404, "text/html", &format!("<p>nothing for {key} here</p>"));
    }
    match request.json()["model"].as_str().unwrap_or_default() {
        "fails" => Script::answer(500, JSON, &format!(r#"{{"error":{{"message":"bad header: Bearer {key}"}}}}"#)),
        "moves" => Script::now(format!(
            "HTTP/1.1 307 X\r\nLocation: {elsewhere}/?key={key}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        )),
        _ => {
            // the key in two pieces, so that no single chunk holds it
            let (one, two) = key.split_at(key.len() / 2);
            let delta = |field: &str, text: &str| {
                format!("data: {{\"model\":\"m-{key}\",\"choices\":[{{\"delta\":{{\"{field}\":\"{text}\"}}}}]}}\n\n")
            };
            let mut text = head(200, "text/event-stream");
            for field in ["reasoning_content", "content"] {
                text += &delta(field, "you sent ");
                text += &delta(field, one);
                text += &delta(field, two);
                text += &delta(field, " and nothing else at all, as far as I can see");
            }
            text += &format!(
                "data: {{\"choices\":[{{\"delta\":{{}},\"finish_reason\":\"stop\"}}],\"usage\":{{\"prompt_tokens\":300,\"completion_tokens\":20}},\"note\":\"{key}\"}}\n\ndata: [DONE]\n\n"
            );
            Script::now(text)
        }
    }
}

/// Every file below a folder that holds the key, except the one that is meant to.
fn files_with_key(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files_with_key(&path));
        } else if !path.ends_with("endpoints.toml") {
            let bytes = fs::read(&path).unwrap();
            if bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes()) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

async fn benchloop(home: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_benchloop"));
    command
        .args(arguments)
        .env("BENCHLOOP_HOME", home)
        .env("BENCHLOOP_LOG", "trace")
        .env_remove("OPENAI_API_KEY")
        .env_remove("BENCHLOOP_OPENAI_KEYS")
        .stdin(Stdio::null());
    let output = tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap();
    for (what, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains(KEY), "{arguments:?} prints the key on {what}: {text}");
    }
    output
}

/// Chats over the page's stream and over the old route; neither shows the key, live or at the end.
async fn chatted(engine: &Engine, url: &str, model: &str) {
    let form = ChatForm {
        model: model.into(),
        endpoint: url.into(),
        provider: None,
        system: String::new(),
        turns: vec![Said { role: Role::User, text: "what did I send?".into() }],
        temperature: None,
        max_tokens: None,
        seed: None,
        thinking: Thinking::Auto,
        force: false,
    };
    let lines: Vec<ChatLine> = engine.chat(form).await.unwrap().collect().await;
    let text = serde_json::to_string(&lines).unwrap();
    assert!(!text.contains(KEY), "{model}: {text}");
    assert_eq!(text.contains("you sent ***"), model == "talks", "{model}: {text}");

    let body = serde_json::json!({"model": model, "endpoint": url, "provider": "openai_compat", "prompt": "what?"});
    let request = HttpRequest::post("/api/chat/generate").header("content-type", "application/json");
    let answer = api::router(engine).oneshot(request.body(Body::from(body.to_string())).unwrap()).await.unwrap();
    assert_eq!(answer.status().is_success(), model == "talks");
    let query = format!("/api/models/preflight?full=true&model={model}&endpoint={url}");
    let looked = api::router(engine).oneshot(HttpRequest::get(query).body(Body::empty()).unwrap()).await.unwrap();
    for (what, answer) in [("chat", answer), ("preflight", looked)] {
        let bytes = to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(KEY), "{what} {model}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_planted_key_turns_up_nowhere_but_in_its_own_file() {
    let stranger = WireServer::start(vec![Script::answer(200, JSON, "{}")]).await;
    let elsewhere = stranger.url();
    let server = WireServer::choosing(move |_, request| echo(request, &elsewhere)).await;
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path();
    let engine = Engine::open(home).unwrap();
    let wrong = engine.add_endpoint(&stranger.url(), Some(KEY), None).await;
    assert!(!wrong.unwrap_err().to_string().contains(KEY));
    assert!(!home.join("endpoints.toml").exists(), "a key is kept only where it works");
    let sent_elsewhere = stranger.requests().len();

    let added = engine.add_endpoint(&server.url(), Some(KEY), Some("box")).await.unwrap();
    assert!(!format!("{added:?}").contains(KEY), "a model's name holds it");

    let form = |model: &str| RunForm {
        model: model.into(),
        endpoint: server.url(),
        suites: vec!["speed,reasonmath".into()],
        profile: "quick".into(),
        ..RunForm::default()
    };
    for (model, ending) in [("talks", RunStatus::Completed), ("fails", RunStatus::Failed), ("moves", RunStatus::Failed)]
    {
        let run = engine.start(RunPlan::new(form(model)).unwrap()).await.unwrap();
        let mut followed = Box::pin(engine.follow(&run, 0));
        while let Some(live) = followed.next().await {
            let text = match live {
                Live::Event(event) => serde_json::to_string::<RunEvent>(&event).unwrap(),
                Live::Pulse(pulse) => serde_json::to_string(&pulse).unwrap(),
            };
            assert!(!text.contains(KEY), "{model}: {text}");
        }
        let view = engine.finished(&run).await.unwrap();
        assert_eq!(view.status, ending, "{model}: {:?}", view.error);
    }
    assert!(
        server.requests().iter().any(|request| carried(request) == KEY),
        "the key was never sent, nothing is proved"
    );
    assert!(!serde_json::to_string(&engine.servers().await).unwrap().contains(KEY));

    for model in ["talks", "fails", "moves"] {
        for json in [true, false] {
            let url = server.url();
            let mut arguments = vec!["ask", "--endpoint", &url, "--model", model, "what did I send?"];
            arguments.extend(json.then_some("--json"));
            let output = benchloop(home, &arguments).await;
            assert_eq!(output.status.code(), Some(i32::from(model != "talks")), "{model}");
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(model != "talks" || said.contains("you sent *** and nothing"), "{said}");
        }
    }
    for model in ["talks", "fails", "moves"] {
        let url = server.url();
        let looked = benchloop(home, &["probe", "--endpoint", &url, "--model", model, "--json"]).await;
        assert_eq!(looked.status.code(), Some(i32::from(model != "talks")), "{model}");
        let card = engine.read_card(&url, model, None, Depth::Whole, 5.0).await.unwrap();
        assert!(!serde_json::to_string(&card).unwrap().contains(KEY), "{model}: {card:?}");
        chatted(&engine, &url, model).await;
    }
    let url = server.url();
    benchloop(home, &["run", "--endpoint", &url, "--model", "fails", "--suites", "reasonmath", "--profile", "quick"])
        .await;
    let listed = benchloop(home, &["list", "--json"]).await;
    let runs: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    for run in runs.as_array().unwrap() {
        benchloop(home, &["show", run["id"].as_str().unwrap(), "--json"]).await;
    }

    assert_eq!(files_with_key(home), Vec::<String>::new());
    let after = &stranger.requests()[sent_elsewhere..];
    assert!(after.is_empty(), "a redirect was followed: {after:?}");
    engine.remove_endpoint(&server.url()).await.unwrap();
    assert!(!fs::read_to_string(home.join("endpoints.toml")).unwrap().contains(KEY));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_entry_is_shown_with_its_line_beside_the_good_ones() {
    let server = WireServer::start(vec![Script::answer(
        200,
        JSON,
        r#"{"object":"list","data":[{"id":"m","object":"model","owned_by":"vllm"}]}"#,
    )])
    .await;
    let folder = tempfile::tempdir().unwrap();
    let text =
        format!("[[endpoint]]\nurl = \"gopher://x\"\nkey = \"{KEY}\"\n\n[[endpoint]]\nurl = \"{}\"\n", server.url());
    fs::write(folder.path().join("endpoints.toml"), text).unwrap();
    let engine = Engine::open(folder.path()).unwrap();

    let servers = engine.servers().await;

    let good = servers.iter().find(|known| known.url == server.url()).unwrap();
    assert!(good.saved && good.name == "vLLM", "{good:?}");
    let bad = servers.iter().find(|known| known.url == "endpoints.toml, line 1").unwrap();
    assert!(format!("{:?}", bad.status).contains("gopher"), "{bad:?}");
    assert!(!format!("{servers:?}").contains(KEY));
}
