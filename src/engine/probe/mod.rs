//! The capability card of a model on a server: a look at the server, then a few short questions, cheap ones first.
//! What the answers tell is in [`read`], what is asked in [`questions`], what a user can do in [`advice`]; here is the
//! shell that asks. Imports: domain, client, discover, identify, suite.
//!
//! To look at one more thing: a member of [`FindingId`] with its words, a question, a reading with its rows of tests, and
//! a line in [`Asker::go_on`].

pub mod advice;
pub mod questions;
pub mod read;

use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::{
    Engine, EngineError, answered,
    client::{BaseUrl, ChatRequest, Client, Patience, Secret, Target},
    clock::{self, Stamp},
    discover, identify, nonce,
    suite::{Suites, Task, TaskKind},
};
use crate::domain::{
    card::{Answer, Blocker, CapabilityCard, Finding, FindingId},
    id::{Profile, SuiteId, Thinking, Wire},
    identity::Identity,
    model::{Server, ServerStatus},
    plan::{Clocks, NUM_CTX, THINKING_BUDGET},
    sample::{Sample, SampleClass},
};
use advice::{Place, System};
use read::Room;

/// Pause before a loading server is asked again; doubled each time up to the longest.
pub const FIRST_PAUSE: Duration = Duration::from_millis(500);
pub const LONGEST_PAUSE: Duration = Duration::from_secs(10);
/// Seconds after which nothing more is asked.
const LONGEST_S: f64 = 90.0;
/// Seconds that reading the long prompt may take, and its tokens at most and at least.
const CANARY_S: f64 = 15.0;
const CANARY_MOST: f64 = 12_000.0;
const CANARY_LEAST: f64 = 256.0;
/// Characters per token while nothing is known; about what a task's text and JSON have.
const CHARS_PER_TOKEN: f64 = 3.5;
/// Tokens that a chat template adds.
const TEMPLATE: u64 = 64;

/// How much is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// The server, its list and one answer.
    Short,
    /// Everything; some ten short questions.
    Whole,
}

