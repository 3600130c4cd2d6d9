//! What a person sees of the capability card: at a model, on the page of a run, in the form.

use std::path::Path;

use axum::http::Request;
use benchloop::{
    domain::{
        card::{Answer, Blocker, CapabilityCard, Finding, FindingId},
        event::{Ending, Happening},
        id::{RunId, Wire},
        plan::{RunForm, RunPlan},
    },
    engine::journal::Journal,
    server::script::ScriptedServer,
};
use chrono::DateTime;

use crate::pages::{APP, ask, on_the_runtime};

fn card(findings: Vec<Finding>) -> CapabilityCard {
    CapabilityCard {
        model: "scripted".into(),
        endpoint: "http://127.0.0.1:1".into(),
        wire: Some(Wire::OpenaiCompat),
        server: "vLLM".into(),
        server_version: Some("0.9.1".into()),
        at: DateTime::from_timestamp(1_773_483_302, 0).unwrap(),
        took_s: 3.2,
        findings,
    }
}

/// Writes a run that looked first.
async fn write(home: &Path, id: &str, card: CapabilityCard, ending: Ending) -> RunId {
    let id: RunId = id.parse().unwrap();
    let folder = home.join("runs").join(id.as_str());
    std::fs::create_dir_all(&folder).unwrap();
    let form = RunForm {
        model: "scripted".into(),
        endpoint: card.endpoint.clone(),
        suites: vec!["reasonmath".into()],
        ..RunForm::default()
    };
    let journal = Journal::create(&folder, id.clone()).unwrap();
    let plan = Box::new(RunPlan::new(form).unwrap());
    for what in [
        Happening::Queued { run: id.clone(), plan, version: "0".into(), demo: false },
        Happening::Preflight { card: Box::new(card) },
        Happening::Finished { ending, why: None },
    ] {
        journal.append(what).await.unwrap();
    }
    id
}

/// Whether the first folded part is open.
fn is_open(html: &str) -> bool {
    let tag = html.split("<details").nth(1).unwrap().split('>').next().unwrap();
    tag.split(' ').any(|attribute| attribute == "open" || attribute.starts_with("open="))
}

#[test]
fn a_run_that_could_not_start_says_first_why_and_what_to_do() {
    on_the_runtime(async {
        let listed = Finding::new(FindingId::Server, Answer::Yes, "it lists <models>");
        let mut key = Finding::new(FindingId::Key, Answer::No, "it wants a key").blocking(Blocker::KeyNeeded);
        key.advice = Some("Give it on the Models page".into());
        let card = card(vec![listed, key]);
        let run = write(APP.1.path(), "20261102-080000-scripted-aaaaaa", card, Ending::Failed).await;

        let (_, html) = ask(Request::get(format!("/runs/{run}")), "").await;

        let preflight = html.split(r#"id="preflight""#).nth(1).unwrap();
        let (section, rest) = preflight.split_once("</section>").unwrap();
        assert!(rest.contains("Overall"), "it stands before the scores");
        assert!(is_open(section), "{section}");
        let places =
            ["No run can start: it wants a key.", "What to do: ", "Give it on the Models page", "API key", "Server"];
        let found: Vec<_> = places.iter().map(|text| section.find(text)).collect();
        assert!(found.iter().all(Option::is_some) && found.is_sorted(), "{found:?}\n{section}");
        assert_eq!(section.matches("Give it on the Models page").count(), 1, "advice stands once");
        assert!(section.contains("it lists &lt;models&gt;"), "evidence is text");
    });
}

#[test]
fn a_run_that_could_start_keeps_its_preflight_folded_at_the_end() {
    on_the_runtime(async {
        let mut tools = Finding::new(FindingId::Tools, Answer::No, "400: no tools");
        tools.advice = Some("Choose the hermes harness".into());
        let card = card(vec![Finding::new(FindingId::Server, Answer::Yes, "it answers"), tools]);
        let run = write(APP.1.path(), "20261102-080001-scripted-bbbbbb", card, Ending::Completed).await;

        let (_, html) = ask(Request::get(format!("/runs/{run}")), "").await;

        let (before, preflight) = html.split_once(r#"id="preflight""#).unwrap();
        assert!(before.contains("Machine, model and plan"), "it stands below the facts");
        let section = preflight.split("</section>").next().unwrap();
        assert!(!is_open(section), "{section}");
        for text in [
            "A run can start. Limits: tools, streamed.",
            "The raw harness can’t be used for tool calls and agent. BenchLoop counts these trials as refused",
            "Choose the hermes harness",
            "vLLM 0.9.1",
            "3.2 s",
            r#"datetime="2026-03-14T10:15:02Z""#,
        ] {
            assert!(section.contains(text), "{text}\n{section}");
        }
    });
}

const FORM: &str = "application/x-www-form-urlencoded";

#[test]
fn a_model_is_asked_what_it_can_do_by_a_button_and_by_nothing_else() {
    on_the_runtime(async {
        let server = ScriptedServer::saying("one two three").await.unwrap();
        let url = server.url().replace(':', "%3A").replace('/', "%2F");
        let add = Request::post("/fn/endpoints/add").header("content-type", FORM).header("accept", "text/html");
        ask(add, &format!("url={url}")).await;

        let (_, html) = ask(Request::get("/models"), "").await;
        assert!(html.contains(r#"aria-label="Check what it can do: scripted""#));
        assert!(html.contains("benchloop probe --endpoint"), "the way without script");
        assert!(server.written().is_empty(), "a page that opens asks the model nothing");

        let call = Request::post("/fn/card").header("content-type", FORM).header("accept", "application/json");
        let (response, text) = ask(call, &format!("endpoint={url}&model=scripted")).await;
        assert_eq!(response.status(), 200, "{text}");
        let found: CapabilityCard = serde_json::from_str(&text).unwrap();
        assert_eq!(found.blocker(), None);
        assert!(found.findings.len() > 10, "{found:?}");
        assert!(server.written().len() > 5);

        let (response, _) = ask(Request::get(format!("/fn/card?endpoint={url}&model=scripted")), "").await;
        assert_ne!(response.status(), 200, "a link asks nothing");
    });
}

#[test]
fn the_form_keeps_the_wish_to_start_without_preflight() {
    on_the_runtime(async {
        let (_, html) = ask(Request::get("/benchmark"), "").await;
        let field = |html: &str| {
            let tag = html.split("<input").find(|tag| tag.contains("form[skip_preflight]")).unwrap_or_default();
            tag.split('>').next().unwrap().to_owned()
        };
        assert!(!field(&html).contains("checked"), "{}", field(&html));

        let form = Request::post("/fn/runs/start").header("content-type", FORM).header("accept", "text/html");
        let body = "form%5Bmodel%5D=m&form%5Bendpoint%5D=http%3A%2F%2F127.0.0.1%3A9&form%5Bsuites%5D%5B%5D=speed\
                    &form%5Btrials%5D=0&form%5Bskip_preflight%5D=yes";
        let (response, _) = ask(form, body).await;
        let address = response.headers()["location"].to_str().unwrap();
        let (_, html) = ask(Request::get(address), "").await;
        assert!(field(&html).contains("checked"), "{address}: {}", field(&html));
    });
}
