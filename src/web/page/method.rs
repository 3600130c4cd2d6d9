//! `/method`: how each number is measured, in a sentence and a formula.

use leptos::prelude::*;
use leptos_meta::Title;

use crate::domain::{id::SuiteId, score, speed, stats, verdict};

fn part(title: &'static str, text: Vec<String>) -> AnyView {
    let id = title.to_ascii_lowercase().replace(' ', "-");
    view! {
        <section class="card prose" aria-labelledby=id.clone()>
            <h2 id=id.clone()>{title}</h2>
            {text.into_iter().map(|text| view! { <p>{text}</p> }).collect_view()}
        </section>
    }
    .into_any()
}

/// The formulas, next to the constants that the code uses.
#[component]
pub fn MethodPage() -> impl IntoView {
    let suites = SuiteId::QUALITY.map(SuiteId::title).join(", ");
    let parts = vec![
        part("Trials and states", vec![
            "A trial is one attempt at a task. Each model call ends in exactly one state: ok, truncated, transport error, \
             provider error, refused capability, timeout, cancelled or protocol error."
                .into(),
            "Only ok and truncated are judged. Everything else is neither a 0 nor a pass: it lowers coverage and \
             reliability and is listed with its evidence."
                .into(),
        ]),
        part("Verdict", vec![format!(
            "Score of a trial, 0 to 1 = {:.1} × correctness + {:.1} × format, or correctness alone where a task has no \
             format part. A wrong answer earns nothing for its format. Passed = every correctness part is whole.",
            1.0 - verdict::FORMAT_SHARE,
            verdict::FORMAT_SHARE
        )]),
        part("Suite", vec![format!(
            "Suite = mean over its tasks of the mean over their trials, × 100. Coverage = judged ÷ planned trials; below \
             {:.0} % there is no score. The band is a 95 % bootstrap over tasks with {} draws and a fixed start; a suite \
             whose tasks all scored alike takes Wilson’s interval.",
            score::COVERAGE_NEEDED,
            crate::domain::unit::count(stats::DRAWS as u64)
        )]),
        part("Quality", vec![format!(
            "Quality = unweighted mean of the quality suites with a score ({suites}). Fewer than six are a partial \
             quality, and the page says how many."
        )]),
        part("Speed", vec![
            "One clock on this machine, stamped when bytes arrive and before they are parsed. Time to first token = \
             request written → first generated token of any kind, thinking included."
                .into(),
            "Decode = (n − 1) ÷ (last − first token), n as the server counts it. Prefill = uncached prompt tokens ÷ time \
             to first token. The server’s own figures stand beside ours; more than 20 % apart is flagged."
                .into(),
            format!(
                "Speed’s figure is the median over decode trials of at least {} tokens. Speed score = 12.54 × log₂(tok/s) \
                 + 0.9, between 0 and 100.",
                speed::HEADLINE_TOKENS
            ),
        ]),
        part("Reliability", vec![
            "Reliability = share of trials that ended ok or truncated, with Wilson’s 95 % interval. Warm-up, refused \
             capabilities and cancelled trials are left out."
                .into(),
        ]),
        part("Overall", vec![format!(
            "Overall = 0.70 × quality + 0.25 × speed + 0.05 × reliability, only when all {} suites are complete.",
            SuiteId::ALL.len()
        )]),
        part("Time and tokens per correct answer", vec![
            "Total time, or all generated tokens, of the judged quality trials ÷ the trials that passed. Absent when none \
             passed."
                .into(),
        ]),
        part("Ranking", vec![
            "Only runs of the same tasks, checks and harness rank together. A run whose interval reaches the leader’s \
             figure shares its rank. Drifted, demo and wrongly thinking runs don’t rank with the rest."
                .into(),
        ]),
    ];
    view! {
        <Title text="How we measure"/>
        <div class="head">
            <div>
                <h1>"How we measure"</h1>
                <p class="lede">"Every figure, its formula and what it leaves out. A figure that can’t be given is a dash with the reason, never 0."</p>
            </div>
        </div>
        <div class="grid wide-cards">{parts}</div>
    }
}
