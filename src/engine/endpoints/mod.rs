//! The endpoints a user saved (`endpoints.toml` in the home folder) and the keys that belong to an origin.
//!
//! A key comes from `endpoints.toml`, from `BENCHLOOP_OPENAI_KEYS` (`endpoint=key,…`) or, for its own origin only, from
//! `OPENAI_API_KEY`; it is sent to no other origin. The file is readable by its owner alone. What can't be read of it is
//! reported with its line and kept as it is; what can be read is used. Imports: client types, store, toml.

mod file;

use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

use tracing::warn;

use self::file::{Block, Document};
use super::client::{BadUrl, BaseUrl, Secret};

/// The file's name within the home folder.
pub const FILE: &str = "endpoints.toml";
/// The one origin that `OPENAI_API_KEY` is meant for.
const OPENAI: &str = "https://api.openai.com";

/// A saved address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    pub base: BaseUrl,
    pub key: Option<Secret>,
    /// The user's name for it.
    pub label: Option<String>,
}

/// Something in the settings that could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where: `endpoints.toml, line 7`, `BENCHLOOP_EXTRA_ENDPOINTS, entry 2`.
    pub place: String,
    /// What is wrong and what to do; never holds a key.
    pub what: String,
}

#[derive(Debug, thiserror::Error)]
pub enum EndpointsError {
    #[error("read {path}: {why}; correct or delete the file", path = .path.display())]
    Read { path: PathBuf, why: String },
    #[error("write {path}: {source}", path = .path.display())]
    Write { path: PathBuf, source: io::Error },
    #[error("save the key: it is empty or holds characters that no HTTP header may hold")]
    BadKey,
    #[error(transparent)]
    BadUrl(#[from] BadUrl),
}

/// What the file holds: the entries in the order in which they were added, and what could not be read.
#[derive(Debug, Clone, Default)]
pub struct Saved {
    pub endpoints: Vec<Endpoint>,
    pub problems: Vec<Problem>,
}

fn read(home: &Path) -> Result<(Document, Option<Problem>), EndpointsError> {
    let path = home.join(FILE);
    match fs::read_to_string(&path) {
        Ok(text) => {
            let problem = close(&path);
            Ok((Document::read(&text), problem))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok((Document::default(), None)),
        Err(error) => Err(EndpointsError::Read { path, why: error.to_string() }),
    }
}

/// Takes a file that others may read back to its owner; the problem says so, once.
#[cfg(unix)]
fn close(path: &Path) -> Option<Problem> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path).ok()?.permissions().mode() & 0o777;
    if mode & 0o077 == 0 {
        return None;
    }
    let place = FILE.to_owned();
    let what = match fs::set_permissions(path, fs::Permissions::from_mode(0o600)) {
        Ok(()) => format!(
            "others could read the file (mode {mode:03o}); it now belongs to you alone (600). Replace its keys if others use this machine"
        ),
        Err(error) => format!(
            "others can read the file (mode {mode:03o}) and this could not be changed: {error}; run chmod 600 on it"
        ),
    };
    warn!(file = %path.display(), "{what}");
    Some(Problem { place, what })
}

#[cfg(not(unix))]
fn close(_: &Path) -> Option<Problem> {
    None
}

/// The saved endpoints. Entries that can't be read don't hide the others.
pub fn saved(home: &Path) -> Result<Saved, EndpointsError> {
    let (document, problem) = read(home)?;
    let mut saved = Saved { problems: problem.into_iter().collect(), ..Saved::default() };
    for block in &document.blocks {
        match block.endpoint() {
            Ok(Some(endpoint)) => saved.endpoints.push(endpoint),
            Ok(None) => {}
            Err((line, what)) => saved.problems.push(Problem { place: format!("{FILE}, line {line}"), what }),
        }
    }
    Ok(saved)
}

fn write(home: &Path, document: &Document) -> Result<(), EndpointsError> {
    let path = home.join(FILE);
    let write_error = |source| EndpointsError::Write { path: path.clone(), source };
    super::store::write_private(&path, document.text().as_bytes()).map_err(write_error)
}

/// Saves an address once; a key or a label that is given replaces the saved one.
pub fn add(home: &Path, base: &BaseUrl, key: Option<Secret>, label: Option<&str>) -> Result<(), EndpointsError> {
    if key.as_ref().is_some_and(|key| !is_header_text(key.reveal())) {
        return Err(EndpointsError::BadKey);
    }
    let (mut document, _) = read(home)?;
    let label = label.map(str::trim).filter(|label| !label.is_empty());
    let is_it = |block: &Block| matches!(block.endpoint(), Ok(Some(known)) if known.base == *base);
    let known = document.blocks.iter_mut().find(|block| is_it(block));
    match known {
        Some(_) if key.is_none() && label.is_none() => return Ok(()),
        Some(block) => {
            let Ok(Some(mut endpoint)) = block.endpoint() else { return Ok(()) };
            endpoint.key = key.or(endpoint.key);
            endpoint.label = label.map(str::to_owned).or(endpoint.label);
            *block = Block::of(&endpoint);
        }
        None => {
            let endpoint = Endpoint { base: base.clone(), key, label: label.map(str::to_owned) };
            document.blocks.push(Block::of(&endpoint));
        }
    }
    write(home, &document)
}

