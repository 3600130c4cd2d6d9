//! The verdicts of a suite: one ring per task, in task order.

use leptos::prelude::*;

use crate::domain::run::Mark;

/// How many of each, in words: `Reasoning: 9 passed, 1 in part, 2 to do`.
fn counts(name: &str, marks: &[(String, Mark)]) -> String {
    let parts: Vec<String> = Mark::ALL
        .iter()
        .map(|mark| (mark, marks.iter().filter(|(_, found)| found == mark).count()))
        .filter(|(_, n)| *n > 0)
        .map(|(mark, n)| format!("{n} {mark}"))
        .collect();
    if parts.is_empty() { format!("{name}: no tasks yet") } else { format!("{name}: {}", parts.join(", ")) }
}

fn ring(place: usize, mark: Mark) -> AnyView {
    let x = 6 + 13 * place;
    let cx = x.to_string();
    match mark {
        Mark::Passed => view! { <circle class="pass" cx=cx cy="7" r="4.75"/> }.into_any(),
        Mark::Partly => view! {
            <g class="part"><circle cx=cx cy="7" r="4"/><path class="f" d=format!("M{x} 3a4 4 0 0 0 0 8z")/></g>
        }
        .into_any(),
        Mark::Failed => {
            let cross = format!("M{:.1} 5.3l3.4 3.4m0-3.4l-3.4 3.4", x as f64 - 1.7);
            view! { <g class="fail"><circle cx=cx cy="7" r="4"/><path d=cross/></g> }.into_any()
        }
        Mark::NotJudged => view! { <circle class="none" cx=cx cy="7" r="4"/> }.into_any(),
        Mark::Skipped => {
            let stroke = format!("M{:.1} 9.8l5.6-5.6", x as f64 - 2.8);
            view! { <path class="skip-mark" d=stroke/> }.into_any()
        }
        Mark::Running => {
            let arc = format!("M{} 3.1A4 4 0 1 0 {:.1} 6", x + 1, x as f64 + 3.9);
            view! { <g class="live"><path d=arc/><circle class="f" cx=cx cy="7" r="1.5"/></g> }.into_any()
        }
        Mark::ToDo => view! { <circle class="todo" cx=cx cy="7" r="1.5"/> }.into_any(),
    }
}

/// The row of rings; its label counts them.
pub fn cells(name: &str, marks: &[(String, Mark)]) -> AnyView {
    let width = (13 * marks.len()).max(13);
    let rings: Vec<AnyView> = marks.iter().enumerate().map(|(place, (_, mark))| ring(place, *mark)).collect();
    view! {
        <svg class="cells" width=width.to_string() height="14" viewBox=format!("0 0 {width} 14") role="img" aria-label=counts(name, marks)>
            {rings}
        </svg>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_counts_what_the_rings_show() {
        let marks = [("a".to_owned(), Mark::Passed), ("b".to_owned(), Mark::Passed), ("c".to_owned(), Mark::ToDo)];
        assert_eq!(counts("Reasoning", &marks), "Reasoning: 2 passed, 1 to do");
        assert_eq!(counts("Reasoning", &[]), "Reasoning: no tasks yet");
    }
}
