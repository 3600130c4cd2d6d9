//! Follows a run's live stream in the browser. On the server nothing follows: the page is rendered as it stands.

use crate::domain::event::{Pulse, RunEvent};

/// What arrives.
pub enum Arrival {
    Event(Box<RunEvent>),
    Pulse(Pulse),
    /// The run is over; nothing more will come.
    Done,
    /// The connection broke off; the browser is trying to come back.
    Away,
    /// It came back.
    Back,
    /// The connection is gone for good.
    Lost,
}

/// Calls `on` for everything that arrives from event `from` on, until the page is left or the run is over. The browser
/// itself reconnects and names the last event it saw.
#[cfg(feature = "hydrate")]
pub fn follow(id: &str, from: u64, on: impl Fn(Arrival) + 'static) {
    use std::{
        rc::{Rc, Weak},
        time::Duration,
    };

    use futures_util::{StreamExt, future::abortable, stream};
    use gloo_net::eventsource::{State, futures::EventSource};

    use crate::web::calls::json::read;

    let address = format!("/live/runs/{id}?from={from}");
    let on = Rc::new(on);
    let Ok(mut source) = EventSource::new(&address) else { return on(Arrival::Lost) };
    let streams = (source.subscribe("message"), source.subscribe("pulse"), source.subscribe("done"));
    let (Ok(events), Ok(pulses), Ok(ends)) = streams else { return on(Arrival::Lost) };
    // the browser comes back by itself and tells nobody that it was away
    let source = Rc::new(source);
    let (watched, tell, away) = (Rc::downgrade(&source), on.clone(), std::cell::Cell::new(false));
    let watch = move || {
        let is_away = Weak::upgrade(&watched).is_some_and(|source| source.state() == State::Connecting);
        if away.replace(is_away) != is_away {
            tell(if is_away { Arrival::Away } else { Arrival::Back });
        }
    };
    if let Ok(watcher) = leptos::prelude::set_interval_with_handle(watch, Duration::from_secs(1)) {
        leptos::prelude::on_cleanup(move || watcher.clear());
    }
    let task = async move {
        let mut arrivals = stream::select(events, stream::select(pulses, ends));
        let mut end = Arrival::Lost;
        while let Some(Ok((name, message))) = arrivals.next().await {
            let text = message.data().as_string().unwrap_or_default();
            match name.as_str() {
                "message" => match read(&text) {
                    Ok(event) => on(Arrival::Event(Box::new(event))),
                    Err(error) => leptos::logging::warn!("an event could not be read: {error}"),
                },
                "pulse" => {
                    if let Ok(pulse) = read(&text) {
                        on(Arrival::Pulse(pulse));
                    }
                }
                _ => {
                    end = Arrival::Done;
                    break;
                }
            }
        }
        drop(arrivals);
        drop(source);
        on(end);
    };
    let (task, handle) = abortable(task);
    leptos::prelude::on_cleanup(move || handle.abort());
    leptos::task::spawn_local(async move { _ = task.await });
}

#[cfg(not(feature = "hydrate"))]
pub fn follow(_id: &str, _from: u64, _on: impl Fn(Arrival) + 'static) {}