/// Forgets an address and its key; one that was not saved is no error.
pub fn remove(home: &Path, base: &BaseUrl) -> Result<(), EndpointsError> {
    let (mut document, _) = read(home)?;
    let before = document.blocks.len();
    document.blocks.retain(|block| !matches!(block.endpoint(), Ok(Some(known)) if known.base == *base));
    if document.blocks.len() == before { Ok(()) } else { write(home, &document) }
}

/// Whether a header can carry the text.
fn is_header_text(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| (0x21..0x7f).contains(&byte))
}

/// Addresses from `BENCHLOOP_EXTRA_ENDPOINTS` (`url|type|label,…`). The type is a hint that nobody needs.
pub fn extra() -> Saved {
    extra_in(&env::var("BENCHLOOP_EXTRA_ENDPOINTS").unwrap_or_default())
}

fn extra_in(list: &str) -> Saved {
    let mut saved = Saved::default();
    for (at, entry) in list.split(',').map(str::trim).enumerate().filter(|(_, entry)| !entry.is_empty()) {
        let mut parts = entry.split('|').map(str::trim);
        let label = |text: Option<&str>| text.filter(|label| !label.is_empty()).map(str::to_owned);
        match BaseUrl::parse(parts.next().unwrap_or_default()) {
            Ok(base) => saved.endpoints.push(Endpoint { base, key: None, label: label(parts.nth(1)) }),
            Err(why) => saved.problems.push(Problem {
                place: format!("BENCHLOOP_EXTRA_ENDPOINTS, entry {}", at + 1),
                what: format!("{why}; entries are url|type|label"),
            }),
        }
    }
    saved
}

/// The key for this address, if the user gave one for its origin: saved with it, else from the environment.
pub fn key_for(home: &Path, base: &BaseUrl) -> Option<Secret> {
    let saved = saved(home).map(|saved| saved.endpoints).unwrap_or_default();
    let listed = env::var("BENCHLOOP_OPENAI_KEYS").unwrap_or_default();
    let openai = env::var("OPENAI_API_KEY").unwrap_or_default();
    key_among(base, &saved, &listed, &openai)
}

