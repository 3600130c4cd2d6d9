//! The run loop: suites × tasks × trials, one sample at a time, each fact into the journal as it happens.
//!
//! Imports: domain and the engine's own parts. Reads like the plan: resolve the server, warm up, run each suite, read
//! the model's identity again.

use std::{path::PathBuf, sync::Arc};

use tokio_util::sync::CancellationToken;

use super::{
    answered,
    client::{BaseUrl, ChatRequest, Client, Target},
    clock, endpoints,
    grade::grade,
    hardware, identify,
    journal::{Journal, JournalError},
    nonce,
    probe::{self, FIRST_PAUSE, LONGEST_PAUSE, Look, questions, read},
    pulse::Pulses,
    python::Python,
    suite::{Suites, Task, TaskKind, speed_text},
    turns::Talk,
};
use crate::domain::{
    card::{Answer, Blocker, CapabilityCard, Finding, FindingId},
    event::{Ending, Happening, PlannedTask, Trial, WarmUp},
    id::{HarnessId, SuiteId, Wire},
    identity::Identity,
    model::Server,
    plan::RunPlan,
    sample::{ErrorKind, Flag, Sample, SampleClass, SampleError, SampleState},
    speed::SpeedKind,
    transcript::Message,
    unit,
    words::advice,
};

/// Equal failures in a row after which a suite is given up.
const GIVE_UP_AFTER: u32 = 5;
/// Tokens generated to warm up; one token is not enough to settle caches and clocks.
const WARM_UP_TOKENS: u32 = 32;
/// Prompt tokens, about, of the warm-up; enough to learn how many characters a token has.
const WARM_UP_DEPTH: u32 = 256;
/// Tokens generated at each depth of a prefill trial.
const PREFILL_TOKENS: u32 = 16;
/// Tokens, about, that a chat template and a nonce add to a prompt.
const OVERHEAD: u64 = 20;
/// Characters per token while nothing is known.
const CHARS_PER_TOKEN: f64 = 4.0;
/// Share of a depth's tokens below which the prompt must have been cut.
const LEAST_OF_DEPTH: f64 = 0.7;
/// Room that a chat template and the nonce need beside the text.
const TEMPLATE_ROOM: u32 = 96;

/// Why a run can't go on.
#[derive(Debug, thiserror::Error)]
enum Stop {
    #[error("cancelled")]
    Cancelled,
    #[error("{0}")]
    Failed(String),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// One run on its way.
pub struct Session {
    pub plan: RunPlan,
    /// Where settings and keys are.
    pub home: PathBuf,
    pub client: Client,
    pub suites: Arc<Suites>,
    pub python: Python,
    pub journal: Journal,
    pub cancel: CancellationToken,
}

/// What the server turned out to be.
pub(super) struct Found {
    target: Target,
    server: Server,
    identity: Identity,
    /// How long the server was waited for because it was loading.
    waited_ms: f64,
    /// What the first look told.
    findings: Vec<Finding>,
}

impl Session {
    /// Does the run, up to and without its last event; returns how it ended.
    pub async fn run(&self) -> (Ending, Option<String>) {
        match self.go().await {
            Ok(()) if self.journal.view().suites().iter().any(|suite| suite.judged > 0) => (Ending::Completed, None),
            Ok(()) => (Ending::Failed, Some(self.nothing_judged())),
            Err(Stop::Cancelled) => (Ending::Cancelled, Some("stopped by the user; what had ended is kept".to_owned())),
            Err(stop) => (Ending::Failed, Some(stop.to_string())),
        }
    }

    fn nothing_judged(&self) -> String {
        let view = self.journal.view();
        let evidence = view.rows.iter().find_map(|row| row.not_judged.clone());
        match evidence {
            Some(evidence) => format!("no trial could be judged; the first ended as {evidence}"),
            None => "no trial could be judged: every task was skipped".to_owned(),
        }
    }