/// Asks what the server is; one that is loading its model is asked again until it is ready or the patience is over. Also
/// tells how many milliseconds that took.
pub async fn loaded_server(base: &BaseUrl, key: Option<&Secret>, patience_s: f64) -> (Server, f64) {
    let begun = clock::now();
    let mut pause = FIRST_PAUSE;
    loop {
        let asked = clock::now();
        let server = discover::probe(base, key).await;
        if server.status != ServerStatus::Loading || asked.ms_since(begun) > patience_s * 1000.0 {
            return (server, asked.ms_since(begun));
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// Tokens, about, that a task needs: what it says, its tools and the answer. Thinking comes on top.
fn need(task: &Task) -> u64 {
    let tools: usize = task.tools.iter().map(|tool| tool.parameters.to_string().len() + tool.description.len()).sum();
    let chars = task.prompt().chars().count() + tools;
    (chars as f64 / CHARS_PER_TOKEN) as u64 + TEMPLATE + u64::from(task.answer_tokens)
}

/// What a context means for tasks; timed ones skip what does not fit by themselves.
pub fn room(tasks: &[&Task], context: u64) -> Room {
    let needs = tasks.iter().filter(|task| matches!(task.kind, TaskKind::Judged(_))).map(|task| need(task));
    needs.fold(Room::default(), |room, need| Room {
        tasks: room.tasks + 1,
        too_large: room.too_large + u32::from(need > context),
        largest: room.largest.max(need),
    })
}

/// A look at a model on a server, as far as it got.
pub struct Look<'a> {
    pub base: &'a BaseUrl,
    pub model: &'a str,
    pub server: Server,
    pub wire: Option<Wire>,
    pub begun: Stamp,
    pub findings: Vec<Finding>,
}

impl<'a> Look<'a> {
    /// The first look: is a model server there, does it take the key, does it have the model? `provider` is how to speak
    /// to it, where the user said so.
    pub fn of(
        base: &'a BaseUrl,
        model: &'a str,
        server: &Server,
        provider: Option<Wire>,
        has_key: bool,
        waited_ms: f64,
    ) -> Self {
        let findings = read::server(server, model, has_key, provider.is_some(), waited_ms);
        let wire = provider.or(server.wire);
        Self { base, model, server: server.clone(), wire, begun: clock::now(), findings }
    }

    pub fn is_blocked(&self) -> bool {
        self.findings.iter().any(|finding| finding.blocks.is_some())
    }

    /// The card, with advice where something stands in the way. `context` is how many tokens would be enough.
    pub fn card(self, context: u64) -> CapabilityCard {
        let system =
            if self.base.is_loopback() { System::of_this_machine(std::env::consts::OS) } else { System::Elsewhere };
        let place = Place {
            product: self.server.product,
            system,
            url: self.base.as_str(),
            port: self.base.port(),
            model: self.model,
            context,
        };
        let advised = |mut finding: Finding| {
            let why = finding.blocks.or(match (finding.what, finding.answer) {
                (FindingId::Tools, Answer::No) => Some(Blocker::ToolsUnsupported),
                (FindingId::Context, Answer::No | Answer::Partly) => Some(Blocker::ContextTooSmall),
                _ => None,
            });
            finding.advice = why.map(|why| advice::advice(why, &place));
            finding
        };
        let mut findings: Vec<Finding> = self.findings.into_iter().map(advised).collect();
        // what an answer shows to block corrects what the list said
        findings.sort_by_key(|finding| (finding.what, finding.blocks.is_none()));
        findings.dedup_by_key(|finding| finding.what);
        CapabilityCard {
            model: self.model.to_owned(),
            endpoint: self.base.as_str().to_owned(),
            wire: self.wire,
            server: self.server.name,
            server_version: self.server.version,
            at: clock::utc(),
            took_s: clock::now().ms_since(self.begun) / 1000.0,
            findings,
        }
    }
}

/// Asks the questions of a whole look.
struct Asker<'a> {
    client: Client,
    target: &'a Target,
    server: &'a Server,
    model: &'a str,
    clocks: Clocks,
    cancel: &'a CancellationToken,
    begun: Stamp,
}

impl Asker<'_> {
    async fn ask(&self, request: &ChatRequest) -> Sample {
        let sample = self.client.chat(self.target, request, &self.clocks, self.cancel, &mut |_| ()).await;
        answered::checked(sample, self.model, self.server, self.target.wire)
    }

    /// The answer, or `None` when the look has taken long enough.
    async fn in_time(&self, request: &ChatRequest) -> Option<Sample> {
        if clock::now().ms_since(self.begun) > LONGEST_S * 1000.0 || self.cancel.is_cancelled() {
            return None;
        }
        Some(self.ask(request).await)
    }

    /// Everything that is asked after the first answer.
    async fn go_on(&self, first: &Sample, told: Option<Finding>, findings: &mut Vec<Finding>, context: Option<u64>) {
        let late = |what| Finding::new(what, Answer::Unknown, format!("not asked: the look had taken {LONGEST_S} s"));
        let model = self.model;
        let mut add = |what, found: Option<Finding>| findings.push(found.unwrap_or_else(|| late(what)));

        add(FindingId::Limit, self.in_time(&questions::cut(model, NUM_CTX)).await.as_ref().map(read::limit));

        let without = self.in_time(&questions::system(model, false, NUM_CTX)).await;
        let with = self.in_time(&questions::system(model, true, NUM_CTX)).await;
        add(FindingId::System, without.zip(with).map(|(without, with)| read::system(&without, &with)));

        let tools = self.in_time(&questions::tools(model, true, NUM_CTX)).await;
        let refused = tools.as_ref().is_some_and(|sample| sample.class == Some(SampleClass::Tools));
        add(FindingId::Tools, tools.as_ref().map(|sample| read::tools(FindingId::Tools, sample)));
        if !refused {
            let whole = self.in_time(&questions::tools(model, false, NUM_CTX)).await;
            add(FindingId::ToolsWhole, whole.as_ref().map(|sample| read::tools(FindingId::ToolsWhole, sample)));
            add(FindingId::Parallel, tools.as_ref().map(read::parallel));
        }

        for (what, thinking) in [(FindingId::ThinkingOff, Thinking::Off), (FindingId::ThinkingOn, Thinking::On)] {
            let sample = self.in_time(&questions::thinking(model, thinking, NUM_CTX)).await;
            add(what, sample.as_ref().map(|sample| read::thinking(thinking, sample)));
        }

        add(FindingId::Json, self.in_time(&questions::json_object(model, NUM_CTX)).await.as_ref().map(read::json));

        let tokens = canary_tokens(first, context);
        let word = nonce().to_uppercase();
        let request = questions::canary(model, &word, tokens, CHARS_PER_TOKEN_OF_PROSE, NUM_CTX);
        let sample = self.in_time(&request).await;
        add(FindingId::Context, sample.map(|sample| read::canary(&sample, &word, tokens, told)));
    }
}

