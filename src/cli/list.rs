//! `benchloop list`: all runs, newest first.

use serde_json::json;

use super::{DONE, Failure, open, say, say_json, table::table};
use crate::domain::{record::RunRow, unit};

#[derive(Debug, clap::Args)]
pub struct Args {
    /// Print an array of runs as JSON
    #[arg(long)]
    json: bool,
}

/// One run in `list --json`.
fn value(row: &RunRow) -> serde_json::Value {
    json!({
        "id": row.id,
        "status": row.status,
        "model": row.model,
        "endpoint": row.endpoint,
        "server": row.server,
        "provider": row.wire,
        "harness": row.harness,
        "profile": row.profile,
        "trials": row.trials,
        "suites": row.suites,
        "done": row.done,
        "planned": row.planned,
        "quality_score": row.quality.value,
        "speed_score": row.speed.value,
        "reliability_score": row.reliability.value,
        "overall_score": row.overall.value,
        "decode_tok_s": row.decode_tok_s,
        "prefill_tok_s": row.prefill_tok_s,
        "ttft_ms": row.ttft_ms,
        "started_at": row.started_at,
        "runtime_s": row.runtime_s,
        "demo": row.demo,
        "digest": row.digest,
        "error": row.error,
    })
}

pub async fn run(args: Args) -> Result<u8, Failure> {
    let rows = open()?.runs().await;
    if args.json {
        say_json(&rows.iter().map(value).collect::<Vec<_>>())?;
        return Ok(DONE);
    }
    if rows.is_empty() {
        say("no run yet; start one with: benchloop run --endpoint URL --model NAME --suites speed,reasonmath");
        return Ok(DONE);
    }
    let lines = rows.iter().map(|row| {
        vec![
            row.id.to_string(),
            format!("{}{}", row.status, if row.demo { ", demo" } else { "" }),
            unit::cut(&row.model, 48),
            format!("{}/{}", row.done, row.planned),
            unit::score(row.quality.value),
            unit::rate(row.decode_tok_s),
            unit::ms(row.ttft_ms),
            row.error.as_deref().map(|why| unit::cut(why, 60)).unwrap_or_default(),
        ]
    });
    say(table(
        &["Run", "Status", "Model", "Trials>", "Quality>", "tok/s>", "TTFT>", "Note"],
        &lines.collect::<Vec<_>>(),
    ));
    Ok(DONE)
}
