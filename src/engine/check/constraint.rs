//! Rules a program can verify, each its own part of the verdict. Every text is read twice: strict, as it stands, and
//! loose, without what models put around it ([`text::loose`]; with its markdown, too, for rules about markdown,
//! [`text::unwrapped`]). A rule that is met only loosely is met in substance;
//! what it loses is the format part [`AS_WRITTEN`], the share of the met rules that are met in the strict reading.
//!
//! Leaving something out is no achievement of its own: `needs` says what must be there before any rule counts. It has
//! no weight; an answer that fails it earns nothing.

use serde::{Deserialize, Serialize};

use super::{Judged, rule::Rule, text};
use crate::domain::verdict::{Part, PartKind, Verdict};

/// The part for what must be there before any rule counts.
pub const SUBSTANCE: &str = "substance";
/// The format part.
pub const AS_WRITTEN: &str = "as_written";

/// Rules and what they rest on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraints {
    /// All of these must be met, loosely at least, before any rule counts.
    pub needs: Vec<Rule>,
    pub rules: Vec<Constraint>,
}

/// One rule with its name, which is the name of its part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    pub name: String,
    pub rule: Rule,
    /// Only the strict reading counts: for rules about the decoration itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub strict: bool,
}

impl Constraints {
    pub(super) fn part_names(&self) -> Vec<String> {
        let rules = self.rules.iter().map(|constraint| constraint.name.clone());
        [SUBSTANCE.to_owned()].into_iter().chain(rules).chain([AS_WRITTEN.to_owned()]).collect()
    }

    pub(super) fn validate(&self) -> Result<(), (String, String)> {
        if self.needs.is_empty() {
            return Err(("constraints.needs".into(), "is empty; say what must be there before a rule counts".into()));
        }
        if self.rules.is_empty() {
            return Err(("constraints.rules".into(), "is empty; add at least one rule".into()));
        }
        for (index, need) in self.needs.iter().enumerate() {
            need.validate().map_err(|why| (format!("constraints.needs[{index}]"), why))?;
        }
        for (index, constraint) in self.rules.iter().enumerate() {
            let at = |field: &str| format!("constraints.rules[{index}].{field}");
            let names = self.part_names();
            if names.iter().filter(|name| **name == constraint.name).count() != 1 || constraint.name.trim().is_empty() {
                return Err((at("name"), format!("{:?} is empty, taken or there twice; rename it", constraint.name)));
            }
            constraint.rule.validate().map_err(|why| (at("rule"), why))?;
        }
        Ok(())
    }

    pub(super) fn judge(&self, judged: &Judged) -> Verdict {
        let strict = judged.answer.trim_matches(['\n', '\r']);
        let readings = [text::loose(judged.answer), text::unwrapped(judged.answer)];
        let missing = self.needs.iter().find_map(|need| {
            let finding = need.find(strict);
            let met = finding.met || readings.iter().any(|loose| need.find(loose).met);
            (!met).then_some(finding.why)
        });
        let mut parts = vec![Part {
            name: SUBSTANCE.to_owned(),
            kind: PartKind::Correctness,
            weight: 0.0,
            score: f64::from(u8::from(missing.is_none())),
            answer: None,
            why: missing.clone().unwrap_or_else(|| "what was asked for is there".to_owned()),
        }];
        let (mut met, mut met_strictly) = (0.0, 0.0);
        for constraint in &self.rules {
            let finding = constraint.rule.find(strict);
            let loosely = || readings.iter().any(|loose| constraint.rule.find_loosely(loose).met);
            let relaxed = !finding.met && !constraint.strict && loosely();
            let (score, why) = match (&missing, finding.met, relaxed) {
                (Some(missing), ..) => (0.0, format!("counts for nothing: {missing}")),
                (None, true, _) => (1.0, finding.why),
                (None, false, true) => (1.0, format!("met without the decoration; as written, {}", finding.why)),
                (None, false, false) => (0.0, finding.why),
            };
            met += score;
            met_strictly += if finding.met { score } else { 0.0 };
            let (name, kind) = (constraint.name.clone(), PartKind::Correctness);
            parts.push(Part { name, kind, weight: 1.0, score, answer: None, why });
        }
        let share = if met > 0.0 { met_strictly / met } else { 0.0 };
        parts.push(Part {
            name: AS_WRITTEN.to_owned(),
            kind: PartKind::Format,
            weight: 1.0,
            score: share,
            answer: None,
            why: format!("{met_strictly} of {met} met rules are met in the text as it stands"),
        });
        Verdict::of(parts)
    }
}