fn key_among(base: &BaseUrl, saved: &[Endpoint], listed: &str, openai: &str) -> Option<Secret> {
    let of_origin = || saved.iter().filter(|endpoint| endpoint.base.origin() == base.origin());
    let exact = of_origin().filter(|endpoint| endpoint.base == *base).find_map(|endpoint| endpoint.key.clone());
    let stored = exact.or_else(|| of_origin().find_map(|endpoint| endpoint.key.clone()));
    let named = || {
        listed.split(',').find_map(|pair| {
            let (endpoint, key) = pair.trim().split_once('=')?;
            let endpoint = BaseUrl::parse(endpoint).ok()?;
            (endpoint.origin() == base.origin() && !key.trim().is_empty()).then(|| Secret::new(key.trim()))
        })
    };
    let own = || (base.origin() == OPENAI && !openai.trim().is_empty()).then(|| Secret::new(openai.trim()));
    stored.or_else(named).or_else(own)
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
        assert!(key_among(&base("http://box:8000/v1"), &[], listed, "").is_some());
        let padded = key_among(&base("http://box:8000"), &[], "http://box:8000=YWJj==", "");
        assert_eq!(padded.as_ref().map(Secret::reveal), Some("YWJj=="));
        assert!(key_among(&base("http://box:8001"), &[], listed, "o").is_none());
        assert!(key_among(&base("http://api.example.com"), &[], listed, "").is_none());
        assert!(key_among(&base("https://api.openai.com/v1"), &[], "", "o").is_some());
        assert!(key_among(&base("https://api.openai.com.evil.example"), &[], "", "o").is_none());
        assert!(key_among(&base("http://api.openai.com"), &[], "", "o").is_none(), "never without TLS");
    }

    #[test]
    fn a_saved_key_comes_first_and_stays_with_its_origin() {
        let key = |text: &str| Some(Secret::new(text));
        let saved = [
            Endpoint { base: base("http://box/a"), key: key("ka"), label: None },
            Endpoint { base: base("http://box/b"), key: key("kb"), label: None },
        ];
        for (url, expected) in [("http://box/b", Some("kb")), ("http://box/c", Some("ka")), ("http://other/b", None)] {
            let found = key_among(&base(url), &saved, "http://box=env", "");
            assert_eq!(found.as_ref().map(Secret::reveal), expected, "{url}");
        }
    }

    #[test]
    fn an_endpoint_is_saved_once_and_can_be_forgotten_with_its_key() {
        let home = tempfile::tempdir().unwrap();
        add(home.path(), &base("http://box:8000/v1"), None, None).unwrap();
        add(home.path(), &base("http://box:8000"), Some(Secret::new("sk-\"quoted\"")), Some("the box")).unwrap();
        add(home.path(), &base("http://box:8000"), None, None).unwrap();
        let known = saved(home.path()).unwrap().endpoints;
        assert_eq!(known.len(), 1);
        assert_eq!(known[0].key.as_ref().map(Secret::reveal), Some("sk-\"quoted\""));
        assert_eq!(known[0].label.as_deref(), Some("the box"));

        remove(home.path(), &base("http://box:8000/")).unwrap();

        assert!(saved(home.path()).unwrap().endpoints.is_empty());
        assert!(!fs::read_to_string(home.path().join(FILE)).unwrap().contains("sk-"));
    }

    #[test]
    fn a_bad_entry_is_named_with_its_line_kept_and_hides_no_other() {
        let home = tempfile::tempdir().unwrap();
        let text = "# mine\n[[endpoint]]\nurl = \"http://good\"\n\n[[endpoint]]\nurl = \"ftp://bad\"\nkey = \"sk-planted-1\"\n\n\
                    [[endpoint]]\nurl = \"http://x\nkey = \"sk-planted-2\"\n[[endpoint]]\nurl = \"http://also-good\"\n\
                    [[endpoint]]\nurl = 5\n[[endpoint]]\nurl = \"http://y\"\nkee = \"sk-planted-3\"\n[[endpoint]]\nurl = \"http://z\"\nkey = 12345678\n";
        fs::write(home.path().join(FILE), text).unwrap();

        let read = saved(home.path()).unwrap();

        let urls: Vec<&str> = read.endpoints.iter().map(|endpoint| endpoint.base.as_str()).collect();
        assert_eq!(urls, ["http://good", "http://also-good"]);
        let places: Vec<&str> =
            read.problems.iter().map(|problem| problem.place.as_str()).filter(|place| place.contains("line")).collect();
        assert_eq!(
            places,
            [
                "endpoints.toml, line 5",
                "endpoints.toml, line 10",
                "endpoints.toml, line 14",
                "endpoints.toml, line 16",
                "endpoints.toml, line 19"
            ]
        );
        let said = format!("{:?}", read.problems);
        assert!(!said.contains("sk-planted") && !said.contains("12345678"), "{said}");
        assert!(said.contains("kee") && said.contains("ftp"), "{said}");

        add(home.path(), &base("http://third"), None, None).unwrap();

        let after = fs::read_to_string(home.path().join(FILE)).unwrap();
        assert!(after.starts_with(text), "what was there is kept: {after}");
        assert_eq!(saved(home.path()).unwrap().endpoints.len(), 3);
    }

    #[cfg(unix)]
    #[test]
    fn the_file_is_its_owners_alone_and_a_wider_one_is_corrected() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(FILE);
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        add(home.path(), &base("http://box"), Some(Secret::new("k")), None).unwrap();
        assert_eq!(mode(), 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();

        let problems = saved(home.path()).unwrap().problems;

        assert_eq!(mode(), 0o600);
        assert!(problems[0].what.contains("mode 644"), "{problems:?}");
        assert!(saved(home.path()).unwrap().problems.is_empty(), "said once");
    }

    #[test]
    fn a_key_that_no_header_can_hold_is_not_saved() {
        let home = tempfile::tempdir().unwrap();
        for key in ["", "two words", "line\nbreak", "schlüssel"] {
            let refused = add(home.path(), &base("http://box"), Some(Secret::new(key)), None);
            assert!(matches!(refused, Err(EndpointsError::BadKey)), "{key:?}");
        }
    }

    #[test]
    fn extra_endpoints_have_labels_and_bad_ones_are_named() {
        let extra = extra_in("http://a:1|openai|Box, http://b ,ftp://c|x,,http://d||");
        let read: Vec<(&str, Option<&str>)> =
            extra.endpoints.iter().map(|endpoint| (endpoint.base.as_str(), endpoint.label.as_deref())).collect();
        assert_eq!(read, [("http://a:1", Some("Box")), ("http://b", None), ("http://d", None)]);
        assert_eq!(extra.problems[0].place, "BENCHLOOP_EXTRA_ENDPOINTS, entry 3");
    }
}
