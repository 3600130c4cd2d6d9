//! Whole runs against servers with odd names and habits: Q84, Q86, Q89, B17.

use std::sync::atomic::{AtomicBool, Ordering};

use benchloop::{
    domain::{
        plan::{RunForm, RunPlan},
        run::{RunStatus, RunView},
        sample::{Flag, SampleClass, SampleState},
    },
    engine::clock,
};
use serde_json::{Value, json};

use super::row::{DONE, counts, says, stops};
use crate::support::{
    home::{Home, home},
    wire::{Request, Script, WireServer, head_with},
};

const JSON: &str = "application/json";

/// A server with these models that answers as `named`, whatever it is asked for.
async fn server(models: &'static [&'static str], named: &'static str) -> WireServer {
    WireServer::choosing(move |_, request| answer(models, named, request)).await
}

fn answer(models: &[&str], named: &str, request: &Request) -> Script {
    let path = request.head.split_whitespace().nth(1).unwrap_or_default().to_owned();
    match path.as_str() {
        "/v1/models" => {
            let data: Vec<Value> = models.iter().map(|id| json!({"id": id, "object": "model"})).collect();
            Script::answer(200, JSON, &json!({"object": "list", "data": data}).to_string())
        }
        "/v1/chat/completions" => {
            let chunk = says("Answer: 42").replacen('{', &format!("{{\"model\":{},", Value::from(named)), 1);
            let stream = chunk + &says(" as I said before, at length") + &stops("stop") + &counts(300, 9) + DONE;
            Script::answer(200, "text/event-stream", &stream)
        }
        _ => Script::answer(404, JSON, r#"{"detail":"Not Found"}"#),
    }
}

async fn run(home: &Home, server: &WireServer, model: &str) -> RunView {
    finished(home, form(server, model)).await
}

fn form(server: &WireServer, model: &str) -> RunForm {
    RunForm {
        model: model.into(),
        endpoint: server.url(),
        suites: vec!["reasonmath".into()],
        profile: "quick".into(),
        ..RunForm::default()
    }
}

async fn finished(home: &Home, form: RunForm) -> RunView {
    let run = home.engine.start(RunPlan::new(form).unwrap()).await.unwrap();
    home.engine.finished(&run).await.unwrap()
}

/// The bodies of all questions to the model, the warm-up first.
fn asked(server: &WireServer) -> Vec<Value> {
    server.requests().iter().filter(|request| is_question(request)).map(Request::json).collect()
}

fn is_question(request: &Request) -> bool {
    request.head.starts_with("POST /v1/chat/completions ")
}

#[tokio::test]
async fn q84_an_answer_by_another_model_of_the_server_is_refused() {
    let (home, server) = (home(), server(&["model-a", "model-b"], "model-a.gguf").await);

    // the look before the first task would end the run here
    let view = finished(&home, RunForm { skip_preflight: true, ..form(&server, "model-b") }).await;

    assert_eq!(view.status, RunStatus::Failed);
    let row = &view.rows[0];
    assert_eq!((row.state, row.class), (SampleState::RefusedCapability, Some(SampleClass::Model)));
    assert!(row.score.is_none());
    let why = row.not_judged.as_deref().unwrap();
    assert!(why.contains("answered as model-a.gguf, not as model-b"), "{why}");
}

#[tokio::test]
async fn q84_a_model_that_is_not_served_is_not_asked() {
    let (home, server) = (home(), server(&["model-a.gguf"], "model-b").await);

    let view = run(&home, &server, "model-b").await;

    assert_eq!(view.status, RunStatus::Failed);
    assert!(view.error.as_deref().unwrap().contains("it offers model-a.gguf"), "{:?}", view.error);
    assert!(asked(&server).is_empty());
}

#[tokio::test]
async fn q84_other_spellings_are_accepted_and_an_alias_is_flagged() {
    for (model, named, flagged) in [
        ("qwen3-8b", "/models/Qwen3-8B.gguf", false),
        ("org/qwen3-8b", "Qwen3-8B", false),
        ("small", "Qwen3-8B-Q4_K_M.gguf", true),
    ] {
        let home = home();
        let server = server(&["qwen3-8b", "org/qwen3-8b", "small"], named).await;

        let view = run(&home, &server, model).await;

        assert_eq!(view.status, RunStatus::Completed, "{model} as {named}: {:?}", view.error);
        assert!(view.rows.iter().all(|row| row.flags.contains(&Flag::ModelDiffers) == flagged), "{model} as {named}");
    }
}

#[tokio::test]
async fn q89_a_models_id_is_opaque_on_the_wire_and_never_a_path() {
    const ODD: [&str; 5] = ["/models/Qwen", "hf.co/u/r:Q4_K_M", "my model", "../../x", "модель \"q\" %2f?#"];
    for model in ODD {
        let (home, server) = (home(), server(&ODD, model).await);

        let view = run(&home, &server, model).await;

        assert_eq!(view.status, RunStatus::Completed, "{model}: {:?}", view.error);
        assert!(asked(&server).iter().all(|body| body["model"] == model), "{model}");
        let safe = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let folders: Vec<_> = std::fs::read_dir(home.folder.path().join("runs")).unwrap().map(Result::unwrap).collect();
        assert_eq!(folders.len(), 1, "{model}");
        let name = folders[0].file_name().into_string().unwrap();
        assert!(name.chars().all(safe) && !name.starts_with('.'), "{name}");
    }
}

#[tokio::test]
async fn q86_b17_a_run_never_asks_to_load_and_warms_up_briefly() {
    let (home, server) = (home(), server(&["m"], "m").await);
    let begun = clock::now();

    let view = run(&home, &server, "m").await;

    assert_eq!(view.status, RunStatus::Completed, "{:?} after {} ms", view.error, clock::now().ms_since(begun));
    for request in server.requests() {
        let is_reading = request.head.starts_with("GET ") || request.head.starts_with("POST /api/show ");
        assert!(is_reading || is_question(&request), "{}", request.head);
    }
    let warm_up = &asked(&server)[0];
    let tokens = warm_up["max_tokens"].as_u64().unwrap();
    let prompt = warm_up["messages"][0]["content"].as_str().unwrap();
    assert!((8..=64).contains(&tokens), "{tokens}");
    assert!(prompt.len() < 4000, "{} characters", prompt.len());
}

#[tokio::test]
async fn q25_a_limited_warm_up_is_waited_for_and_is_no_loading() {
    for (refusal, loads) in [
        (head_with(429, JSON, "Retry-After: 1") + "{}", false),
        (head_with(503, JSON, "Retry-After: 1") + r#"{"error":"Loading model"}"#, true),
    ] {
        let home = home();
        let limited = AtomicBool::new(false);
        let server = WireServer::choosing(move |_, request| {
            if is_question(request) && !limited.swap(true, Ordering::SeqCst) {
                return Script::now(refusal.clone());
            }
            answer(&["m"], "m", request)
        })
        .await;

        let view = run(&home, &server, "m").await;

        assert_eq!(view.status, RunStatus::Completed, "{:?}", view.error);
        assert_eq!(view.load_ms.is_some_and(|ms| ms >= 1000.0), loads, "{:?}", view.load_ms);
        assert!(loads || view.load_ms.is_none(), "{:?}", view.load_ms);
    }
}
