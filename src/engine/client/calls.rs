//! Fragments of tool calls → calls. Servers number them, name them by id, or do neither; some number all of them 0.

use serde_json::Value;

use super::delta::{Arguments, CallPart};
use crate::domain::transcript::ToolCall;

/// The calls of one answer, in the order in which they were opened.
#[derive(Debug, Default)]
pub struct Calls(Vec<Open>);

#[derive(Debug, Default)]
struct Open {
    index: Option<u64>,
    id: Option<String>,
    name: String,
    raw: String,
    value: Option<Value>,
    whole: bool,
}

impl Open {
    /// Whether the arguments so far are a whole JSON object, so that nothing can follow.
    fn is_complete(&self) -> bool {
        self.whole || self.value.is_some() || serde_json::from_str::<Value>(&self.raw).is_ok_and(|v| v.is_object())
    }
}

impl Calls {
    /// Adds a fragment to the call it belongs to: by id, then by index, then to the last one.
    pub fn push(&mut self, part: CallPart) {
        let place = if part.whole { None } else { self.place(&part) };
        let call = match place.and_then(|at| self.0.get_mut(at)) {
            Some(call) => call,
            None => {
                self.0.push(Open { index: part.index, whole: part.whole, ..Open::default() });
                let Some(call) = self.0.last_mut() else { return };
                call
            }
        };
        if call.id.is_none() {
            call.id = part.id;
        }
        if let Some(name) = part.name
            && name != call.name
        {
            call.name.push_str(&name);
        }
        match part.arguments {
            Arguments::Absent => {}
            Arguments::Text(text) => call.raw.push_str(&text),
            Arguments::Json(value) => call.value = Some(value),
        }
    }

    /// The call that a fragment continues; `None` opens a new one.
    fn place(&self, part: &CallPart) -> Option<usize> {
        let clashes = |open: &Open| matches!((open.index, part.index), (Some(a), Some(b)) if a != b);
        if let Some(id) = &part.id {
            let named = self.0.iter().rposition(|open| open.id.as_ref() == Some(id) && !clashes(open));
            return named.or_else(|| {
                let same_index = |open: &Open| part.index.is_some() && open.index == part.index;
                self.0.iter().rposition(|open| open.id.is_none() && same_index(open) && !open.is_complete())
            });
        }
        let at = match part.index {
            Some(index) => self.0.iter().rposition(|open| open.index == Some(index))?,
            None => self.0.len().checked_sub(1)?,
        };
        let open = self.0.get(at)?;
        let starts_another = part.name.as_ref().is_some_and(|name| {
            open.is_complete() || (part.index.is_none() && !open.name.is_empty() && *name != open.name)
        });
        (!starts_another).then_some(at)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The calls with their arguments read; `true` if any of these is no JSON object.
    pub fn finish(self) -> (Vec<ToolCall>, bool) {
        let calls: Vec<_> = self
            .0
            .into_iter()
            .map(|open| match open.value {
                Some(value) => ToolCall {
                    id: open.id,
                    name: open.name,
                    arguments_raw: value.to_string(),
                    arguments: value.is_object().then_some(value),
                },
                None => ToolCall::from_text(open.id, open.name, open.raw),
            })
            .collect();
        let malformed = calls.iter().any(|call| call.arguments.is_none());
        (calls, malformed)
    }
}