    async fn go(&self) -> Result<(), Stop> {
        if self.plan.suites.contains(&SuiteId::Coding) {
            // its interpreter takes seconds to compile, which other suites can use
            self.python.start();
        }
        let mut found = self.unless_cancelled(self.resolve()).await??;
        let tasks: Vec<&Task> =
            self.plan.suites.iter().flat_map(|suite| self.suites.chosen(*suite, self.plan.profile)).collect();
        self.started(&found, &tasks).await?;
        let (first, chars_per_token) = self.warm_up(&found).await?;
        // before the warm-up the model may have been loaded otherwise, or not at all
        found.identity = self.unless_cancelled(self.read_identity(&found)).await??;
        if self.plan.preflight {
            self.look(&found, &first, &tasks).await?;
        } else if let Some(why) = first.why_not_judged() {
            return Err(Stop::Failed(format!("warm up {}: {why}", self.plan.model)));
        }
        for suite in &self.plan.suites {
            self.journal.append(Happening::SuiteStarted { suite: *suite }).await?;
            let own: Vec<&Task> = tasks.iter().copied().filter(|task| task.suite == *suite).collect();
            self.suite(*suite, &own, &found, chars_per_token).await?;
            self.journal.append(Happening::SuiteFinished { suite: *suite }).await?;
        }
        self.unless_cancelled(self.read_identity(&found)).await??;
        Ok(())
    }

    async fn read_identity(&self, found: &Found) -> Result<Identity, Stop> {
        let identity = identify::read_again(&found.target, &found.server, &self.plan.model).await;
        self.journal.append(Happening::IdentityRead { identity: Box::new(identity.clone()) }).await?;
        Ok(identity)
    }

    async fn unless_cancelled<T>(&self, work: impl Future<Output = T>) -> Result<T, Stop> {
        tokio::select! {
            done = work => Ok(done),
            () = self.cancel.cancelled() => Err(Stop::Cancelled),
        }
    }

    /// Asks what the server is and whether it offers the model. What stands in the way ends the run, unless it was to
    /// start without a look.
    async fn resolve(&self) -> Result<Found, Stop> {
        let plan = &self.plan;
        let base = BaseUrl::parse(&plan.endpoint).map_err(|error| Stop::Failed(error.to_string()))?;
        let key = endpoints::key_for(&self.home, &base);
        let (server, waited_ms) = probe::loaded_server(&base, key.as_ref(), plan.clocks.first_byte_s).await;
        let look = Look::of(&base, &plan.model, &server, plan.provider, key.is_some(), waited_ms);
        if plan.preflight && look.is_blocked() {
            return Err(self.refused(look.card(0)).await);
        }
        let findings = look.findings;
        let wire = plan.provider.or(server.wire).unwrap_or(Wire::OpenaiCompat);
        let target = Target { base, wire, key };
        let identity = identify::identity(&target, &server, &plan.model).await;
        Ok(Found { target, server, identity, waited_ms, findings })
    }

    /// Writes the card down and says why no run can start.
    async fn refused(&self, card: CapabilityCard) -> Stop {
        let why = card.refusal().unwrap_or_else(|| card.conclusion());
        match self.journal.append(Happening::Preflight { card: Box::new(card) }).await {
            Ok(_) => Stop::Failed(why),
            Err(error) => Stop::Journal(error),
        }
    }

