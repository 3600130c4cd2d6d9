//! Every trial as a row, filtered by the address; a row opens to its transcript.

use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

use super::{Extras, Opened, transcript};
use crate::{
    domain::{
        id::SuiteId,
        run::{Row, RunView},
        unit, words,
    },
    web::part::{
        glyph::{Glyph, state_line},
        table::{head, section_head, table},
    },
};

/// The verdicts that the filter offers: the word of the address and the word of the row.
const VERDICTS: [(&str, &str); 5] =
    [("failed", "failed"), ("partly", "in part"), ("none", "not judged"), ("passed", "passed"), ("timed", "timed")];

/// What the address asks for.
#[derive(Debug, Clone, PartialEq, Default)]
struct Filter {
    verdict: String,
    suite: String,
}

impl Filter {
    fn keeps(&self, row: &Row) -> bool {
        let word = VERDICTS.iter().find(|(name, _)| *name == self.verdict).map(|(_, word)| *word);
        word.is_none_or(|word| words::verdict_word(row) == word)
            && (self.suite.is_empty() || row.suite.as_str() == self.suite)
    }

    fn href(&self, opened: Option<&Row>) -> String {
        let mut pairs = Vec::new();
        if !self.verdict.is_empty() {
            pairs.push(format!("verdict={}", self.verdict));
        }
        if !self.suite.is_empty() {
            pairs.push(format!("suite={}", self.suite));
        }
        match opened {
            None => format!("?{}#tasks", pairs.join("&")),
            Some(row) => {
                pairs.push(format!("task={}/{}/{}", row.suite, row.task, row.trial));
                format!("?{}#{}", pairs.join("&"), anchor(row))
            }
        }
    }
}

fn anchor(row: &Row) -> String {
    format!("t-{}-{}-{}", row.suite, row.task, row.trial)
}

/// The section.
pub fn tasks(view: &RunView, extras: Extras) -> AnyView {
    let query = use_query_map();
    let filter = Memo::new(move |_| {
        let text = |name: &str| query.read().get(name).unwrap_or_default();
        Filter { verdict: text("verdict"), suite: text("suite") }
    });
    let view = StoredValue::new(view.clone());
    view! {
        <section class="sect" id="tasks" aria-labelledby="tasks-head">
            {move || {
                let filter = filter.get();
                view.with_value(|view| {
                    let mut kept: Vec<&Row> = view.rows.iter().filter(|row| filter.keeps(row)).collect();
                    // timed trials have a section of their own: here they come last
                    kept.sort_by_key(|row| row.suite == SuiteId::Speed);
                    let about = format!("{} of {} trials. Open one to see what was said and how it was judged.", kept.len(), view.rows.len());
                    view! {
                        {section_head("Tasks", "tasks-head", about)}
                        {filters(view, &filter)}
                        {list(view, &filter, &kept, extras)}
                    }
                })
            }}
        </section>
    }
    .into_any()
}

fn filters(view: &RunView, filter: &Filter) -> AnyView {
    let link = |next: Filter, text: String, current: bool| {
        let current = current.then_some("true");
        view! { <a href=next.href(None) aria-current=current data-noscroll="">{text}</a> }
    };
    let verdicts = VERDICTS
        .iter()
        .map(|(name, word)| {
            let count = view.rows.iter().filter(|row| words::verdict_word(row) == *word).count();
            let next = Filter { verdict: (*name).to_owned(), ..filter.clone() };
            link(next, format!("{word} {count}"), filter.verdict == *name)
        })
        .collect_view();
    let suites = view.plan.as_ref().map(|plan| plan.suites.clone()).unwrap_or_default();
    let suites = suites
        .into_iter()
        .map(|suite| {
            let next = Filter { suite: suite.to_string(), ..filter.clone() };
            link(next, suite.title().to_owned(), filter.suite == suite.as_str())
        })
        .collect_view();
    let all_verdicts =
        link(Filter { verdict: String::new(), ..filter.clone() }, "all verdicts".into(), filter.verdict.is_empty());
    let all_suites =
        link(Filter { suite: String::new(), ..filter.clone() }, "all suites".into(), filter.suite.is_empty());
    view! {
        <nav class="filters" aria-label="Filter trials">
            <span class="seg">{all_verdicts} {verdicts}</span>
            <span class="seg">{all_suites} {suites}</span>
        </nav>
    }
    .into_any()
}

fn list(view: &RunView, filter: &Filter, rows: &[&Row], extras: Extras) -> AnyView {
    if rows.is_empty() {
        return view! { <p class="soft">"No trial matches. " <a href="?#tasks">"Show all"</a></p> }.into_any();
    }
    let columns = view! {
        {head("Verdict", false)} <th scope="col" class="fix">"Task"</th> {head("Score", true)} {head("Answer", false)}
        {head("Why", false)} {head("Suite", false)} {head("State", false)} {head("Took", true)} {head("Tokens", true)}
    };
    let rows: Vec<AnyView> = rows.iter().map(|row| trial(view, filter, row, extras)).collect();
    table("Trials", "", columns, rows)
}

fn state(row: &Row) -> AnyView {
    if words::is_planned_cut(row) {
        return state_line(Glyph::Pass, "full length");
    }
    state_line(Glyph::of_state(row.state), row.state.as_str().replace('_', " "))
}

fn trial(view: &RunView, filter: &Filter, row: &Row, extras: Extras) -> AnyView {
    let mark = row.mark();
    let this = Opened { suite: row.suite, task: row.task.clone(), trial: row.trial };
    let is_open = Memo::new(move |_| extras.opened.read().as_ref() == Some(&this));
    let (open, shut) = (filter.href(Some(row)), filter.href(None));
    let several = view.rows.iter().any(|other| other.suite == row.suite && other.task == row.task && other.trial > 1);
    let flaky = several && view.is_flaky(row.suite, &row.task);
    let shown = row.clone();
    view! {
        <tr id=anchor(row) class=move || if is_open.get() { "on" } else { "" }>
            <td>{state_line(Glyph::of_mark(mark), words::verdict_word(row))}</td>
            <th scope="row" class="fix">
                <a class="name" data-noscroll="" href=move || if is_open.get() { shut.clone() } else { open.clone() }>
                    {view.title_of(row.suite, &row.task)}
                </a>
                {several.then(|| view! { <span class="sub">{format!("trial {}", row.trial)}{if flaky { ", flaky" } else { "" }}</span> })}
            </th>
            <td class="num">{row.score.map_or_else(|| unit::ABSENT.to_owned(), |score| format!("{score:.2}"))}</td>
            <td class="answer-cut">{unit::cut(&row.answer, 40)}</td>
            <td class="soft text">{words::why(view, row)}</td>
            <td class="soft nowrap">{row.suite.title()}</td>
            <td>{state(row)}</td>
            <td class="num">{unit::ms(row.timing.total_ms)}</td>
            <td class="num">{row.usage.completion_tokens.map_or_else(|| unit::ABSENT.to_owned(), unit::count)}</td>
        </tr>
        {move || is_open.get().then(|| view! { <tr class="open"><td colspan="9">{transcript::opened(&shown, extras)}</td></tr> })}
    }
    .into_any()
}
