//! Hugging Face: searches and looks into repositories. Asked only on the user's action, with nothing but what was typed:
//! no token, no cookie. Offline is a normal state with words of its own. `HF_ENDPOINT` names another hub.
//!
//! Reading answers is pure and stands apart from asking. Imports: domain, client types, http.

use std::{
    collections::BTreeMap,
    env,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use serde_json::Value;
use url::Url;

use super::{
    client::{BadUrl, BaseUrl, quote},
    http::{self, HttpError},
};
use crate::domain::hub::{self, HubDetails, HubFile, HubModel, HubPage, HubQuery, HubSort};

const PUBLIC: &str = "https://huggingface.co";
/// How long one question may take.
const LIMIT: Duration = Duration::from_secs(12);
/// Bytes of an answer that are read.
const MOST: usize = 16 << 20;
/// Pages of a file tree that are read, a thousand entries each.
const TREE_PAGES: usize = 20;
/// Searches whose place is remembered.
const REMEMBERED: usize = 64;

#[derive(Debug, thiserror::Error)]
pub enum HubError {
    #[error("use HF_ENDPOINT as the hub's address: {0}")]
    Endpoint(#[from] BadUrl),
    #[error(transparent)]
    Client(#[from] HttpError),
    #[error(
        "reach {host}: {why}; is this machine offline? Only search and details need it; models can be pulled by name"
    )]
    Offline { host: String, why: String },
    #[error("wait for {host}: it did not answer within {seconds} s; try again")]
    Slow { host: String, seconds: u64 },
    #[error("find {repo}: there is no such repository, or it is private")]
    NotFound { repo: String },
    #[error("open {repo}: it is gated; its owner gives access on its page after you accept the terms")]
    Gated { repo: String },
    #[error("ask {host}: it wants fewer questions (status 429); wait a minute and try again")]
    TooMany { host: String },
    #[error("ask {host}: it answered {status}: {said}")]
    Answer { host: String, status: u16, said: String },
    #[error("read {repo:?} as a repository: write owner/name")]
    BadRepo { repo: String },
    #[error("show page {page}: the search ends before it")]
    PastEnd { page: u32 },
}

/// A repository with the card that its owner wrote, as the Hub has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub details: HubDetails,
    pub files: Vec<HubFile>,
    pub card: Value,
}

/// One answer.
struct Answer {
    json: Value,
    /// Address of the next page.
    next: Option<String>,
}

/// A hub to ask. Cheap to clone; clones share what they remember.
#[derive(Clone, Default)]
pub struct Hub {
    /// `None`: what the environment says.
    at: Option<BaseUrl>,
    /// Addresses of the pages of a search, from page 2 on, in order.
    places: Arc<Mutex<BTreeMap<HubQuery, Vec<String>>>>,
}

impl Hub {
    /// The hub at this address, whatever the environment says.
    pub fn at(base: BaseUrl) -> Self {
        Self { at: Some(base), ..Self::default() }
    }

    fn base(&self) -> Result<BaseUrl, HubError> {
        self.at.clone().map_or_else(base, Ok)
    }

    /// One page of a search. The Hub hands out pages one after the other; where they begin is remembered, so that going
    /// on, back and on again costs one question each.
    pub async fn search(&self, query: &HubQuery) -> Result<HubPage, HubError> {
        let base = self.base()?;
        let page = query.page.clamp(1, HubQuery::LAST_PAGE);
        let key = HubQuery { page: 0, ..query.clone() };
        let known = self.lock().get(&key).cloned().unwrap_or_default();
        // page 1 has an address of its own; page n is the (n - 2)nd remembered one
        let mut at = page.min(known.len() as u32 + 1);
        let mut address = match at.checked_sub(2).and_then(|place| known.get(place as usize)) {
            Some(address) => address.clone(),
            None => first_page(&base, query),
        };
        loop {
            let answer = ask(&base, &address, "the search").await?;
            let next = answer.next.clone();
            self.remember(&key, at, next.as_deref());
            match next {
                Some(next) if at < page => (at, address) = (at + 1, next),
                None if at < page => return Err(HubError::PastEnd { page }),
                next => {
                    return Ok(HubPage {
                        models: models(&answer.json),
                        page,
                        more: next.is_some() && page < HubQuery::LAST_PAGE,
                    });
                }
            }
        }
    }

