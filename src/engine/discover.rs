//! Asks addresses what listens there: the usual local ports and the saved endpoints, all at once, with short limits.
//! Imports: domain, `client` types, `inquire`, `fingerprint`.

use std::{collections::BTreeMap, time::Duration};

use futures_util::{
    StreamExt,
    future::join_all,
    stream::{self, FuturesUnordered},
};
use serde_json::{Value, json};

use super::{
    client::{BaseUrl, Secret},
    fingerprint::{self, FIRST, Question, Replies},
    inquire::Inquiry,
};
use crate::domain::model::{ModelInfo, Product, Server, ServerStatus};

/// Ports on which local model servers usually listen. They say where to look, never what is there.
pub const PORTS: [u16; 11] = [11434, 11435, 11436, 11437, 1234, 1337, 8000, 8080, 8081, 5001, 10240];

/// How long a question may take.
const LIMIT: Duration = Duration::from_millis(900);
/// For an endpoint the user named, which may be across a slow network.
const NAMED_LIMIT: Duration = Duration::from_secs(5);
/// Models of one server that are asked for details, and how many at once.
const DESCRIBED: usize = 100;
const AT_ONCE: usize = 8;

async fn ask_all(inquiry: &Inquiry<'_>, questions: &[Question], replies: &mut Replies) {
    let asked: Vec<_> = questions.iter().map(|question| inquiry.ask(*question)).collect();
    for (question, reply) in questions.iter().copied().zip(join_all(asked).await) {
        match reply {
            Ok(reply) => _ = replies.answers.insert(question, reply),
            Err(why) => _ = replies.failure.get_or_insert(why),
        }
    }
}

async fn probe_within(base: &BaseUrl, key: Option<&Secret>, limit: Duration) -> Server {
    let mut replies = Replies::default();
    let inquiry = match Inquiry::new(base, key, limit) {
        Ok(inquiry) => inquiry,
        Err(error) => {
            replies.failure = Some(error.to_string());
            return fingerprint::recognise(base.as_str(), &replies);
        }
    };
    ask_all(&inquiry, &FIRST, &mut replies).await;
    ask_all(&inquiry, &fingerprint::next(&replies), &mut replies).await;
    let mut server = fingerprint::recognise(base.as_str(), &replies);
    if server.product == Product::Ollama {
        describe(&inquiry, &mut server.models, limit).await;
    }
    server
}

/// Asks Ollama about its models one by one, for capabilities and the largest context. What did not answer in time stays
/// as the list says.
async fn describe(inquiry: &Inquiry<'_>, models: &mut [ModelInfo], limit: Duration) {
    let bodies: Vec<Value> = models.iter().take(DESCRIBED).map(|model| json!({"model": model.name})).collect();
    let shown: Vec<_> = bodies.into_iter().map(|body| inquiry.post("/api/show", body)).collect();
    let mut shown = stream::iter(shown).buffered(AT_ONCE).enumerate();
    let mut told = Vec::new();
    // an answer that is late is done without
    _ = tokio::time::timeout(limit, async {
        while let Some((at, reply)) = shown.next().await {
            told.push((at, reply.ok()));
        }
    })
    .await;
    drop(shown);
    for (at, reply) in told {
        let show = reply.filter(|reply| reply.status == 200).and_then(|reply| reply.json);
        if let (Some(model), Some(show)) = (models.get_mut(at), show) {
            fingerprint::describe(model, &show);
        }
    }
}

/// Asks one endpoint that the user named.
pub async fn probe(base: &BaseUrl, key: Option<&Secret>) -> Server {
    probe_within(base, key, NAMED_LIMIT).await
}

/// Where to look: an address, its key, the user's name for it, and whether the user saved it.
pub struct Place {
    pub base: BaseUrl,
    pub key: Option<Secret>,
    pub label: Option<String>,
    pub saved: bool,
}

