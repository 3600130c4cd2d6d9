//! How a harness got on with what a model wrote: counts per trial, and their sum per run.

use serde::{Deserialize, Serialize};

use super::{
    event::Trial,
    run::RunView,
    transcript::{Note, NoteKind},
};

/// Counts over turns of tasks with tools; all 0 for a trial without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct HarnessReport {
    /// Turns that were read.
    pub turns: u32,
    /// Calls read from them.
    pub calls: u32,
    /// Calls that took a stated repair.
    pub repaired: u32,
    /// What looked like a call and could not be read.
    pub parse_errors: u32,
    /// Calls in the text where native ones were expected.
    pub no_native_call: u32,
    /// Calls in the form of another harness.
    pub other_form: u32,
    /// Calls inside thoughts.
    pub in_thought: u32,
    /// Calls that the server read by itself.
    pub server_parsed: u32,
}

impl HarnessReport {
    /// The counts of one trial of a task with tools. A turn that failed was not read.
    pub(super) fn of(trial: &Trial) -> Self {
        let mut report = Self::default();
        for step in &trial.steps {
            report.turn(step.calls.len(), &step.notes);
        }
        if trial.sample.state.is_judged() {
            report.turn(trial.calls.len(), &trial.notes);
        }
        report
    }

    fn turn(&mut self, calls: usize, notes: &[Note]) {
        self.turns += 1;
        self.calls += calls as u32;
        for note in notes {
            let count = match note.kind {
                NoteKind::Repaired => &mut self.repaired,
                NoteKind::ParseError => &mut self.parse_errors,
                NoteKind::NoNativeCall => &mut self.no_native_call,
                NoteKind::OtherForm => &mut self.other_form,
                NoteKind::InThought => &mut self.in_thought,
                NoteKind::ServerParsed => &mut self.server_parsed,
            };
            *count += 1;
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            turns: self.turns + other.turns,
            calls: self.calls + other.calls,
            repaired: self.repaired + other.repaired,
            parse_errors: self.parse_errors + other.parse_errors,
            no_native_call: self.no_native_call + other.no_native_call,
            other_form: self.other_form + other.other_form,
            in_thought: self.in_thought + other.in_thought,
            server_parsed: self.server_parsed + other.server_parsed,
        }
    }

    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// One line: turns and calls, then what is not 0.
    pub fn words(&self) -> String {
        let some = [
            (self.repaired, "repaired"),
            (self.parse_errors, "not readable"),
            (self.no_native_call, "in the text instead of native"),
            (self.other_form, "in another harness's form"),
            (self.in_thought, "inside thoughts"),
            (self.server_parsed, "read by the server itself"),
        ];
        let some: Vec<String> =
            some.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        let plural = |count: u32, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let read = format!("{} read, {}", plural(self.turns, "turn"), plural(self.calls, "call"));
        let rest = if some.is_empty() { "nothing to remark".to_owned() } else { some.join(", ") };
        format!("{read}: {rest}")
    }
}

impl RunView {
    /// How the harness read the run's tasks with tools; `None` if the run has none.
    pub fn harness_report(&self) -> Option<HarnessReport> {
        let has_tools = self.tasks.iter().any(|task| task.tools > 0);
        let sum = || self.rows.iter().fold(HarnessReport::default(), |sum, row| sum.plus(row.reading));
        has_tools.then(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_names_what_happened_and_nothing_else() {
        let report = HarnessReport { turns: 3, calls: 1, repaired: 1, in_thought: 2, ..HarnessReport::default() };
        assert_eq!(report.words(), "3 turns read, 1 call: 1 repaired, 2 inside thoughts");
        assert_eq!(HarnessReport::default().words(), "0 turns read, 0 calls: nothing to remark");
    }
}
