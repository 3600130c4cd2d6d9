//! What is stored of a run beside its journal: `run.json`, which keeps the field names of the existing product where the
//! meaning is the same, and [`RunRow`], the line a list shows. Both are made from the folded view, never filled by hand.

use std::{collections::BTreeMap, net::IpAddr};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    card::CapabilityCard,
    id::{HarnessId, Profile, RunId, SuiteId, Thinking, Wire},
    identity::Identity,
    plan::RunPlan,
    reading::HarnessReport,
    run::{RunStatus, RunView, Scores, SuiteView},
    sample::Flag,
    score::{self, Figure},
    speed::SpeedPoint,
};

/// A suite in a list row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RowSuite {
    pub suite: SuiteId,
    pub score: Figure,
    pub judged: u32,
    pub planned: u32,
    pub passed: u32,
    pub complete: bool,
}

/// One run as lists and the leaderboard see it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    pub id: RunId,
    pub status: RunStatus,
    pub model: String,
    pub endpoint: String,
    pub wire: Option<Wire>,
    pub server: String,
    pub quantization: Option<String>,
    pub harness: Option<HarnessId>,
    pub profile: Option<Profile>,
    pub thinking: Option<Thinking>,
    /// Tokens of thinking allowed on top of each answer.
    #[serde(default)]
    pub thinking_budget: Option<u32>,
    pub trials: u32,
    /// Digest of the tasks, checks and harness; only equal digests rank together.
    pub digest: String,
    pub demo: bool,
    pub drifted: bool,
    /// The thinking arm did not do what was asked.
    pub thinking_invalid: bool,
    pub queued_at: Option<DateTime<Utc>>,
    pub started_at: Option<DateTime<Utc>>,
    pub ended_at: Option<DateTime<Utc>>,
    pub runtime_s: Option<f64>,
    pub done: u32,
    pub planned: u32,
    pub position: Option<u32>,
    pub suites: Vec<RowSuite>,
    pub overall: Figure,
    pub quality: Figure,
    pub quality_suites: u32,
    pub speed: Figure,
    pub reliability: Figure,
    pub decode_tok_s: Option<f64>,
    pub ttft_ms: Option<f64>,
    pub prefill_tok_s: Option<f64>,
    pub machine: String,
    pub error: Option<String>,
}

impl RunRow {
    /// A folder that holds no readable run, listed with the reason.
    pub fn unreadable(id: RunId, why: String) -> Self {
        Self { error: Some(why), status: RunStatus::Unreadable, ..Self::of(&RunView::new(id)) }
    }

    pub fn of(view: &RunView) -> Self {
        let scores = view.scores();
        let plan = view.plan.as_ref();
        let (done, planned) = view.progress();
        let suites = view.suites().into_iter().map(|suite| RowSuite {
            suite: suite.suite,
            score: suite.score,
            judged: suite.judged,
            planned: suite.planned,
            passed: suite.passed,
            complete: suite.complete,
        });
        let end = view.ended_at.or(view.last_at);
        Self {
            id: view.id.clone(),
            status: view.status,
            model: plan.map(|plan| plan.model.clone()).unwrap_or_default(),
            endpoint: plan.map(|plan| plan.endpoint.clone()).unwrap_or_default(),
            wire: view.wire,
            server: view.identity.as_ref().map(|identity| identity.server.clone()).unwrap_or_default(),
            quantization: view.identity.as_ref().and_then(|identity| identity.quantization.clone()),
            harness: plan.map(|plan| plan.harness),
            profile: plan.map(|plan| plan.profile),
            thinking: plan.map(|plan| plan.thinking),
            thinking_budget: plan.map(|plan| plan.thinking_budget),
            trials: plan.map_or(0, |plan| plan.trials),
            digest: view.digest.clone(),
            demo: view.is_demo(),
            drifted: !view.drift.is_empty(),
            thinking_invalid: scores
                .flags
                .iter()
                .any(|(flag, _)| matches!(flag, Flag::ThinkingContaminated | Flag::ThinkingSilent)),
            queued_at: view.queued_at,
            started_at: view.started_at,
            ended_at: view.ended_at,
            runtime_s: view.started_at.zip(end).map(|(start, end)| (end - start).num_milliseconds() as f64 / 1000.0),
            done,
            planned,
            position: view.position,
            suites: suites.collect(),
            decode_tok_s: scores.decode_tok_s.median,
            ttft_ms: scores.ttft_ms.median,
            prefill_tok_s: scores.prefill_tok_s.median,
            overall: scores.overall,
            quality: scores.quality,
            quality_suites: scores.quality_suites,
            speed: scores.speed,
            reliability: scores.reliability,
            machine: view.machine.as_ref().map(|machine| machine.label()).unwrap_or_default(),
            error: view.error.clone(),
        }
    }
}