/// Characters per token of English prose, low enough for a prompt to stay within its size.
const CHARS_PER_TOKEN_OF_PROSE: f64 = 4.0;

/// How long the long prompt is: near the context, but read in a few seconds.
fn canary_tokens(first: &Sample, context: Option<u64>) -> u32 {
    // a short prompt is read more slowly than a long one
    let rate = first.server_timing.prefill_tok_s.or(first.timing.prefill_tok_s).unwrap_or(100.0);
    let readable = (rate * CANARY_S).clamp(CANARY_LEAST, CANARY_MOST);
    let fitting = context.map_or(readable, |context| context as f64 * 0.8 - 64.0);
    readable.min(fitting).max(64.0) as u32
}

impl Engine {
    /// Looks at a model on a server. Refused beside a run that is measured on the same machine.
    pub async fn read_card(
        &self,
        url: &str,
        model: &str,
        provider: Option<Wire>,
        depth: Depth,
        patience_s: f64,
    ) -> Result<CapabilityCard, EngineError> {
        let base = BaseUrl::parse(url)?;
        self.refuse_beside_a_run("look at a model", &base)?;
        let key = self.key_for(&base);
        let begun = clock::now();
        let (server, waited_ms) = loaded_server(&base, key.as_ref(), patience_s).await;
        let mut look = Look { begun, ..Look::of(&base, model, &server, provider, key.is_some(), waited_ms) };
        let tasks = all_tasks(self.suites());
        let largest = room(&tasks, 0).largest + u64::from(THINKING_BUDGET);
        if look.is_blocked() {
            return Ok(look.card(largest));
        }
        let has_key = key.is_some();
        let target = Target { base: base.clone(), wire: look.wire.unwrap_or(Wire::OpenaiCompat), key };
        look.wire = Some(target.wire);
        let clocks =
            Clocks { first_byte_s: patience_s, idle_s: 60.0, sample_s: patience_s + LONGEST_S, ..Clocks::default() };
        let cancel = self.shutdown_token();
        let client = self.client().clone().with_patience(Patience { pause_s: patience_s, total_s: patience_s });
        let asker = Asker { client, target: &target, server: &server, model, clocks, cancel: &cancel, begun };
        let first = asker.ask(&questions::count(model, NUM_CTX)).await;
        look.findings.extend(read::first_answer(&first, has_key, model));
        if look.is_blocked() {
            return Ok(look.card(largest));
        }
        let identity = identify::identity(&target, &server, model).await;
        let told = told_context(target.wire, &identity, NUM_CTX, &tasks);
        let is_too_small = told.as_ref().is_some_and(|told| told.blocks.is_some());
        if depth == Depth::Whole && has_key {
            let without = discover::probe(&base, None).await;
            look.findings.retain(|finding| finding.what != FindingId::Key);
            look.findings.push(read::key_that_is_taken(&without));
        }
        if depth == Depth::Short || is_too_small {
            look.findings.extend(told);
        } else {
            let context = asked_context(target.wire, NUM_CTX).or(identity.context);
            asker.go_on(&first, told, &mut look.findings, context).await;
        }
        Ok(look.card(largest))
    }
}

/// The context that requests ask for, in tokens: only Ollama's own protocol has a place for it.
pub fn asked_context(wire: Wire, num_ctx: u32) -> Option<u64> {
    (wire == Wire::Ollama).then_some(u64::from(num_ctx))
}

/// What the context that the server tells, or is asked for, means for the tasks.
pub fn told_context(wire: Wire, identity: &Identity, num_ctx: u32, tasks: &[&Task]) -> Option<Finding> {
    read::told_context(identity, asked_context(wire, num_ctx), |context| room(tasks, context))
}

/// Every task of every suite.
fn all_tasks(suites: &Suites) -> Vec<&Task> {
    SuiteId::ALL.iter().flat_map(|suite| suites.chosen(*suite, Profile::Standard)).collect()
}
