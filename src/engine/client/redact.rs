//! Keeps a key out of what a server says: some repeat the request's headers in an error or even in an answer.

use serde_json::Value;

use super::{HIDDEN, Secret};
use crate::domain::sample::Sample;

/// The sample with the key replaced in every text of it.
pub fn sample(sample: Sample, key: &Secret) -> Sample {
    let Ok(mut value) = serde_json::to_value(&sample) else { return sample };
    if !key.is_secret() || !hide(&mut value, key.reveal()) {
        return sample;
    }
    // every text was replaced by a text, so it is a sample still
    serde_json::from_value(value).unwrap_or_else(|_| Sample { answer: String::new(), ..sample })
}

/// Replaces the key in all texts; tells whether there was one.
fn hide(value: &mut Value, key: &str) -> bool {
    match value {
        Value::String(text) if text.contains(key) => {
            *text = text.replace(key, HIDDEN);
            true
        }
        Value::Array(items) => items.iter_mut().fold(false, |any, item| hide(item, key) | any),
        Value::Object(fields) => {
            let named: Vec<String> = fields.keys().filter(|name| name.contains(key)).cloned().collect();
            for name in &named {
                if let Some(value) = fields.remove(name) {
                    fields.insert(name.replace(key, HIDDEN), value);
                }
            }
            fields.values_mut().fold(!named.is_empty(), |any, field| hide(field, key) | any)
        }
        _ => false,
    }
}

/// Hides a key in text that comes in pieces: what could be its beginning is held back until more is known.
pub struct Veil {
    key: String,
    held: String,
}

impl Veil {
    pub fn new(key: &Secret) -> Self {
        Self { key: key.reveal().to_owned(), held: String::new() }
    }

    /// Takes a piece, gives what may be shown.
    pub fn push(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        self.held = self.held.replace(&self.key, HIDDEN);
        let starts = |at: &usize| self.held.is_char_boundary(*at) && self.key.starts_with(&self.held[*at..]);
        let from = self.held.len().saturating_sub(self.key.len());
        let keep = (from..self.held.len()).find(starts).unwrap_or(self.held.len());
        let rest = self.held.split_off(keep);
        std::mem::replace(&mut self.held, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::sample::{ErrorKind, SampleError, SampleState};

    #[test]
    fn a_key_is_hidden_wherever_it_was_cut() {
        let (key, text) = ("sk-secret-12345", "before sk-sec sk-secret-12345 ähm sk-secret-12345");
        for cut in (0..=text.len()).filter(|at| text.is_char_boundary(*at)) {
            let mut veil = Veil::new(&Secret::new(key));
            let mut shown = veil.push(&text[..cut]);
            shown.push_str(&veil.push(&text[cut..]));
            assert_eq!(shown, "before sk-sec *** ähm ***", "cut at {cut}");
        }
    }

    #[test]
    fn every_text_of_a_sample_is_cleaned_and_the_figures_stay() {
        let key = Secret::new("sk-secret-12345");
        let error =
            SampleError { kind: ErrorKind::ErrorBody, message: "bad key sk-secret-12345".into(), status: Some(401) };
        let dirty = Sample {
            answer: "you said sk-secret-12345".into(),
            ..Sample::failed(SampleState::ProviderError, None, error)
        };

        let clean = sample(dirty.clone(), &key);

        assert_eq!((clean.answer.as_str(), clean.state), ("you said ***", SampleState::ProviderError));
        assert_eq!(clean.error.unwrap().message, "bad key ***");
        assert_eq!(sample(dirty.clone(), &Secret::new("said")), dirty, "a word is no secret");
    }
}
