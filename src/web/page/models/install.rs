//! What to do on a machine without a model server: three servers, with the commands of its system. Links lead away only
//! when they are followed.

use leptos::prelude::*;

use crate::domain::machine::Machine;

/// A server: name, what it is, its page, then one command per system (Linux, macOS, Windows) and what starts it.
struct Offer {
    name: &'static str,
    about: &'static str,
    page: &'static str,
    install: [&'static str; 3],
    start: &'static str,
}

const OFFERS: [Offer; 3] = [
    Offer {
        name: "Ollama",
        about: "The shortest way; models can be pulled from this page.",
        page: "https://ollama.com/download",
        install: [
            "curl -fsSL https://ollama.com/install.sh | sh",
            "brew install ollama",
            "winget install Ollama.Ollama",
        ],
        start: "ollama serve",
    },
    Offer {
        name: "LM Studio",
        about: "A desktop application; switch its server on under Developer.",
        page: "https://lmstudio.ai/download",
        install: ["", "brew install --cask lm-studio", "winget install ElementLabs.LMStudio"],
        start: "lms server start",
    },
    Offer {
        name: "llama.cpp",
        about: "One program, every setting; loads GGUF files.",
        page: "https://github.com/ggml-org/llama.cpp",
        install: ["brew install llama.cpp", "brew install llama.cpp", "winget install llama.cpp"],
        start: "llama-server -hf ggml-org/gemma-3-1b-it-GGUF",
    },
];

const SYSTEMS: [&str; 3] = ["Linux", "macOS", "Windows"];

/// Which of the systems this machine has.
fn system(machine: Option<&Machine>) -> usize {
    let name = machine.map(|machine| machine.os.to_lowercase()).unwrap_or_default();
    if name.contains("mac") || name.contains("darwin") {
        1
    } else if name.contains("windows") {
        2
    } else {
        0
    }
}

/// Three steps, then the three servers.
pub fn steps(machine: Option<&Machine>, nothing_at_all: bool) -> AnyView {
    let at = system(machine);
    let demo = if nothing_at_all {
        "The built-in demo server is off as well; it starts together with BenchLoop."
    } else {
        "Until then you can try everything with the demo models below: their answers are scripted and their figures \
         measure nothing real."
    };
    let offers = OFFERS
        .iter()
        .map(|offer| {
            let install = offer.install.get(at).copied().unwrap_or_default();
            let install = if install.is_empty() {
                view! { <p class="small">"Download it from its page."</p> }.into_any()
            } else {
                view! { <pre class="code fold">{install}</pre> }.into_any()
            };
            view! {
                <div class="offer">
                    <h3>{offer.name}</h3>
                    <p class="small soft">{offer.about}</p>
                    {install}
                    <pre class="code fold">{offer.start}</pre>
                    <p class="small"><a href=offer.page rel="noopener noreferrer">{offer.page}</a></p>
                </div>
            }
        })
        .collect_view();
    view! {
        <section class="state broad" aria-labelledby="steps">
            <h2 id="steps">"No model server answers yet"</h2>
            <ol>
                <li>"Start a model server. Commands for " {SYSTEMS[at]} ":"</li>
            </ol>
            <div class="offers">{offers}</div>
            <ol start="2">
                <li>"Press Look again, or add the server’s address above."</li>
                <li>"Pick a model and press Benchmark. The quick profile takes a few minutes."</li>
            </ol>
            <p>{demo}</p>
        </section>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_those_of_this_machines_system() {
        let on = |os: &str| system(Some(&Machine { os: os.into(), ..Machine::default() }));
        assert_eq!((on("Linux (Ubuntu 24.04)"), on("macOS 15.1"), on("Windows 11"), system(None)), (0, 1, 2, 0));
    }
}