    /// The short look: what the first answer and the server's own words tell, and whether tools are taken, where the plan
    /// needs them.
    async fn look(&self, found: &Found, first: &Sample, tasks: &[&Task]) -> Result<(), Stop> {
        let plan = &self.plan;
        let mut look = Look {
            base: &found.target.base,
            model: &plan.model,
            server: found.server.clone(),
            wire: Some(found.target.wire),
            begun: clock::now(),
            findings: found.findings.clone(),
        };
        let first = answered::checked(first.clone(), &plan.model, &found.server, found.target.wire);
        look.findings.extend(read::first_answer(&first, found.target.key.is_some(), &plan.model));
        if !look.is_blocked() {
            look.findings.extend(probe::told_context(found.target.wire, &found.identity, plan.num_ctx, tasks));
            let wants_tools = |suite: &SuiteId| matches!(suite, SuiteId::Toolcall | SuiteId::Agent);
            if plan.harness == HarnessId::Raw && plan.suites.iter().any(wants_tools) {
                let request = questions::tools(&plan.model, true, plan.num_ctx);
                let sample = self.chat(found, &request, None, "preflight", 1).await;
                if sample.state == SampleState::Cancelled {
                    return Err(Stop::Cancelled);
                }
                let finding = read::tools(FindingId::Tools, &sample);
                let is_vain = finding.answer == Answer::No && plan.suites.iter().all(wants_tools);
                look.findings.push(if is_vain { finding.blocking(Blocker::ToolsUnsupported) } else { finding });
            }
        }
        let is_blocked = look.is_blocked();
        let context = probe::room(tasks, 0).largest + u64::from(plan.thinking_budget);
        let card = look.card(context);
        if is_blocked {
            return Err(self.refused(card).await);
        }
        self.journal.append(Happening::Preflight { card: Box::new(card) }).await?;
        Ok(())
    }

    fn trials_of(&self, task: &Task) -> u32 {
        if matches!(task.kind, TaskKind::Timed(_)) { self.plan.speed_trials() } else { self.plan.trials }
    }

    async fn started(&self, found: &Found, tasks: &[&Task]) -> Result<(), Stop> {
        let planned = tasks.iter().map(|task| PlannedTask {
            suite: task.suite,
            task: task.id.clone(),
            title: task.title.clone(),
            tier: task.tier,
            trials: self.trials_of(task),
            tools: task.tools.len() as u32,
            speed: match task.kind {
                TaskKind::Timed(kind) => Some(kind),
                TaskKind::Judged(_) => None,
            },
            digest: task.digest.clone(),
        });
        let machine = tokio::task::spawn_blocking(hardware::read).await.unwrap_or_default();
        let started = Happening::Started {
            wire: found.target.wire,
            identity: Box::new(found.identity.clone()),
            machine: Box::new(machine),
            tasks: planned.collect(),
            digest: self.suites.run_digest(tasks, self.plan.harness),
        };
        self.journal.append(started).await?;
        Ok(())
    }

    pub(super) fn request(&self, messages: Vec<Message>, max_tokens: u32, seed: u64) -> ChatRequest {
        ChatRequest {
            model: self.plan.model.clone(),
            messages,
            tools: Vec::new(),
            max_tokens,
            temperature: Some(self.plan.temperature),
            seed: Some(seed),
            thinking: self.plan.thinking,
            num_ctx: Some(self.plan.num_ctx),
            stream: true,
            stop_loops: false,
            json: false,
        }
    }

    async fn chat(
        &self,
        found: &Found,
        request: &ChatRequest,
        suite: Option<SuiteId>,
        task: &str,
        trial: u32,
    ) -> Sample {
        let mut pulses = Pulses::new(self.journal.clone(), suite, task, trial);
        let mut passing = |passing| pulses.saw(passing);
        self.client.chat(&found.target, request, &self.plan.clocks, &self.cancel, &mut passing).await
    }

