//! What the page's address asks for: which models are shown, what is searched on Hugging Face, which repository is open.

use crate::domain::{hub::HubQuery, leaderboard::encoded};

/// Context sizes that the estimate is offered for, in tokens; the second is what a run asks for.
pub const CONTEXTS: [u64; 5] = [4_096, 10_240, 32_768, 65_536, 131_072];
const USUAL_CONTEXT: u64 = CONTEXTS[1];
const USUAL_FORMAT: &str = "gguf";

/// The address, read.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Part of a model's name.
    pub find: String,
    /// Address of the one server whose models are shown.
    pub server: String,
    /// What is searched; `None`: nothing is asked of the Hub.
    pub hub: Option<String>,
    /// Empty: any.
    pub format: String,
    /// Empty: what suits the search.
    pub sort: String,
    pub page: u32,
    /// The open repository; empty: none.
    pub repo: String,
    pub context: u64,
}

impl Look {
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let text = |name: &str| get(name).map(|value| value.trim().to_owned()).unwrap_or_default();
        let number = |name: &str| text(name).parse::<u64>().ok();
        Self {
            find: text("find"),
            server: text("server"),
            hub: get("hf"),
            format: get("format").unwrap_or_else(|| USUAL_FORMAT.to_owned()),
            sort: text("sort"),
            page: number("page").map_or(1, |page| page.clamp(1, u64::from(HubQuery::LAST_PAGE)) as u32),
            repo: text("repo"),
            context: number("ctx").filter(|n| (256..=10_000_000).contains(n)).unwrap_or(USUAL_CONTEXT),
        }
    }

    /// The query of the address, with `?`; what is usual is left out.
    pub fn query(&self) -> String {
        let mut pairs = Vec::new();
        let mut push = |name: &str, value: &str, usual: bool| {
            if !usual {
                pairs.push(format!("{name}={}", encoded(value)));
            }
        };
        push("find", &self.find, self.find.is_empty());
        push("server", &self.server, self.server.is_empty());
        push("hf", self.hub.as_deref().unwrap_or_default(), self.hub.is_none());
        push("format", &self.format, self.format == USUAL_FORMAT);
        push("sort", &self.sort, self.sort.is_empty());
        push("ctx", &self.context.to_string(), self.context == USUAL_CONTEXT);
        push("page", &self.page.to_string(), self.page == 1);
        push("repo", &self.repo, self.repo.is_empty());
        format!("?{}", pairs.join("&"))
    }

    /// The same page with another search text, from its beginning.
    pub fn searching(&self, text: &str) -> Self {
        Self { hub: Some(text.to_owned()), page: 1, repo: String::new(), ..self.clone() }
    }

    pub fn on_page(&self, page: u32) -> Self {
        Self { page, repo: String::new(), ..self.clone() }
    }

    /// The page with this repository open, or shut where it is.
    pub fn toggling(&self, repo: &str) -> Self {
        let repo = if self.repo == repo { String::new() } else { repo.to_owned() };
        Self { repo, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Look {
        let pairs: Vec<(String, String)> = query
            .trim_start_matches('?')
            .split('&')
            .filter_map(|pair| pair.split_once('='))
            .map(|(name, value)| (name.to_owned(), value.replace("%20", " ").replace("%2F", "/")))
            .collect();
        Look::read(|name| pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()))
    }

    #[test]
    fn an_address_survives_and_says_only_what_is_unusual() {
        assert_eq!(read("").query(), "?");
        let look =
            Look { page: 3, format: String::new(), context: 32_768, ..read("").searching("qwen 3") }.toggling("o/n");
        assert_eq!(look.query(), "?hf=qwen%203&format=&ctx=32768&page=3&repo=o%2Fn");
        assert_eq!(read(&look.query()), look);
    }

    #[test]
    fn a_new_search_begins_at_its_first_page_and_nonsense_is_the_usual() {
        let look = read("page=7&repo=o/n&hf=a").searching("b");
        assert_eq!((look.page, look.repo.as_str()), (1, ""));
        assert_eq!((read("page=x&ctx=1").page, read("ctx=1").context), (1, 10_240));
        assert_eq!(read("page=9999").page, HubQuery::LAST_PAGE);
        assert_eq!(read("repo=o/n").toggling("o/n").repo, "");
    }
}
