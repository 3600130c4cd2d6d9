//! The turns of one judged trial: the model speaks, its calls are made in the task's simulation, the results go back in the
//! harness's form, until it stops calling or has had its turns.
//!
//! Imports: domain and the engine's own parts.

use super::{
    check::Said,
    client::ChatRequest,
    harness,
    run::{Found, Session},
    suite::Task,
};
use crate::domain::{
    event::Step,
    sample::{Sample, SampleState},
    transcript::{Message, Tool},
};

/// What was said in a trial.
pub(super) struct Talk {
    /// What was sent first.
    pub messages: Vec<Message>,
    pub tools: Vec<Tool>,
    pub steps: Vec<Step>,
    /// The last turn, or the one that failed.
    pub sample: Sample,
    /// Every turn as the harness read it, the last one too; empty if nothing is to be judged.
    pub said: Vec<Said>,
}

impl Session {
    /// Lets the model work on a task. `budget` is what each turn may generate, in tokens.
    pub(super) async fn converse(&self, task: &Task, trial: u32, found: &Found, seed: u64, budget: u32) -> Talk {
        let harness = self.plan.harness;
        let prepared = harness::prepare(harness, task);
        let mut messages = prepared.messages.clone();
        let mut running = task.simulation.as_ref().map(|simulation| simulation.start());
        let (mut steps, mut said) = (Vec::new(), Vec::new());
        loop {
            // a judged answer that has begun to loop will say nothing more
            let request = ChatRequest {
                tools: prepared.tools.clone(),
                stop_loops: true,
                json: false,
                ..self.request(messages.clone(), budget, seed)
            };
            let sample = self.ask(found, &request, task, trial).await;
            let parsed = harness::parse(harness, &sample, &task.tools);
            said.push(Said { text: parsed.text.clone(), calls: parsed.calls.clone(), notes: parsed.notes.clone() });
            let goes_on =
                sample.state == SampleState::Ok && !parsed.calls.is_empty() && said.len() < task.turns as usize;
            let Some(running) = running.as_mut().filter(|_| goes_on) else {
                return Talk { messages: prepared.messages, tools: prepared.tools, steps, sample, said };
            };
            let results: Vec<String> = parsed.calls.iter().map(|call| running.call(&task.tools, call)).collect();
            messages.extend(harness::reply(harness, &sample, &parsed, &results));
            steps.push(Step { sample, calls: parsed.calls, results, notes: parsed.notes });
        }
    }
}
