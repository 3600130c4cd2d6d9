//! Which addresses may be followed: http and https with a host that can be shown. Everything else stays text.

/// Bytes of an address.
const LONGEST: usize = 2000;

/// The host that an address leads to, in lower case; `None` if the address may not be followed. Userinfo before the host, which
/// only serves to mislead, is no part of it.
pub fn host(address: &str) -> Option<String> {
    let (scheme, rest) = address.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '\\' | '<' | '>' | '"');
    if !is_web || address.len() > LONGEST || !address.chars().all(is_plain) {
        return None;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let is_host = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | ':' | '[' | ']');
    (host.chars().any(char::is_alphanumeric) && host.chars().all(is_host)).then(|| host.to_lowercase())
}

/// The address at the beginning of `text` as it stands in a sentence, without the punctuation after it.
pub(super) fn bare(text: &str) -> Option<&str> {
    // by bytes: a cut inside a letter must not panic
    let starts = |prefix: &str| text.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix));
    if !starts("http://") && !starts("https://") {
        return None;
    }
    let ends = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '<' | '>' | '"' | '`' | '\\' | '|' | '*');
    let text = &text[..text.floor_char_boundary(LONGEST)];
    let mut address = text.split(ends).next().unwrap_or_default();
    loop {
        let shorter = address.trim_end_matches(['.', ',', ';', ':', '!', '?', '\'', ']', '_', '~']);
        let opened = shorter.matches('(').count();
        let shorter = match shorter.strip_suffix(')') {
            Some(inner) if shorter.matches(')').count() > opened => inner,
            _ => shorter,
        };
        if shorter.len() == address.len() {
            break;
        }
        address = shorter;
    }
    host(address).map(|_| address)
}

/// The target after `](`: the address and how many bytes it takes with its closing bracket. A title is skipped.
pub(super) fn target(text: &str) -> Option<(&str, usize)> {
    let (mut depth, mut end) = (0_usize, None);
    for (at, c) in text.char_indices().take(LONGEST) {
        match c {
            '\n' => break,
            '(' => depth += 1,
            ')' if depth == 0 => {
                end = Some(at);
                break;
            }
            ')' => depth -= 1,
            _ => {}
        }
    }
    let end = end?;
    let inside = text[..end].trim();
    let (address, title) = inside.split_once(' ').map_or((inside, ""), |(address, title)| (address, title.trim()));
    let quoted = |c: char| title.len() >= 2 && title.starts_with(c) && title.ends_with(c);
    let address = address.strip_prefix('<').and_then(|inner| inner.strip_suffix('>')).unwrap_or(address);
    (title.is_empty() || quoted('"') || quoted('\'')).then_some((address, end + 1))
}
