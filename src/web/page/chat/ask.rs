//! Sends a prompt to the models that are picked and feeds their answers into the conversation. Stopping drops the
//! streams, which ends the generation on the model server.

use futures_util::{
    StreamExt,
    future::{abortable, join},
};
use leptos::prelude::*;

use super::state::{Chat, Reply, Stage, Turn};
use crate::{
    domain::{
        chat::{ChatLine, machine_of},
        model::Target,
        unit,
    },
    web::calls::{self, CallErrorKind, json::read},
};

/// Asks what stands in the message field.
pub fn submit(chat: Chat) {
    let prompt = chat.draft.get_untracked();
    if chat.is_going.get_untracked() || prompt.trim().is_empty() || chat.first.get_untracked().is_none() {
        return;
    }
    chat.draft.set(String::new());
    send(chat, prompt.trim().to_owned(), false);
}

/// Asks the last prompt again, of the models that are picked now.
pub fn again(chat: Chat, force: bool) {
    if chat.is_going.get_untracked() || chat.first.get_untracked().is_none() {
        return;
    }
    let last = chat.turns.try_update(Vec::pop).flatten();
    if let Some(turn) = last {
        send(chat, turn.prompt.to_string(), force);
    }
}

/// Ends the answers that are being written.
pub fn stop(chat: Chat) {
    if let Some(handle) = chat.handle.get_value() {
        handle.abort();
    }
}

fn send(chat: Chat, prompt: String, force: bool) {
    let targets = [chat.first.get_untracked(), chat.second.get_untracked()];
    chat.add(prompt, targets.iter().flatten().map(Reply::new).collect());
    let Some(turn) = chat.turns.with_untracked(|turns| turns.last().cloned()) else { return };
    let (work, handle) = abortable(ask(chat, turn.clone(), force));
    chat.handle.set_value(Some(handle));
    chat.is_going.set(true);
    chat.news.set("The model is asked.".to_owned());
    leptos::task::spawn_local(async move {
        _ = work.await;
        // the page may have been left in the meantime
        if chat.is_going.try_set(false).is_some() {
            return;
        }
        for reply in turn.replies() {
            reply.update(|reply| {
                if reply.stage.is_going() {
                    reply.stage = Stage::Stopped;
                }
            });
        }
        chat.news.set(told(&turn));
        chat.keep();
    });
}

/// Models on one machine are asked one after the other: together they would slow each other down.
async fn ask(chat: Chat, turn: Turn, force: bool) {
    let Some(second) = turn.second else { return answer(chat, 0, turn.first, force).await };
    let machine = |reply: &ArcRwSignal<Reply>| {
        Target::read(&reply.with_untracked(|reply| reply.target.clone())).map(|target| machine_of(&target.endpoint))
    };
    if machine(&turn.first) == machine(&second) {
        answer(chat, 0, turn.first, force).await;
        answer(chat, 1, second, force).await;
    } else {
        join(answer(chat, 0, turn.first, force), answer(chat, 1, second, force)).await;
    }
}

async fn answer(chat: Chat, column: usize, reply: ArcRwSignal<Reply>, force: bool) {
    let fail = |why: String, beside_run: bool| {
        reply.update(|reply| {
            reply.stage = Stage::Failed;
            reply.why = Some(why);
            reply.beside_run = beside_run;
        });
    };
    let target = Target::read(&reply.with_untracked(|reply| reply.target.clone()));
    let Some(target) = target else { return fail("chat: the model has no address".to_owned(), false) };
    let form = match chat.form(column, &target, force) {
        Ok(form) => form,
        Err(why) => return fail(why, false),
    };
    reply.update(|reply| reply.stage = Stage::Connecting);
    let stream = match calls::chat(form).await {
        Ok(stream) => stream.into_inner(),
        Err(error) => return fail(error.message, error.kind == CallErrorKind::Conflict),
    };
    let (mut stream, mut rest) = (std::pin::pin!(stream), String::new());
    while let Some(piece) = stream.next().await {
        match piece {
            Ok(text) => rest.push_str(&text),
            Err(error) => return fail(error.message, false),
        }
        while let Some(end) = rest.find('\n') {
            let line: String = rest.drain(..=end).collect();
            if let Ok(line) = read::<ChatLine>(line.trim()) {
                reply.update(|reply| reply.take(line));
            }
        }
    }
    if reply.with_untracked(|reply| reply.stage.is_going()) {
        fail("read the answer to its end: it broke off; is BenchLoop still running?".to_owned(), false);
    }
}

/// How a turn ended, for those who don't see it.
fn told(turn: &Turn) -> String {
    let one = |reply: &ArcRwSignal<Reply>| {
        reply.with_untracked(|reply| {
            let model = reply.model();
            match reply.stage {
                Stage::Stopped => format!("{model} was stopped."),
                Stage::Failed => format!("{model} could not be asked."),
                _ => match reply.sample.as_ref().and_then(|sample| sample.usage.completion_tokens) {
                    Some(tokens) => format!("{model} has answered, {} tokens.", unit::count(tokens)),
                    None => format!("{model} has answered."),
                },
            }
        })
    };
    turn.replies().map(one).collect::<Vec<_>>().join(" ")
}