/// `run.json`. Absent figures are null; `absent` says why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunRecord {
    pub version: String,
    pub benchmark_id: &'static str,
    pub benchmark_version: &'static str,
    pub benchmark_profile: String,
    pub requested_profile: String,
    pub manifest_hash: String,
    pub score_schema_version: &'static str,
    pub coverage_score: Option<f64>,
    pub comparable: bool,
    pub timestamp: Option<DateTime<Utc>>,
    pub model: Value,
    pub machine: Value,
    pub provider: Option<Wire>,
    pub harness: Option<HarnessId>,
    pub harness_version: &'static str,
    pub is_remote: bool,
    pub total_runtime_sec: Option<f64>,
    pub overall_score: Option<f64>,
    pub quality_score: Option<f64>,
    pub speed_score: Option<f64>,
    pub reliability_score: Option<f64>,
    pub speed_metrics: Value,
    pub suites: BTreeMap<&'static str, Value>,
    pub run_id: RunId,
    pub status: RunStatus,
    pub error: Option<String>,
    /// Field → why it is null.
    pub absent: BTreeMap<&'static str, String>,
    pub demo: bool,
    pub plan: Option<RunPlan>,
    pub identity: Option<Identity>,
    pub drift: Vec<String>,
    /// What the look before the first task found; null if there was none.
    pub preflight: Option<CapabilityCard>,
    pub scores: Scores,
    pub speed_points: Vec<SpeedPoint>,
    /// How the harness read the tasks with tools; null if there were none.
    pub harness_report: Option<HarnessReport>,
    /// What lists show, so that they need not fold the journal.
    pub summary: RunRow,
}

fn rounded(value: Option<f64>) -> Option<f64> {
    value.map(|v| (v * 100.0).round() / 100.0)
}

fn suite_value(view: &RunView, suite: &SuiteView) -> Value {
    let tasks: Vec<Value> = view
        .rows
        .iter()
        .filter(|row| row.suite == suite.suite)
        .map(|row| {
            json!({
                "task_id": row.task,
                "suite": row.suite,
                "trial": row.trial,
                "passed": row.passed,
                "score": rounded(row.score.map(|score| score * 100.0)),
                "latency_ms": row.timing.total_ms,
                "tokens_generated": row.usage.completion_tokens,
                "tokens_prompt": row.usage.prompt_tokens,
                "error": row.not_judged,
                "output": row.answer,
                "execution_ok": row.state.is_judged(),
                "why": row.why,
                "state": row.state,
                "class": row.class,
                "metadata": {
                    "title": view.title_of(row.suite, &row.task),
                    "parts": row.parts,
                    "finish_reason": row.finish_reason,
                    "flags": row.flags,
                    "usage": row.usage,
                    "timing": row.timing,
                    "server_timing": row.server_timing,
                    "notes": row.notes,
                    "adaptations": row.adaptations,
                    "requests": row.requests,
                    "turns": row.turns,
                    "harness_report": (!row.reading.is_empty()).then_some(row.reading),
                },
            })
        })
        .collect();
    json!({
        "suite": suite.suite,
        "score": rounded(suite.score.value),
        "interval": [suite.score.low, suite.score.high],
        "absent": suite.score.why,
        "task_count": suite.planned,
        "pass_count": suite.passed,
        "fail_count": suite.judged - suite.passed.min(suite.judged),
        "judged_count": suite.judged,
        "complete": suite.complete,
        "median_latency_ms": suite.median_ms,
        "pass_at": suite.repeats.pass_at.iter().map(|share| rounded(Some(share * 100.0))).collect::<Vec<_>>(),
        "flaky_count": (suite.repeats.repeated > 0).then_some(suite.repeats.flaky),
        "trial_spread": rounded(suite.repeats.spread.map(|spread| spread * 100.0)),
        "tasks": tasks,
    })
}