    /// Looks into a repository: what it says of itself, and all its files.
    pub async fn details(&self, repo: &str) -> Result<Found, HubError> {
        let base = self.base()?;
        let repo = checked(repo)?;
        let about = ask(&base, &base.join(&format!("/api/models/{repo}")), repo).await?.json;
        let tree = self.files(&base, repo).await;
        let (files, note) = match tree {
            Ok(files) => (files, None),
            // the page of a gated repository can be read, its files sometimes not
            Err(why @ (HubError::Gated { .. } | HubError::NotFound { .. })) => (Vec::new(), Some(why.to_string())),
            Err(why) => return Err(why),
        };
        let mut details = read_details(&about, repo, &files);
        details.note =
            note.or_else(|| details.choices.is_empty().then(|| "It holds no weights that are known here.".to_owned()));
        Ok(Found { details, files, card: about.get("cardData").cloned().unwrap_or(Value::Null) })
    }

    async fn files(&self, base: &BaseUrl, repo: &str) -> Result<Vec<HubFile>, HubError> {
        let mut address = Some(base.join(&format!("/api/models/{repo}/tree/main?recursive=true")));
        let mut files = Vec::new();
        for _ in 0..TREE_PAGES {
            let Some(from) = address else { break };
            let answer = ask(base, &from, repo).await?;
            files.extend(tree(&answer.json));
            address = answer.next;
        }
        Ok(files)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeMap<HubQuery, Vec<String>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remember(&self, key: &HubQuery, at: u32, next: Option<&str>) {
        let mut places = self.lock();
        if places.len() >= REMEMBERED && !places.contains_key(key) {
            places.clear();
        }
        let list = places.entry(key.clone()).or_default();
        list.truncate(at.saturating_sub(1) as usize);
        list.extend(next.map(str::to_owned));
    }
}

/// The hub's address.
fn base() -> Result<BaseUrl, HubError> {
    let named = env::var("HF_ENDPOINT").unwrap_or_default();
    Ok(BaseUrl::parse(if named.trim().is_empty() { PUBLIC } else { &named })?)
}

/// `owner/name` of plain characters, so that nothing else can be asked by way of it. A whole address is taken as well.
fn checked(repo: &str) -> Result<&str, HubError> {
    let repo = repo.trim();
    let short =
        ["https://huggingface.co/", "huggingface.co/", "hf.co/"].iter().find_map(|start| repo.strip_prefix(start));
    let short = short.unwrap_or(repo).trim_matches('/');
    let is_word = |word: &str| {
        let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
        plain && !word.is_empty() && word.len() <= 96 && !word.starts_with('.') && !word.contains("..")
    };
    let parts: Vec<&str> = short.split('/').collect();
    if matches!(parts.len(), 1 | 2) && parts.iter().all(|part| is_word(part)) {
        Ok(short)
    } else {
        Err(HubError::BadRepo { repo: repo.chars().take(120).collect() })
    }
}

fn first_page(base: &BaseUrl, query: &HubQuery) -> String {
    let sort = match query.order() {
        HubSort::Downloads => "downloads",
        HubSort::Likes => "likes",
        HubSort::Trending => "trendingScore",
        HubSort::Updated => "lastModified",
    };
    let mut pairs = url::form_urlencoded::Serializer::new(String::new());
    if !query.text.is_empty() {
        pairs.append_pair("search", &query.text);
    }
    if let Some(format) = query.format {
        pairs.append_pair("filter", format.as_str());
    } else {
        pairs.append_pair("pipeline_tag", "text-generation");
    }
    pairs.append_pair("sort", sort).append_pair("direction", "-1");
    pairs.append_pair("limit", &query.limit.clamp(1, 100).to_string()).append_pair("full", "true");
    base.join(&format!("/api/models?{}", pairs.finish()))
}

/// Asks; follows a renamed repository, but never to another origin.
async fn ask(base: &BaseUrl, address: &str, what: &str) -> Result<Answer, HubError> {
    let client = http::client(LIMIT, base.is_private())?;
    let host = base.host().to_owned();
    let mut address = address.to_owned();
    for _ in 0..4 {
        if !same_origin(base, &address) {
            return Err(HubError::Answer { host, status: 307, said: "it leads to another host".to_owned() });
        }
        let mut response = client.get(&address).send().await.map_err(|error| unreachable(&host, &error))?;
        let status = response.status().as_u16();
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        if (300..400).contains(&status)
            && let Some(to) = header("location").and_then(|to| Url::parse(&address).ok()?.join(&to).ok())
        {
            address = to.to_string();
            continue;
        }
        let (code, link) = (header("x-error-code").unwrap_or_default(), header("link"));
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| unreachable(&host, &error))? {
            body.extend_from_slice(&chunk);
            if body.len() > MOST {
                break;
            }
        }
        let text = String::from_utf8_lossy(&body);
        if status != 200 {
            return Err(refusal(&host, what, status, &code, &text));
        }
        let json = text.parse::<Value>().map_err(|_| HubError::Answer {
            host: host.clone(),
            status,
            said: format!("no JSON: {}", quote(&text, None)),
        })?;
        let next = link.as_deref().and_then(next_link).and_then(|to| Url::parse(&address).ok()?.join(&to).ok());
        return Ok(Answer { json, next: next.map(String::from) });
    }
    Err(HubError::Answer { host, status: 307, said: "it leads from one address to the next without end".to_owned() })
}