    /// One untimed call, so that loading and first-use costs stay out of the figures. A server that is still loading is
    /// waited for. Returns the answer and the characters per token, for sizing prompts.
    async fn warm_up(&self, found: &Found) -> Result<(Sample, f64), Stop> {
        let text = speed_text::prefill_prompt(&nonce(), WARM_UP_DEPTH, CHARS_PER_TOKEN);
        let request = self.request(vec![Message::user(&text)], WARM_UP_TOKENS, self.plan.seed);
        let begun = clock::now();
        let mut pause = FIRST_PAUSE;
        let (mut sample, waited_ms) = loop {
            let asked = clock::now();
            let sample = self.chat(found, &request, None, "warm-up", 1).await;
            // a server that limits requests loads nothing
            let inside = sample.waited_ms.filter(|_| sample.waited_for == Some(SampleClass::Loading));
            let waited_ms = asked.ms_since(begun) + inside.unwrap_or(0.0);
            let is_loading = sample.class == Some(SampleClass::Loading);
            if !is_loading || waited_ms > self.plan.clocks.first_byte_s * 1000.0 {
                break (sample, waited_ms + found.waited_ms);
            }
            self.unless_cancelled(tokio::time::sleep(pause)).await?;
            pause = (pause * 2).min(LONGEST_PAUSE);
        };
        if sample.state == SampleState::Cancelled {
            return Err(Stop::Cancelled);
        }
        // loading as seen from here, where the server itself does not tell; it shows as at least one pause
        if sample.timing.load_ms.is_none() && waited_ms >= FIRST_PAUSE.as_secs_f64() * 1000.0 {
            sample.timing.load_ms = Some(waited_ms);
            sample.notes.remove("load_ms");
        }
        let chars_per_token =
            sample.usage.prompt_tokens.filter(|tokens| *tokens > u64::from(WARM_UP_DEPTH) / 4).map(|tokens| {
                let own = tokens.saturating_sub(OVERHEAD).max(1);
                (text.chars().count() as f64 / own as f64).clamp(1.0, 8.0)
            });
        self.journal.append(Happening::WarmedUp(Box::new(WarmUp { sample: sample.clone(), chars_per_token }))).await?;
        Ok((sample, chars_per_token.unwrap_or(CHARS_PER_TOKEN)))
    }