impl RunView {
    /// The record of this run, as `run.json` holds it.
    pub fn record(&self) -> RunRecord {
        let (summary, scores, suites) = (RunRow::of(self), self.scores(), self.suites());
        let machine = self.machine.clone().unwrap_or_default();
        let identity = self.identity.clone().unwrap_or_default();
        let gb = |bytes: Option<u64>| bytes.map(|bytes| (bytes as f64 / 1e8).round() / 10.0);
        let mut absent = BTreeMap::new();
        for (name, figure) in [
            ("overall_score", &scores.overall),
            ("quality_score", &scores.quality),
            ("speed_score", &scores.speed),
            ("reliability_score", &scores.reliability),
        ] {
            if let Some(why) = &figure.why {
                absent.insert(name, why.clone());
            }
        }
        let planned: u32 = suites.iter().map(|suite| suite.planned).sum();
        let judged: u32 = suites.iter().map(|suite| suite.judged).sum();
        let profile = self.plan.as_ref().map_or("standard", |plan| plan.profile.as_str()).to_owned();
        let host = host_of(&summary.endpoint);
        RunRecord {
            version: self.version.clone(),
            benchmark_id: "benchloop",
            benchmark_version: "4.0.0",
            benchmark_profile: profile.clone(),
            requested_profile: profile,
            manifest_hash: self.digest.clone(),
            score_schema_version: score::SCHEMA,
            coverage_score: rounded((planned > 0).then(|| f64::from(judged) * 100.0 / f64::from(planned))),
            comparable: !summary.demo
                && !summary.drifted
                && !summary.thinking_invalid
                && suites.iter().all(|suite| suite.complete),
            timestamp: self.started_at.or(self.queued_at),
            model: json!({
                "model_id": summary.model,
                "family": identity.family,
                "parameter_count": identity.parameter_size,
                "quantization": identity.quantization,
            }),
            machine: json!({
                "cpu": machine.cpu,
                "gpu": machine.gpus.iter().map(|gpu| gpu.name.as_str()).collect::<Vec<_>>().join(", "),
                "gpu_memory_gb": gb(machine.gpus.iter().map(|gpu| gpu.memory_bytes).sum::<Option<u64>>().filter(|b| *b > 0)),
                "system_memory_gb": gb(machine.memory_bytes),
                "os": machine.os,
                "arch": machine.arch,
                "backend": identity.server,
                "is_remote": !is_this_machine(host),
                "remote_host": if is_this_machine(host) { "" } else { host },
                "endpoint": summary.endpoint,
                "hardware_label": machine.label(),
            }),
            provider: self.wire,
            harness: summary.harness,
            harness_version: "v1",
            is_remote: false,
            total_runtime_sec: summary.runtime_s,
            overall_score: rounded(scores.overall.value),
            quality_score: rounded(scores.quality.value),
            speed_score: rounded(scores.speed.value),
            reliability_score: rounded(scores.reliability.value),
            speed_metrics: json!({
                "ttft_ms": scores.ttft_ms.median,
                "prompt_eval_tok_per_sec": scores.prefill_tok_s.median,
                "generation_tok_per_sec": scores.decode_tok_s.median,
                "sample_count": scores.decode_tok_s.n,
            }),
            suites: suites.iter().map(|suite| (suite.suite.as_str(), suite_value(self, suite))).collect(),
            run_id: self.id.clone(),
            status: self.status,
            error: self.error.clone(),
            absent,
            demo: summary.demo,
            plan: self.plan.clone(),
            identity: self.identity.clone(),
            drift: self.drift.clone(),
            preflight: self.card.clone(),
            speed_points: self.speed_points(),
            harness_report: self.harness_report(),
            scores,
            summary,
        }
    }
}

/// The host of a URL, without port, user and brackets.
pub fn host_of(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if let Some(v6) = host.strip_prefix('[') {
        return v6.split(']').next().unwrap_or(v6);
    }
    host.split(':').next().unwrap_or(host)
}

/// Whether a host is a loopback address or `localhost`. A name is never one for how it begins.
pub fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical().is_loopback())
}

/// Whether a host is this machine, in any spelling a model server may be reached by.
pub fn is_this_machine(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let unspecified = host.parse::<IpAddr>().is_ok_and(|ip| ip.to_canonical().is_unspecified());
    is_loopback(&host) || unspecified || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_found_in_any_spelling() {
        for (url, host) in [
            ("http://127.0.0.1:8080", "127.0.0.1"),
            ("localhost:11434", "localhost"),
            ("https://api.example.com/v1?x=1", "api.example.com"),
            ("http://[::1]:11434/", "::1"),
            ("http://user@mybox:80", "mybox"),
        ] {
            assert_eq!(host_of(url), host, "{url}");
        }
    }

    #[test]
    fn a_name_that_only_begins_like_loopback_is_remote() {
        assert!(is_loopback("127.0.0.53") && is_loopback("LOCALHOST") && is_loopback("::1"));
        for name in ["127.evil.example", "127.x.evil.com", "127.0.0.example", "localhost.example.com", "1270.0.0.1"] {
            assert!(!is_loopback(name) && !is_this_machine(name), "{name}");
        }
        for name in ["0.0.0.0", "::", "::ffff:127.0.0.1", "box.localhost", "localhost."] {
            assert!(is_this_machine(name), "{name}");
        }
    }

    #[test]
    fn an_empty_run_has_nulls_and_reasons_and_no_zero() {
        let view = RunView::new("x".parse().unwrap());
        let record = serde_json::to_value(view.record()).unwrap();
        assert_eq!(record["quality_score"], Value::Null);
        assert_eq!(record["absent"]["quality_score"], "no quality suite has a score");
        assert_eq!(record["score_schema_version"], "4.0.0");
    }
}
