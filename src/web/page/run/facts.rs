//! Machine, model and plan, as they were recorded.

use std::collections::BTreeMap;

use leptos::prelude::*;

use crate::{
    domain::{
        identity::Identity,
        machine::Machine,
        plan::RunPlan,
        run::{RunView, Scores},
        unit,
    },
    web::part::kv::{kv, text},
};

fn machine(machine: &Machine) -> AnyView {
    let gpus: Vec<String> = machine
        .gpus
        .iter()
        .map(|gpu| match gpu.memory_bytes {
            Some(bytes) => format!("{}, {}", gpu.name, unit::gb(bytes)),
            None => gpu.name.clone(),
        })
        .collect();
    let cores = machine.cores.map(|cores| format!(", {cores} cores")).unwrap_or_default();
    let free =
        machine.memory_free_bytes.map(|free| format!(", {} free at the start", unit::gb(free))).unwrap_or_default();
    kv(vec![
        ("GPU", text((!gpus.is_empty()).then(|| gpus.join("; ")))),
        ("CPU", text((!machine.cpu.is_empty()).then(|| format!("{}{cores}", machine.cpu)))),
        ("Memory", text(machine.memory_bytes.map(|bytes| format!("{}{free}", unit::gb(bytes))))),
        ("System", text((!machine.os.is_empty()).then(|| format!("{} {}", machine.os, machine.arch)))),
        ("Load at start", text(machine.load.map(|load| format!("{load:.2}")))),
    ])
}

fn short(digest: &Option<String>) -> Option<String> {
    digest.as_deref().map(|digest| digest.trim_start_matches("sha256:").chars().take(16).collect())
}

fn identity(identity: &Identity, view: &RunView) -> AnyView {
    let drift = if view.drift.is_empty() {
        if view.status.is_active() { "read again at the end".to_owned() } else { "none seen".to_owned() }
    } else {
        view.drift.join("; ")
    };
    let kind =
        [identity.quantization.clone(), identity.parameter_size.clone()].into_iter().flatten().collect::<Vec<_>>();
    kv(vec![
        ("Digest", view! { <span class="mono">{text(short(&identity.digest))}</span> }.into_any()),
        ("Kind", text((!kind.is_empty()).then(|| kind.join(", ")))),
        ("Family", text(identity.family.clone())),
        ("Loaded context", text(identity.context.map(|n| format!("{} tokens", unit::count(n))))),
        ("Template", view! { <span class="mono">{text(short(&identity.template_hash))}</span> }.into_any()),
        ("Server", text(identity.server_version.as_ref().map(|version| format!("{} {version}", identity.server)))),
        ("Change during the run", drift.into_any()),
    ])
}

/// What a server refused, with how many trials it touched.
fn not_applied(view: &RunView) -> AnyView {
    let mut counted: BTreeMap<&str, u32> = BTreeMap::new();
    for change in view.rows.iter().flat_map(|row| &row.adaptations) {
        *counted.entry(change).or_default() += 1;
    }
    if counted.is_empty() {
        return "everything was applied".into_any();
    }
    counted
        .into_iter()
        .map(|(change, n)| view! { <span class="block">{format!("{change} ({n} trials)")}</span> })
        .collect_view()
        .into_any()
}

/// The harness, and how it read the run's tasks with tools.
fn harness(plan: &RunPlan, view: &RunView) -> String {
    match view.harness_report() {
        Some(report) => format!("{}; with tools {}", plan.harness, report.words()),
        None => format!("{}; no task with tools", plan.harness),
    }
}

fn plan(plan: &RunPlan, view: &RunView, scores: &Scores) -> AnyView {
    let suites: Vec<&str> = plan.suites.iter().map(|suite| suite.title()).collect();
    let clocks = &plan.clocks;
    let flags: Vec<String> =
        scores.flags.iter().map(|(flag, n)| format!("{} ({n})", flag.as_str().replace('_', " "))).collect();
    let warm_up = view.warm_up_s.map(|seconds| {
        let first =
            view.warm_up_ttft_ms.map(|ms| format!(", first token after {}", unit::ms(Some(ms)))).unwrap_or_default();
        let load = view.load_ms.map(|ms| format!(", loading {}", unit::ms(Some(ms)))).unwrap_or_default();
        format!("{seconds:.1} s{first}{load}")
    });
    kv(vec![
        ("Suites", suites.join(", ").into_any()),
        ("Profile", format!("{}, {} trial(s) of each task", plan.profile, plan.trials).into_any()),
        ("Sampling", format!("temperature {}, seed from {}", plan.temperature, plan.seed).into_any()),
        ("Harness", harness(plan, view).into_any()),
        ("Thinking", format!("{}, budget {} tokens", plan.thinking, unit::count(u64::from(plan.thinking_budget))).into_any()),
        ("Context asked", format!("{} tokens (Ollama)", unit::count(u64::from(plan.num_ctx))).into_any()),
        ("Clocks", format!("{} s to connect, {} s to first byte, {} s silence, {} s in all", clocks.connect_s, clocks.first_byte_s, clocks.idle_s, clocks.sample_s).into_any()),
        ("Preflight", if plan.preflight { "asked for" } else { "left out" }.into_any()),
        ("Warm-up", text(warm_up)),
        ("Not applied", not_applied(view)),
        ("Flags", if flags.is_empty() { "none".into_any() } else { flags.join(", ").into_any() }),
        ("Task digest", view! { <span class="mono">{text(short(&Some(view.digest.clone()).filter(|digest| !digest.is_empty())))}</span> }.into_any()),
        ("Written by", format!("BenchLoop {}", view.version).into_any()),
    ])
}

/// Three cards.
pub fn facts(view: &RunView, scores: &Scores) -> AnyView {
    view! {
        <section class="sect" id="machine" aria-labelledby="facts">
            <div class="sect-head"><h2 id="facts">"Machine, model and plan"</h2></div>
            <div class="grid">
                <div class="card"><h3>"Machine of this client"</h3>{machine(&view.machine.clone().unwrap_or_default())}</div>
                <div class="card"><h3>"Model, read before and after"</h3>{identity(&view.identity.clone().unwrap_or_default(), view)}</div>
                {view.plan.as_ref().map(|found| view! { <div class="card"><h3>"Plan"</h3>{plan(found, view, scores)}</div> })}
            </div>
        </section>
    }
    .into_any()
}