    async fn suite(&self, suite: SuiteId, tasks: &[&Task], found: &Found, chars_per_token: f64) -> Result<(), Stop> {
        let mut failures: (Option<(SampleState, Option<SampleClass>)>, u32) = (None, 0);
        for task in tasks {
            if let Some(why) = self.too_deep(task, found) {
                self.journal.append(Happening::TaskSkipped { suite, task: task.id.clone(), why }).await?;
                continue;
            }
            for trial in 1..=self.trials_of(task) {
                if self.cancel.is_cancelled() {
                    return Err(Stop::Cancelled);
                }
                self.journal.append(Happening::TrialStarted { suite, task: task.id.clone(), trial }).await?;
                let finished = self.trial(task, trial, found, chars_per_token).await;
                let (state, class) = (finished.sample.state, finished.sample.class);
                let refused_depth = matches!(task.kind, TaskKind::Timed(SpeedKind::Prefill { .. }))
                    && (state, class) == (SampleState::RefusedCapability, Some(SampleClass::Context));
                let evidence = finished.sample.why_not_judged();
                self.journal.append(Happening::TrialFinished(Box::new(finished))).await?;
                if refused_depth {
                    let why = evidence.unwrap_or_default();
                    self.journal.append(Happening::TaskSkipped { suite, task: task.id.clone(), why }).await?;
                    break;
                }
                if state == SampleState::Cancelled {
                    return Err(Stop::Cancelled);
                }
                let Some(evidence) = evidence else {
                    failures = (None, 0);
                    continue;
                };
                failures = if failures.0 == Some((state, class)) {
                    (failures.0, failures.1 + 1)
                } else {
                    (Some((state, class)), 1)
                };
                if failures.1 >= GIVE_UP_AFTER {
                    let why = format!("{GIVE_UP_AFTER} trials in a row ended as {evidence}. {}", advice(state, class));
                    self.journal.append(Happening::SuiteStopped { suite, why }).await?;
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Why a depth can't be measured here; `None` if it fits or nothing is known.
    fn too_deep(&self, task: &Task, found: &Found) -> Option<String> {
        let TaskKind::Timed(SpeedKind::Prefill { depth }) = task.kind else { return None };
        let asked = probe::asked_context(found.target.wire, self.plan.num_ctx);
        let context = match (asked, found.identity.context) {
            (Some(asked), Some(loaded)) => asked.min(loaded),
            (asked, loaded) => asked.or(loaded)?,
        };
        let needed = u64::from(depth + PREFILL_TOKENS + TEMPLATE_ROOM);
        (needed > context).then(|| {
            format!("needs a context of about {} tokens; the server has {}", unit::count(needed), unit::count(context))
        })
    }

    async fn trial(&self, task: &Task, trial: u32, found: &Found, chars_per_token: f64) -> Trial {
        let begun = clock::now();
        let (seed, budget, talk) = match &task.kind {
            TaskKind::Timed(speed) => {
                let budget = task.answer_tokens;
                (self.plan.seed, budget, self.timed(task, *speed, trial, found, chars_per_token, budget).await)
            }
            TaskKind::Judged(_) => {
                let seed = self.plan.seed_of(trial);
                let budget = task.answer_tokens + self.plan.thinking_budget;
                (seed, budget, self.converse(task, trial, found, seed, budget).await)
            }
        };
        let (verdict, verdict_absent) = match talk.sample.why_not_judged() {
            Some(why) => (None, Some(why)),
            None => {
                let truncated = talk.sample.state == SampleState::Truncated;
                match grade(task, &talk.said, truncated, &self.python).await {
                    Ok(verdict) => (Some(verdict), None),
                    Err(why) => (None, Some(why)),
                }
            }
        };
        let last = talk.said.into_iter().next_back().unwrap_or_default();
        Trial {
            suite: task.suite,
            task: task.id.clone(),
            trial,
            seed: Some(seed),
            max_tokens: budget,
            messages: talk.messages,
            tools: talk.tools,
            steps: talk.steps,
            sample: talk.sample,
            calls: last.calls,
            notes: last.notes,
            verdict,
            verdict_absent,
            took_s: clock::now().ms_since(begun) / 1000.0,
        }
    }

    /// One timed call.
    async fn timed(
        &self,
        task: &Task,
        speed: SpeedKind,
        trial: u32,
        found: &Found,
        chars_per_token: f64,
        budget: u32,
    ) -> Talk {
        let text = match speed {
            SpeedKind::Decode { tokens } => speed_text::decode_prompt(&nonce(), tokens),
            SpeedKind::Prefill { depth } => speed_text::prefill_prompt(&nonce(), depth, chars_per_token),
        };
        let messages = vec![Message::user(text)];
        let request = self.request(messages.clone(), budget, self.plan.seed);
        let mut sample = self.ask(found, &request, task, trial).await;
        if let SpeedKind::Prefill { depth } = speed {
            sample = unless_cut(sample, depth);
        }
        Talk { messages, tools: Vec::new(), steps: Vec::new(), sample, said: Vec::new() }
    }

    /// One call, refused if another model answered it.
    pub(super) async fn ask(&self, found: &Found, request: &ChatRequest, task: &Task, trial: u32) -> Sample {
        let sample = self.chat(found, request, Some(task.suite), &task.id, trial).await;
        answered::checked(sample, &self.plan.model, &found.server, found.target.wire)
    }
}

/// A prompt that was counted far below its size was cut: what was timed is another depth.
fn unless_cut(mut sample: Sample, depth: u32) -> Sample {
    let least = f64::from(depth) * LEAST_OF_DEPTH;
    let Some(counted) = sample.usage.prompt_tokens.filter(|n| sample.state.is_judged() && (*n as f64) < least) else {
        return sample;
    };
    let message = format!(
        "the server counted {} prompt tokens where about {} were sent: it cut the prompt; load the model with a larger context",
        unit::count(counted),
        unit::count(u64::from(depth))
    );
    sample.flag(Flag::PromptCut);
    let error = SampleError { kind: ErrorKind::PromptCut, message, status: None };
    Sample { state: SampleState::RefusedCapability, class: Some(SampleClass::Context), error: Some(error), ..sample }
}
