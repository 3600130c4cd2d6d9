//! Asks addresses what listens there: the usual local ports and the saved endpoints, all at once, with short limits.
//! Imports: domain, `client::BaseUrl`, `http`, `fingerprint`.

use std::{collections::BTreeMap, time::Duration};

use futures_util::future::{join_all, join4};

use super::{
    client::{BaseUrl, Secret, quote},
    fingerprint::{self, Replies, Reply},
    http,
};
use crate::domain::model::{Server, ServerStatus};

/// Ports on which local model servers usually listen. They say where to look, never what is there.
pub const PORTS: [u16; 11] = [11434, 11435, 11436, 11437, 1234, 1337, 8000, 8080, 8081, 5001, 10240];

/// How long a question may take.
const LIMIT: Duration = Duration::from_millis(900);
/// For an endpoint the user named, which may be across a slow network.
const NAMED_LIMIT: Duration = Duration::from_secs(5);
/// Bytes of an answer that are read.
const MOST: usize = 4 << 20;

async fn ask(client: &reqwest::Client, url: String, key: Option<&Secret>) -> Result<Reply, String> {
    let mut request = client.get(url);
    if let Some(key) = key {
        request = request.bearer_auth(key.reveal());
    }
    let mut response = request.send().await.map_err(|error| reason(&error))?;
    let status = response.status().as_u16();
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(|error| reason(&error))? {
        body.extend_from_slice(&chunk);
        if body.len() > MOST {
            break;
        }
    }
    // what is quoted ends up on pages and in files: a key that the server repeats must not
    let text = quote(&String::from_utf8_lossy(&body), key.map(Secret::reveal));
    Ok(Reply { status, json: serde_json::from_slice(&body).ok(), text })
}

/// Why a question got no answer, in words.
fn reason(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        "it did not answer in time".to_owned()
    } else if error.is_connect() {
        "nothing is listening".to_owned()
    } else {
        let mut text = error.to_string();
        let mut source = std::error::Error::source(error);
        while let Some(inner) = source {
            text = inner.to_string();
            source = inner.source();
        }
        text
    }
}

async fn probe_within(base: &BaseUrl, key: Option<&Secret>, limit: Duration) -> Server {
    let client = match http::client(limit, base.is_private()) {
        Ok(client) => client,
        Err(error) => {
            let failure = Some(error.to_string());
            return fingerprint::recognise(base.as_str(), &Replies { failure, ..Replies::default() });
        }
    };
    let get = |path: &str| ask(&client, base.join(path), key);
    let (models, tags, version, props) =
        join4(get("/v1/models"), get("/api/tags"), get("/api/version"), get("/props")).await;
    let failure = models.as_ref().err().cloned();
    let replies = Replies { version: version.ok(), tags: tags.ok(), models: models.ok(), props: props.ok(), failure };
    fingerprint::recognise(base.as_str(), &replies)
}

/// Asks one endpoint that the user named.
pub async fn probe(base: &BaseUrl, key: Option<&Secret>) -> Server {
    probe_within(base, key, NAMED_LIMIT).await
}

/// Where to look: an address, its key, and whether the user saved it.
pub struct Place {
    pub base: BaseUrl,
    pub key: Option<Secret>,
    pub saved: bool,
}

/// Asks all places at once. Saved ones are listed whatever they answer; others only where a server was found or
/// something else answered. One server under two spellings is listed once.
pub async fn discover(places: Vec<Place>) -> Vec<Server> {
    let asked = places.into_iter().map(|place| async move {
        let mut server = probe_within(&place.base, place.key.as_ref(), LIMIT).await;
        server.saved = place.saved;
        server
    });
    let mut found: BTreeMap<String, Server> = BTreeMap::new();
    for server in join_all(asked).await {
        if server.saved || !matches!(server.status, ServerStatus::Unreachable(_)) {
            let known =
                found.entry(server.url.replace("://localhost", "://127.0.0.1")).or_insert_with(|| server.clone());
            known.saved |= server.saved;
        }
    }
    let mut servers: Vec<Server> = found.into_values().collect();
    let order = |server: &Server| match &server.status {
        ServerStatus::Ready => 0,
        ServerStatus::Loading => 1,
        ServerStatus::NeedsKey => 2,
        ServerStatus::OtherApi(_) => 3,
        ServerStatus::Unreachable(_) => 4,
    };
    servers.sort_by(|a, b| order(a).cmp(&order(b)).then(a.demo.cmp(&b.demo)).then(a.url.cmp(&b.url)));
    servers
}
