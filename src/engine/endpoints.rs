//! The endpoints a user saved (`endpoints.toml` in the home folder) and the keys that belong to an origin.
//!
//! A key comes from `BENCHLOOP_OPENAI_KEYS` (`endpoint=key,…`) or, for its own origin only, from `OPENAI_API_KEY`; it is
//! sent to no other origin. Imports: client types, serde, toml.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use super::client::{BadUrl, BaseUrl, Secret};

const FILE: &str = "endpoints.toml";
/// The one origin that `OPENAI_API_KEY` is meant for.
const OPENAI: &str = "https://api.openai.com";

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    #[serde(default)]
    endpoint: Vec<SavedEndpoint>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedEndpoint {
    url: String,
}

#[derive(Debug, thiserror::Error)]
pub enum EndpointsError {
    #[error("read {path}: {why}; correct or delete the file", path = .path.display())]
    Read { path: PathBuf, why: String },
    #[error("write {path}: {source}", path = .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error(transparent)]
    BadUrl(#[from] BadUrl),
}

/// The saved addresses, in the order in which they were added.
pub fn saved(home: &Path) -> Result<Vec<BaseUrl>, EndpointsError> {
    let path = home.join(FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(EndpointsError::Read { path, why: error.to_string() }),
    };
    let saved: Saved = toml::from_str(&text).map_err(|error| EndpointsError::Read { path, why: error.to_string() })?;
    saved.endpoint.iter().map(|endpoint| Ok(BaseUrl::parse(&endpoint.url)?)).collect()
}

fn write(home: &Path, urls: &[BaseUrl]) -> Result<(), EndpointsError> {
    let path = home.join(FILE);
    let write_error = |source| EndpointsError::Write { path: path.clone(), source };
    let endpoint = urls.iter().map(|url| SavedEndpoint { url: url.as_str().to_owned() }).collect();
    let text = toml::to_string(&Saved { endpoint }).map_err(|error| write_error(io::Error::other(error)))?;
    super::store::write_atomically(&path, text.as_bytes()).map_err(write_error)
}

/// Saves an address once.
pub fn add(home: &Path, url: &BaseUrl) -> Result<(), EndpointsError> {
    let mut urls = saved(home)?;
    if !urls.iter().any(|known| known.as_str() == url.as_str()) {
        urls.push(url.clone());
        write(home, &urls)?;
    }
    Ok(())
}

/// Forgets an address; one that was not saved is no error.
pub fn remove(home: &Path, url: &BaseUrl) -> Result<(), EndpointsError> {
    let mut urls = saved(home)?;
    urls.retain(|known| known.as_str() != url.as_str());
    write(home, &urls)
}

/// Addresses from `BENCHLOOP_EXTRA_ENDPOINTS` (`url|type|label,…`); type and label are hints that nobody needs.
pub fn extra() -> Vec<BaseUrl> {
    let list = env::var("BENCHLOOP_EXTRA_ENDPOINTS").unwrap_or_default();
    list.split(',').filter_map(|entry| BaseUrl::parse(entry.split('|').next().unwrap_or(entry)).ok()).collect()
}

/// The key for this address, if the user gave one for its origin.
pub fn key_for(base: &BaseUrl) -> Option<Secret> {
    let listed = env::var("BENCHLOOP_OPENAI_KEYS").unwrap_or_default();
    let openai = env::var("OPENAI_API_KEY").unwrap_or_default();
    key_among(base, &listed, &openai)
}

fn key_among(base: &BaseUrl, listed: &str, openai: &str) -> Option<Secret> {
    let own = listed.split(',').filter_map(|pair| {
        let (endpoint, key) = pair.trim().split_once('=')?;
        let endpoint = BaseUrl::parse(endpoint).ok()?;
        (endpoint.origin() == base.origin() && !key.is_empty()).then(|| Secret::new(key))
    });
    own.into_iter().next().or_else(|| (base.origin() == OPENAI && !openai.is_empty()).then(|| Secret::new(openai)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(url: &str) -> BaseUrl {
        BaseUrl::parse(url).unwrap()
    }

    #[test]
    fn a_key_goes_to_its_own_origin_only() {
        let listed = "http://box:8000=k1, https://api.example.com/v1=k2";
        assert!(key_among(&base("http://box:8000/v1"), listed, "").is_some());
        let padded = key_among(&base("http://box:8000"), "http://box:8000=YWJj==", "");
        assert_eq!(padded.as_ref().map(Secret::reveal), Some("YWJj=="));
        assert!(key_among(&base("http://box:8001"), listed, "o").is_none());
        assert!(key_among(&base("http://api.example.com"), listed, "").is_none());
        assert!(key_among(&base("https://api.openai.com/v1"), "", "o").is_some());
        assert!(key_among(&base("https://api.openai.com.evil.example"), "", "o").is_none());
    }

    #[test]
    fn an_endpoint_is_saved_once_and_can_be_forgotten() {
        let home = tempfile::tempdir().unwrap();
        add(home.path(), &base("http://box:8000/v1")).unwrap();
        add(home.path(), &base("http://box:8000")).unwrap();
        assert_eq!(saved(home.path()).unwrap().len(), 1);

        remove(home.path(), &base("http://box:8000/")).unwrap();

        assert!(saved(home.path()).unwrap().is_empty());
    }

    #[test]
    fn a_broken_file_is_named_and_not_overwritten() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join(FILE), "not toml [").unwrap();
        let error = add(home.path(), &base("http://box")).unwrap_err().to_string();
        assert!(error.contains("endpoints.toml"), "{error}");
        assert_eq!(fs::read_to_string(home.path().join(FILE)).unwrap(), "not toml [");
    }
}
