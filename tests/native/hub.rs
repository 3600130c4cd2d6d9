//! Searching and looking into repositories, against a hub that answers by script: pages, parts, refusals, no hub at all.

use benchloop::{
    domain::hub::{HubQuery, WeightFormat},
    engine::{
        client::BaseUrl,
        hub::{Hub, HubError},
    },
};

use crate::support::wire::{Script, WireServer};

fn answer(status: u16, headers: &str, body: &str) -> Script {
    Script::now(format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\n{headers}Connection: close\r\n\r\n{body}"
    ))
}

fn path(head: &str) -> String {
    head.split(' ').nth(1).unwrap_or_default().to_owned()
}

/// A hub with three pages of one repository each, and one repository with a tree of two pages.
async fn scripted() -> (WireServer, Hub) {
    let server = WireServer::choosing(|_, request| {
        let path = path(&request.head);
        let next = |to: &str| format!("Link: <{to}>; rel=\"next\"\r\n");
        if path.starts_with("/api/models?") {
            let page = path.split("cursor=").nth(1).unwrap_or("1").to_owned();
            let link = match page.as_str() {
                "1" => next("/api/models?cursor=2"),
                "2" => next("/api/models?cursor=3"),
                _ => String::new(),
            };
            return answer(200, &link, &format!(r#"[{{"id":"o/n{page}","downloads":5,"tags":["gguf"]}}]"#));
        }
        match path.as_str() {
            "/api/models/o/n" => answer(200, "", r#"{"id":"o/n","tags":["gguf"],"cardData":{"license":"mit"},"gguf":{"total":8000000000}}"#),
            "/api/models/o/n/tree/main?recursive=true" => answer(
                200,
                &next("/api/models/o/n/tree/main?recursive=true&cursor=b"),
                r#"[{"type":"directory","path":"big"},{"type":"file","path":"big/m-Q8_0-00001-of-00002.gguf","size":50}]"#,
            ),
            "/api/models/o/n/tree/main?recursive=true&cursor=b" => answer(
                200,
                "",
                r#"[{"type":"file","path":"big/m-Q8_0-00002-of-00002.gguf","size":40},{"type":"file","path":"m-Q4_K_M.gguf","size":9,"lfs":{"size":45}}]"#,
            ),
            "/api/models/old/n" => answer(307, "Location: /api/models/o/n\r\n", ""),
            "/api/models/old/n/tree/main?recursive=true" => answer(307, "Location: /api/models/o/n/tree/main?recursive=true\r\n", ""),
            "/api/models/away/n" => answer(302, "Location: http://elsewhere.example/x\r\n", ""),
            "/api/models/gated/n" => answer(200, "", r#"{"id":"gated/n","gated":"manual","tags":[]}"#),
            "/api/models/gated/n/tree/main?recursive=true" => answer(403, "X-Error-Code: GatedRepo\r\n", r#"{"error":"no"}"#),
            "/api/models/busy/n" => answer(429, "", ""),
            "/api/models/html/n" => answer(200, "", "<h1>Welcome to the hotel</h1>"),
            _ => answer(401, "X-Error-Code: RepoNotFound\r\n", r#"{"error":"Repository not found"}"#),
        }
    })
    .await;
    let hub = Hub::at(BaseUrl::parse(&server.url()).unwrap());
    (server, hub)
}

#[tokio::test]
async fn pages_follow_the_hubs_own_cursor_and_are_remembered() {
    let (server, hub) = scripted().await;
    let query = HubQuery { format: Some(WeightFormat::Gguf), ..HubQuery::new("qwen 3") };
    let page = async |page: u32| hub.search(&HubQuery { page, ..query.clone() }).await.unwrap();

    let third = page(3).await;
    assert_eq!((third.models[0].id.as_str(), third.more), ("o/n3", false));
    assert_eq!(server.requests().len(), 3, "page 3 is reached over 1 and 2");

    let second = page(2).await;
    assert_eq!((second.models[0].id.as_str(), second.more), ("o/n2", true));
    assert_eq!(page(1).await.models[0].id, "o/n1");
    assert_eq!(server.requests().len(), 5, "going back costs one question each");
    assert!(matches!(hub.search(&HubQuery { page: 9, ..query.clone() }).await, Err(HubError::PastEnd { page: 9 })));
}

#[tokio::test]
async fn nothing_is_sent_but_what_was_typed() {
    let (server, hub) = scripted().await;
    hub.search(&HubQuery::new("qwen & 3")).await.unwrap();

    let head = server.requests()[0].head.to_lowercase();

    assert!(head.starts_with("get /api/models?search=qwen+%26+3&"), "{head}");
    for header in ["authorization", "cookie", "referer"] {
        assert!(!head.contains(&format!("\n{header}:")), "{head}");
    }
}

#[tokio::test]
async fn a_repository_is_read_whole_with_its_parts_summed() {
    let (_server, hub) = scripted().await;
    for name in ["o/n", "old/n"] {
        let found = hub.details(name).await.unwrap();
        let choices: Vec<_> = found.details.choices.iter().map(|c| (c.name.as_str(), c.size_bytes, c.parts)).collect();
        assert_eq!(choices, [("Q4_K_M", 45, 1), ("Q8_0", 90, 2)], "{name}");
        assert_eq!((found.details.files, found.card["license"].as_str()), (3, Some("mit")));
    }
}

#[tokio::test]
async fn refusals_say_what_is_so() {
    let (_server, hub) = scripted().await;
    for (name, expected) in [
        ("no/such", "no such repository, or it is private"),
        ("away/n", "leads to another host"),
        ("busy/n", "fewer questions"),
        ("html/n", "no JSON: Welcome to the hotel"),
        ("../etc", "owner/name"),
    ] {
        let said = hub.details(name).await.unwrap_err().to_string();
        assert!(said.contains(expected), "{name}: {said}");
    }
    let gated = hub.details("gated/n").await.unwrap().details;
    assert!(gated.model.gated && gated.choices.is_empty());
    assert!(gated.note.unwrap().contains("gated"));
}

#[tokio::test]
async fn offline_is_said_in_words() {
    let hub = Hub::at(BaseUrl::parse("http://127.0.0.1:9").unwrap());
    let error = hub.search(&HubQuery::new("x")).await.unwrap_err();
    assert!(matches!(error, HubError::Offline { .. }) && error.to_string().contains("offline?"), "{error}");
}
