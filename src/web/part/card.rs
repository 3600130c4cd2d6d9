//! The capability card: its sentence, then each finding with its evidence, what that means and what is done about it.
//! What servers and models said stays plain text.

use leptos::prelude::*;

use super::{
    badge::{Tone, note},
    glyph::{Glyph, state_line},
    when::when,
};
use crate::domain::{
    card::{Answer, CapabilityCard, Finding},
    unit,
};

/// The glyph of an answer; only what lets no run start is shown as failed.
const fn shape(finding: &Finding) -> Glyph {
    match finding.answer {
        _ if finding.blocks.is_some() => Glyph::Fail,
        Answer::Yes => Glyph::Pass,
        Answer::Partly => Glyph::Part,
        Answer::No => Glyph::Refuse,
        Answer::Unknown => Glyph::None,
    }
}

/// What the user can do; advice comes without its full stop.
fn what_to_do(finding: &Finding) -> Option<AnyView> {
    let advice = finding.advice.clone()?;
    Some(view! { <span class="block"><b>"What to do: "</b>{advice}"."</span> }.into_any())
}

/// The card in one sentence, with the way out if no run can start.
pub fn conclusion(card: &CapabilityCard) -> AnyView {
    let blocker = card.blocker();
    let tone = if blocker.is_some() { Tone::Fail } else { Tone::Pass };
    note(tone, view! { {card.conclusion()} {blocker.and_then(what_to_do)} })
}

/// `BenchLoop counts these trials as refused, not as wrong.` The sentences begin with their verb.
fn doing(finding: &Finding) -> Option<String> {
    let mut rest = finding.doing().chars();
    let first = rest.next()?.to_ascii_lowercase();
    Some(format!("BenchLoop {first}{}", rest.as_str()))
}

/// What a finding means beside its evidence. The advice of what blocks stands in the conclusion.
fn meaning(finding: &Finding) -> Option<AnyView> {
    if finding.is_plain() {
        return None;
    }
    let said = [Some(finding.effect().to_owned()), doing(finding)];
    let said = said.into_iter().flatten().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ");
    let advice = what_to_do(finding).filter(|_| finding.blocks.is_none());
    Some(view! { <span class="means">{said} {advice}</span> }.into_any())
}

fn row(finding: &Finding) -> AnyView {
    view! {
        <div>
            <dt>{finding.what.title()}</dt>
            <dd>{state_line(shape(finding), finding.answer.as_str())}</dd>
            <dd class="seen">{finding.evidence.clone()} {meaning(finding)}</dd>
        </div>
    }
    .into_any()
}

/// All findings, below them where and when they were made. What blocks comes first.
pub fn findings(card: &CapabilityCard) -> AnyView {
    let (blocking, other): (Vec<&Finding>, Vec<&Finding>) =
        card.findings.iter().partition(|finding| finding.blocks.is_some());
    let rows = blocking.into_iter().chain(other).map(row).collect_view();
    let version = card.server_version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
    let protocol = card.wire.map(|wire| view! { <span>"protocol " {wire.as_str()}</span> });
    view! {
        <div class="found">
            <dl>{rows}</dl>
            <p class="meta">
                <span>{format!("{}{version}", card.server)}</span>
                {protocol}
                <span>"looked at for " {unit::ms(Some(card.took_s * 1000.0))}</span>
                {when(card.at)}
            </p>
        </div>
    }
    .into_any()
}
