//! What few need: budgets, clocks and a start without preflight. Empty fields take the value that their placeholder shows.

use leptos::prelude::*;

use super::Refusals;
use crate::{
    domain::plan::{Clocks, NUM_CTX, THINKING_BUDGET},
    web::calls::StartForm,
};

/// One field: its name in the form, what it asks, its default.
struct Field {
    name: &'static str,
    /// The name that a refusal uses.
    refusal: &'static str,
    label: &'static str,
    default: String,
    value: String,
}

fn fields(values: &StartForm) -> [Field; 6] {
    let clocks = Clocks::default();
    let field = |name, refusal, label, default: f64, value: &String| Field {
        name,
        refusal,
        label,
        default: default.to_string(),
        value: value.clone(),
    };
    [
        field(
            "form[thinking_budget]",
            "thinking_budget",
            "Thinking budget, tokens",
            f64::from(THINKING_BUDGET),
            &values.thinking_budget,
        ),
        field("form[num_ctx]", "num_ctx", "Context asked of Ollama, tokens", f64::from(NUM_CTX), &values.num_ctx),
        field(
            "form[connect_timeout]",
            "connect_timeout",
            "Connecting, seconds",
            clocks.connect_s,
            &values.connect_timeout,
        ),
        field(
            "form[first_byte_timeout]",
            "first_byte_timeout",
            "First byte, seconds",
            clocks.first_byte_s,
            &values.first_byte_timeout,
        ),
        field("form[idle_timeout]", "idle_timeout", "Between two events, seconds", clocks.idle_s, &values.idle_timeout),
        field(
            "form[sample_timeout]",
            "sample_timeout",
            "A whole call, seconds",
            clocks.sample_s,
            &values.sample_timeout,
        ),
    ]
}

/// The folded part of the form; open where a value in it was given.
pub fn advanced(values: &StartForm, refusals: Refusals) -> AnyView {
    let fields = fields(values);
    let skips = !values.skip_preflight.is_empty();
    let is_open = skips || fields.iter().any(|field| !field.value.is_empty());
    let fields = fields
        .into_iter()
        .map(|Field { name, refusal, label, default, value }| {
            let id = refusal.to_owned();
            view! {
                <div>
                    <label class="small soft" for=id.clone()>{label}</label>
                    <span class="field">
                        <input
                            id=id
                            name=name
                            size="8"
                            inputmode="decimal"
                            value=value
                            placeholder=default
                            aria-invalid=move || refusals.at(refusal).is_some().then_some("true")
                            aria-describedby=format!("why-{refusal}")
                        />
                    </span>
                    {refusals.line(refusal)}
                </div>
            }
        })
        .collect_view();
    view! {
        <details class="other" open=is_open>
            <summary>"Budgets, clocks, preflight"</summary>
            <div class="clocks">{fields}</div>
            <label class="pill">
                <input type="checkbox" name="form[skip_preflight]" value="yes" checked=skips aria-describedby="preflight-hint"/>
                "Start without the preflight check"
            </label>
            <p class="small soft" id="preflight-hint">
                "Preflight asks the server before the first task: is the model there, does it answer, do the tasks fit its context, does it take tools. What would spoil the whole run ends it at once, with what to do. Without it the run starts all the same."
            </p>
        </details>
    }
    .into_any()
}