fn same_origin(base: &BaseUrl, address: &str) -> bool {
    Url::parse(address).is_ok_and(|url| url.origin().ascii_serialization() == base.origin())
}

fn unreachable(host: &str, error: &reqwest::Error) -> HubError {
    let host = host.to_owned();
    if error.is_timeout() {
        return HubError::Slow { host, seconds: LIMIT.as_secs() };
    }
    let mut why = "the connection broke off".to_owned();
    let mut source = std::error::Error::source(error);
    while let Some(inner) = source {
        why = inner.to_string();
        source = inner.source();
    }
    let why = why.split(" (os error").next().unwrap_or_default().trim_end_matches('.').to_lowercase();
    HubError::Offline { host, why }
}

/// What a status and the Hub's error code mean. It answers 401 to visitors for what is missing and what is private alike.
fn refusal(host: &str, what: &str, status: u16, code: &str, body: &str) -> HubError {
    let (host, repo) = (host.to_owned(), what.to_owned());
    let said = body.parse::<Value>().ok().and_then(|json| json.get("error")?.as_str().map(str::to_owned));
    let said = quote(&said.unwrap_or_else(|| body.to_owned()), None);
    match (status, code) {
        (_, "GatedRepo") => HubError::Gated { repo },
        (_, "RepoNotFound") | (404, _) => HubError::NotFound { repo },
        (401 | 403, _) if said.to_lowercase().contains("gated") || said.contains("restricted") => {
            HubError::Gated { repo }
        }
        (401 | 403, _) => HubError::NotFound { repo },
        (429, _) => HubError::TooMany { host },
        _ => HubError::Answer { host, status, said: if said.is_empty() { "nothing".to_owned() } else { said } },
    }
}

/// The address of the next page in a `Link` header.
fn next_link(header: &str) -> Option<String> {
    header.split(',').find_map(|link| {
        let (address, rest) = link.trim().strip_prefix('<')?.split_once('>')?;
        let is_next = rest.split(';').any(|part| matches!(part.trim(), "rel=\"next\"" | "rel=next"));
        is_next.then(|| address.to_owned())
    })
}

fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

fn model(value: &Value) -> Option<HubModel> {
    let id = text(value, "id").or_else(|| text(value, "modelId"))?;
    let tags = value.get("tags").and_then(Value::as_array).into_iter().flatten();
    let tags: Vec<String> = tags.filter_map(Value::as_str).map(str::to_owned).collect();
    let number = |name: &str| value.get(name).and_then(Value::as_u64).unwrap_or(0);
    Some(HubModel {
        downloads: number("downloads"),
        likes: number("likes"),
        pipeline: text(value, "pipeline_tag"),
        formats: hub::formats(&tags, &id),
        gated: value.get("gated").is_some_and(|gated| !matches!(gated, Value::Null | Value::Bool(false))),
        private: value.get("private").and_then(Value::as_bool).unwrap_or(false),
        created_at: text(value, "createdAt"),
        updated_at: text(value, "lastModified"),
        tags,
        id,
    })
}

fn models(list: &Value) -> Vec<HubModel> {
    list.as_array().into_iter().flatten().filter_map(model).collect()
}

fn tree(list: &Value) -> Vec<HubFile> {
    let file = |entry: &Value| {
        let size = entry.pointer("/lfs/size").and_then(Value::as_u64).or_else(|| entry.get("size")?.as_u64());
        let is_file = entry.get("type").and_then(Value::as_str) != Some("directory");
        Some(HubFile { path: text(entry, "path").filter(|_| is_file)?, size_bytes: size.unwrap_or(0) })
    };
    list.as_array().into_iter().flatten().filter_map(file).collect()
}

