//! Follows a run's live stream in the browser. On the server nothing follows: the page is rendered as it stands.

use crate::domain::event::{Pulse, RunEvent};

/// What arrives.
pub enum Arrival {
    Event(Box<RunEvent>),
    Pulse(Pulse),
    /// The run is over, or the stream can't be had any more.
    Done,
}

/// Calls `on` for everything that arrives from event `from` on, until the page is left or the run is over. The browser
/// itself reconnects and names the last event it saw.
#[cfg(feature = "hydrate")]
pub fn follow(id: &str, from: u64, on: impl Fn(Arrival) + 'static) {
    use futures_util::{StreamExt, future::abortable, stream};
    use gloo_net::eventsource::futures::EventSource;

    use crate::web::calls::json::read;

    let address = format!("/live/runs/{id}?from={from}");
    let task = async move {
        let Ok(mut source) = EventSource::new(&address) else { return on(Arrival::Done) };
        let streams = (source.subscribe("message"), source.subscribe("pulse"), source.subscribe("done"));
        let (Ok(events), Ok(pulses), Ok(ends)) = streams else { return on(Arrival::Done) };
        let mut arrivals = stream::select(events, stream::select(pulses, ends));
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
                _ => break,
            }
        }
        drop(arrivals);
        source.close();
        on(Arrival::Done);
    };
    let (task, handle) = abortable(task);
    leptos::prelude::on_cleanup(move || handle.abort());
    leptos::task::spawn_local(async move { _ = task.await });
}

#[cfg(not(feature = "hydrate"))]
pub fn follow(_id: &str, _from: u64, _on: impl Fn(Arrival) + 'static) {}
