//! What did not end well: states other than ok, skipped tasks, each with where and what to do.

use std::collections::BTreeMap;

use leptos::prelude::*;

use crate::{
    domain::{
        id::SuiteId,
        run::{Row, RunView},
        sample::{SampleClass, SampleState},
        unit,
        words::advice,
    },
    web::part::{
        glyph::{Glyph, state_line},
        table::{head, section_head, table},
    },
};

/// A timed trial writes until its token budget ends it: that is its purpose.
pub fn is_planned_cut(row: &Row) -> bool {
    row.suite == SuiteId::Speed && row.state == SampleState::Truncated && row.class == Some(SampleClass::Length)
}

/// Rows that did not end `ok`, by state and class.
fn groups(view: &RunView) -> BTreeMap<(SampleState, Option<SampleClass>), Vec<&Row>> {
    let mut groups: BTreeMap<_, Vec<&Row>> = BTreeMap::new();
    for row in view.rows.iter().filter(|row| row.state != SampleState::Ok && !is_planned_cut(row)) {
        groups.entry((row.state, row.class)).or_default().push(row);
    }
    groups
}

/// The section; nothing where everything ended well.
pub fn failures(view: &RunView) -> AnyView {
    let groups = groups(view);
    if groups.is_empty() && view.skipped.is_empty() {
        return ().into_any();
    }
    let columns = view! {
        {head("State", false)} {head("Trials", true)} {head("Where", false)} {head("Evidence", false)} {head("What to do", false)}
    };
    let mut rows: Vec<AnyView> = groups.into_iter().map(|(key, rows)| group(view, key, &rows)).collect();
    rows.extend(view.skipped.iter().map(|skip| {
        view! {
            <tr>
                <td>{state_line(Glyph::Refuse, "skipped")}</td>
                <td class="num">{unit::ABSENT}</td>
                <td class="soft text">{format!("{}: {}", skip.suite.title(), view.title_of(skip.suite, &skip.task))}</td>
                <td class="soft text">{skip.why.clone()}</td>
                <td class="text">"Left out of the plan; it counts neither for nor against."</td>
            </tr>
        }
        .into_any()
    }));
    let about = "States other than ok and truncated are not judged; they count neither as 0 nor as a pass.";
    view! {
        <section class="sect" id="failures" aria-labelledby="failures-head">
            {section_head("What did not end well", "failures-head", about)}
            {table("What did not end well", "", columns, rows)}
        </section>
    }
    .into_any()
}

fn group(view: &RunView, (state, class): (SampleState, Option<SampleClass>), rows: &[&Row]) -> AnyView {
    let mut places: Vec<String> =
        rows.iter().map(|row| format!("{}: {}", row.suite.title(), view.title_of(row.suite, &row.task))).collect();
    places.dedup();
    let more = places.len().saturating_sub(3);
    places.truncate(3);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let evidence =
        rows.iter().find_map(|row| row.not_judged.clone()).unwrap_or_else(|| "judged as it stood".to_owned());
    let word = state.as_str().replace('_', " ");
    let word = class.map_or_else(|| word.clone(), |class| format!("{word}, {}", class.as_str().replace('_', " ")));
    view! {
        <tr>
            <td>{state_line(Glyph::of_state(state), word)}</td>
            <td class="num">{rows.len()}</td>
            <td class="soft text">{places.join("; ")}{more}</td>
            <td class="soft text">{evidence}</td>
            <td class="text">{advice(state, class)}</td>
        </tr>
    }
    .into_any()
}