fn read_details(about: &Value, repo: &str, files: &[HubFile]) -> HubDetails {
    let found = model(about).unwrap_or_else(|| HubModel { id: repo.to_owned(), ..HubModel::default() });
    let number = |path: &str| about.pointer(path).and_then(Value::as_u64).filter(|n| *n > 0);
    let word =
        |path: &str| about.pointer(path).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned);
    let license = word("/cardData/license")
        .or_else(|| found.tags.iter().find_map(|tag| tag.strip_prefix("license:").map(str::to_owned)));
    HubDetails {
        choices: hub::choices(&found.id, &found.formats, files),
        license,
        architecture: word("/gguf/architecture").or_else(|| word("/config/model_type")),
        parameters: number("/gguf/total").or_else(|| number("/safetensors/total")),
        context_max: number("/gguf/context_length"),
        files: files.len() as u32,
        note: None,
        model: found,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_next_page_is_read_from_the_link_header() {
        for (header, expected) in [
            ("<https://hub/api/models?cursor=a%3D>; rel=\"next\"", Some("https://hub/api/models?cursor=a%3D")),
            ("<https://hub/1>; rel=\"prev\", <https://hub/3>; rel=\"next\"", Some("https://hub/3")),
            ("<https://hub/1>; rel=\"prev\"", None),
            ("nonsense", None),
        ] {
            assert_eq!(next_link(header).as_deref(), expected, "{header}");
        }
    }

    #[test]
    fn a_repository_is_owner_and_name_and_nothing_else() {
        for (given, expected) in [
            ("Qwen/Qwen3-8B-GGUF", Some("Qwen/Qwen3-8B-GGUF")),
            ("gpt2", Some("gpt2")),
            (" https://huggingface.co/o/n/ ", Some("o/n")),
            ("hf.co/o/n", Some("o/n")),
            ("../secrets", None),
            ("o/n/tree", None),
            ("o/n?x=1", None),
            ("o/n#x", None),
            ("o//n", None),
            ("o/..", None),
            ("", None),
        ] {
            assert_eq!(checked(given).ok(), expected, "{given}");
        }
    }

    #[test]
    fn what_is_asked_is_what_was_typed() {
        let base = BaseUrl::parse(PUBLIC).unwrap();
        let query = HubQuery { format: Some(hub::WeightFormat::Gguf), ..HubQuery::new("a&b c") };
        assert_eq!(
            first_page(&base, &query),
            "https://huggingface.co/api/models?search=a%26b+c&filter=gguf&sort=downloads&direction=-1&limit=20&full=true"
        );
    }

    #[test]
    fn refusals_have_words_of_their_own() {
        for (status, code, body, expected) in [
            (401, "RepoNotFound", "", "no such repository"),
            (401, "", r#"{"error":"Invalid username or password."}"#, "no such repository"),
            (403, "GatedRepo", "", "gated"),
            (401, "", r#"{"error":"Access to model o/n is restricted."}"#, "gated"),
            (404, "", "", "no such repository"),
            (429, "", "", "fewer questions"),
            (500, "", "<h1>oops</h1>", "500: oops"),
        ] {
            let said = refusal("hub", "o/n", status, code, body).to_string();
            assert!(said.contains(expected), "{status} {code}: {said}");
        }
    }

    #[test]
    fn lists_and_trees_are_read_leniently() {
        let list = json!([{"id": "o/n", "downloads": 7, "tags": ["gguf", 5], "gated": "manual"}, {"no": "id"}, null]);
        let found = models(&list);
        assert_eq!((found.len(), found[0].downloads, found[0].gated), (1, 7, true));
        let files = tree(&json!([
            {"type": "directory", "path": "a", "size": 0},
            {"type": "file", "path": "a/m-Q4_0.gguf", "size": 130, "lfs": {"size": 900}},
            {"type": "file", "path": "README.md", "size": 12}
        ]));
        assert_eq!(files.iter().map(|file| file.size_bytes).collect::<Vec<_>>(), [900, 12]);
        let about = json!({"id": "o/n", "tags": ["gguf", "license:mit"], "gguf": {"total": 8_000_000_000_u64, "context_length": 40960, "architecture": "qwen3"}});
        let details = read_details(&about, "o/n", &files);
        assert_eq!((details.license.as_deref(), details.context_max), (Some("mit"), Some(40960)));
        assert_eq!(details.choices[0].pull.as_deref(), Some("hf.co/o/n:Q4_0"));
    }
}