/// The usual local ports, on IPv4 before IPv6.
pub fn usual() -> impl Iterator<Item = BaseUrl> {
    let hosts = ["127.0.0.1", "[::1]"];
    let at = move |port: &u16| hosts.map(|host| BaseUrl::parse(&format!("http://{host}:{port}")).ok());
    PORTS.iter().flat_map(at).flatten()
}

/// Asks all places at once. Saved ones are listed whatever they answer; others only where a server was found or
/// something else answered. One server under two spellings is listed once.
pub async fn discover(places: Vec<Place>) -> Vec<Server> {
    let asked = places.into_iter().enumerate().map(|(order, place)| async move {
        let mut server = probe_within(&place.base, place.key.as_ref(), LIMIT).await;
        (server.saved, server.label) = (place.saved, place.label);
        (order, server)
    });
    let mut answers: Vec<(usize, Server)> = asked.collect::<FuturesUnordered<_>>().collect().await;
    answers.sort_by_key(|(order, _)| *order);
    merge(answers.into_iter().map(|(_, server)| server).collect())
}

/// One entry per address, those that can be used first.
fn merge(answers: Vec<Server>) -> Vec<Server> {
    let mut found: BTreeMap<String, Server> = BTreeMap::new();
    for server in answers {
        if server.saved || !matches!(server.status, ServerStatus::Unreachable(_)) {
            let known =
                found.entry(server.url.replace("://localhost", "://127.0.0.1")).or_insert_with(|| server.clone());
            known.saved |= server.saved;
            known.label = known.label.take().or(server.label);
        }
    }
    let twins: Vec<String> = found.iter().filter_map(|(url, server)| twin_to_drop(url, server, &found)).collect();
    found.retain(|url, _| !twins.contains(url));
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

/// A server that listens on both loopback addresses is one: the address that the user did not save is left out, the
/// IPv6 one if neither was.
fn twin_to_drop(url: &str, server: &Server, found: &BTreeMap<String, Server>) -> Option<String> {
    let other = url.replace("://[::1]", "://127.0.0.1");
    let twin = found.get(&other).filter(|_| other != url)?;
    let same = (server.product, &server.version, &server.status) == (twin.product, &twin.version, &twin.status)
        && server.models.iter().map(|model| &model.name).eq(twin.models.iter().map(|model| &model.name));
    match (same, server.saved, twin.saved) {
        (false, ..) | (_, true, true) => None,
        (_, true, false) => Some(other),
        (_, false, _) => Some(url.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(url: &str, version: &str, saved: bool) -> Server {
        Server { version: Some(version.into()), saved, ..Server::unknown(url) }
    }

    fn urls(answers: Vec<Server>) -> Vec<String> {
        merge(answers).into_iter().map(|server| server.url).collect()
    }

    #[test]
    fn one_server_on_both_loopback_addresses_is_listed_once() {
        let (four, six) = ("http://127.0.0.1:11434", "http://[::1]:11434");
        assert_eq!(urls(vec![server(four, "1", false), server(six, "1", false)]), [four]);
        assert_eq!(urls(vec![server(four, "1", false), server(six, "1", true)]), [six], "the saved one can be removed");
        assert_eq!(urls(vec![server(four, "1", false), server(six, "2", false)]).len(), 2, "two servers");
        assert_eq!(urls(vec![server(six, "1", false)]), [six], "a server on IPv6 alone is found");
    }

    #[test]
    fn spellings_of_an_origin_are_merged_and_mount_points_are_not() {
        let saved = server("http://localhost:8000", "1", true);
        let merged = merge(vec![saved, server("http://127.0.0.1:8000", "1", false)]);
        assert_eq!((merged.len(), merged[0].saved), (1, true));
        assert_eq!(urls(vec![server("http://a", "1", true), server("http://a/openai", "1", true)]).len(), 2);
    }

    #[test]
    fn both_loopback_addresses_of_every_usual_port_are_asked() {
        let all: Vec<String> = usual().map(|base| base.as_str().to_owned()).collect();
        assert_eq!(all.len(), 2 * PORTS.len());
        assert_eq!(all[..2], ["http://127.0.0.1:11434", "http://[::1]:11434"]);
    }
}
