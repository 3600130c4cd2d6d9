//! What a user can do about a finding that stands in the way, on their server and operating system. Pure.
//! Imports: domain.
//!
//! To teach it one more server: its line in the functions below where its words differ from the general ones.

use crate::domain::{card::Blocker, model::Product};

/// The system that the model server runs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    Mac,
    Windows,
    Linux,
    /// Another machine, or one that is not known.
    Elsewhere,
}

impl System {
    /// The system of a server on this machine, by the name this machine's system gives itself.
    pub fn of_this_machine(os: &str) -> Self {
        let os = os.to_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| os.contains(word));
        if has(&["mac", "darwin", "os x"]) {
            Self::Mac
        } else if has(&["windows"]) {
            Self::Windows
        } else if os.is_empty() {
            Self::Elsewhere
        } else {
            Self::Linux
        }
    }
}

/// Where the trouble is.
#[derive(Debug, Clone, PartialEq)]
pub struct Place<'a> {
    pub product: Product,
    pub system: System,
    /// Base URL without `/v1`.
    pub url: &'a str,
    pub port: u16,
    pub model: &'a str,
    /// Tokens of context that are wanted.
    pub context: u64,
}

/// What to do.
pub fn advice(why: Blocker, place: &Place) -> String {
    match why {
        Blocker::Unreachable => unreachable(place),
        Blocker::WrongApi => format!(
            "Check the address: {} is the part before /v1 (and, for Ollama, before /api). Where several programs share a port, add the path at which the model server is mounted",
            place.url
        ),
        Blocker::HostRefused => host_refused(place),
        Blocker::KeyNeeded => format!("{}. {}", where_key_is(place.product), give_key(place)),
        Blocker::KeyRefused => format!(
            "The key that is set for this address is not the server's: {}. {}",
            lower_first(where_key_is(place.product)),
            give_key(place)
        ),
        Blocker::NotFound => not_found(place),
        Blocker::WrongModel => format!("Load {} on the server, or run the model that it has loaded", place.model),
        Blocker::NoChat => "Choose a model that chats; this one turns text into vectors".to_owned(),
        Blocker::Loading => {
            "Wait until the model is loaded, then try again; --first-byte-timeout makes a run wait longer".to_owned()
        }
        Blocker::OutOfMemory => out_of_memory(place),
        Blocker::MissingBlob => missing_blob(place),
        Blocker::TooOld => too_old(place),
        Blocker::DiskFull => disk_full(place),
        Blocker::ContextTooSmall => context_too_small(place),
        Blocker::ToolsUnsupported => tools(place),
        Blocker::RateLimited => {
            "Wait until the limit is over, then try again; other programs may be using the server".to_owned()
        }
        Blocker::Crashed => format!(
            "The model's process ended; the server's log says why. Often memory is short: {}",
            lower_first(&out_of_memory(place))
        ),
        Blocker::Failed => format!("The server's own log says more{}", log(place)),
    }
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_lowercase().chain(chars).collect()).unwrap_or_default()
}

/// The server that usually listens on a port; a guess for advice alone.
fn usual(port: u16) -> Option<Product> {
    match port {
        11434..=11437 => Some(Product::Ollama),
        1234 => Some(Product::LmStudio),
        1337 => Some(Product::Jan),
        8080 | 8081 => Some(Product::LlamaCpp),
        8000 => Some(Product::Vllm),
        5001 => Some(Product::KoboldCpp),
        10240 => Some(Product::MlxLm),
        _ => None,
    }
}

fn unreachable(place: &Place) -> String {
    if place.system == System::Elsewhere {
        return format!(
            "Start the model server on its machine, have it listen on the network and not on 127.0.0.1 alone{}, and let the firewall pass port {}",
            match usual(place.port) {
                Some(Product::Ollama) => " (OLLAMA_HOST=0.0.0.0)",
                Some(Product::LlamaCpp | Product::Vllm) => " (--host 0.0.0.0)",
                Some(Product::LmStudio) => " (Serve on Local Network)",
                _ => "",
            },
            place.port
        );
    }
    let start = match (usual(place.port), place.system) {
        (Some(Product::Ollama), System::Linux) => "For Ollama: ollama serve, or systemctl start ollama",
        (Some(Product::Ollama), _) => "For Ollama: open its app, or run ollama serve",
        (Some(Product::LmStudio), _) => "For LM Studio: lms server start, or switch the server on under Developer",
        (Some(Product::Jan), _) => "For Jan: start the local API server in its settings",
        (Some(Product::LlamaCpp), _) => "For llama.cpp: llama-server -m <file.gguf> --port 8080",
        (Some(Product::Vllm), _) => "For vLLM: vllm serve <model>",
        (Some(Product::KoboldCpp), _) => "For KoboldCpp: start it with a model",
        (Some(Product::MlxLm), _) => "For oMLX and mlx_lm: start the server with --port 10240",
        _ => "Start the model server",
    };
    format!("{start}; then check the port")
}

fn host_refused(place: &Place) -> String {
    match place.product {
        Product::Jan => "Add this host name to Trusted Hosts in Jan's local API server settings, or use 127.0.0.1".to_owned(),
        _ => "The server takes only host names that it knows: use 127.0.0.1 on its own machine, or add this name to its allowed hosts".to_owned(),
    }
}

fn where_key_is(product: Product) -> &'static str {
    match product {
        Product::LlamaCpp | Product::LlamaCppRouter => {
            "The key is what llama-server was started with (--api-key or LLAMA_API_KEY)"
        }
        Product::Vllm => "The key is what vLLM was started with (--api-key or VLLM_API_KEY)",
        Product::Sglang => "The key is what SGLang was started with (--api-key)",
        Product::LmStudio => "Keys are made in LM Studio under Developer, Server Settings",
        Product::Jan => "The key is in Jan's local API server settings",
        Product::Omlx => "The key is in oMLX's settings",
        Product::LiteLlm => "Use a key of the LiteLLM proxy (its master key or a virtual key)",
        Product::OpenRouter => "Keys are made at openrouter.ai/keys",
        Product::OpenAi => "Keys are made at platform.openai.com/api-keys",
        _ => "Whoever runs the server has the key",
    }
}

fn give_key(place: &Place) -> String {
    format!("Give it on the Models page, or set BENCHLOOP_OPENAI_KEYS={}=<key>", place.url)
}

fn not_found(place: &Place) -> String {
    let model = place.model;
    match place.product {
        Product::Ollama => format!("Pull it: ollama pull {model} (or on the Models page); ollama list shows what is there"),
        Product::LmStudio => format!("Download it in LM Studio (lms get {model}) and use the name that lms ls shows"),
        Product::LlamaCpp => "llama-server has the one model it was started with: use the name it lists, or start it with -m <file.gguf> (--alias names it)".to_owned(),
        Product::LlamaCppRouter => "Put the file into the folder that llama-server was started with (--models-dir), or use a name it lists".to_owned(),
        Product::Vllm => "vLLM has the model it was started with: use the name it lists; --served-model-name gives it another".to_owned(),
        Product::Jan => "Download and start the model in Jan, and use the id it lists".to_owned(),
        _ => "Use a name from the server's list, or load the model there first".to_owned(),
    }
}

fn out_of_memory(place: &Place) -> String {
    let own = match place.product {
        Product::Ollama => {
            "a smaller context (--num-ctx here, OLLAMA_CONTEXT_LENGTH there) or fewer models at once (OLLAMA_MAX_LOADED_MODELS=1)"
        }
        Product::LlamaCpp | Product::LlamaCppRouter => {
            "a smaller --ctx-size, fewer layers on the GPU (--n-gpu-layers), or a quantised cache (--cache-type-k q8_0)"
        }
        Product::LmStudio => "a smaller context length or less GPU offload in the model's load settings",
        Product::Vllm => "a smaller --max-model-len, or more room with --gpu-memory-utilization",
        Product::Sglang => "a smaller --context-length or --mem-fraction-static",
        _ => "a smaller context",
    };
    let look = match place.system {
        System::Mac => ". Activity Monitor shows what else holds memory",
        System::Windows => ". Task Manager shows what else holds memory, and graphics memory under Performance",
        System::Linux => ". free -h and nvidia-smi (or rocm-smi) show what else holds memory",
        System::Elsewhere => "",
    };
    format!("The model does not fit into memory: take a smaller quantisation, {own}{look}")
}

fn missing_blob(place: &Place) -> String {
    let model = place.model;
    match place.product {
        Product::Ollama => {
            format!("A file of the model is missing or damaged: ollama rm {model}, then ollama pull {model}")
        }
        Product::LmStudio => {
            "A file of the model is missing or damaged: delete the model in LM Studio and download it again".to_owned()
        }
        _ => "A file of the model is missing or damaged: check its path and size, and download it again".to_owned(),
    }
}

fn too_old(place: &Place) -> String {
    let how = match (place.product, place.system) {
        (Product::Ollama, System::Mac) => "update Ollama (its menu offers Restart to update; or brew upgrade ollama)",
        (Product::Ollama, System::Windows) => {
            "update Ollama (its tray icon offers Restart to update; or winget upgrade Ollama.Ollama)"
        }
        (Product::Ollama, System::Linux) => {
            "update Ollama (run its install script again, or your package manager), then systemctl restart ollama"
        }
        (Product::Ollama, System::Elsewhere) => "update Ollama on its machine and restart it",
        (Product::LmStudio, _) => "update LM Studio and its runtime (Settings, Runtime)",
        (Product::LlamaCpp | Product::LlamaCppRouter, System::Mac) => {
            "update llama.cpp (brew upgrade llama.cpp) and start it again"
        }
        (Product::LlamaCpp | Product::LlamaCppRouter, _) => "take a newer llama.cpp build and start it again",
        (Product::Vllm, _) => "update vLLM (pip install -U vllm) and start it again",
        _ => "update the server and start it again",
    };
    format!("The server may be too old for this model: {how}; else take the model in a format that it knows")
}

fn disk_full(place: &Place) -> String {
    let folder = match (place.product, place.system) {
        (Product::Ollama, System::Linux) => {
            " (Ollama keeps models in /usr/share/ollama/.ollama/models or ~/.ollama/models)"
        }
        (Product::Ollama, System::Windows) => " (Ollama keeps models in %USERPROFILE%\\.ollama\\models)",
        (Product::Ollama, _) => " (Ollama keeps models in ~/.ollama/models)",
        (Product::LmStudio, _) => " (LM Studio keeps models in ~/.lmstudio/models)",
        _ => "",
    };
    format!("The server's disk is full: delete models that are not used{folder}, or move the folder to a larger disk")
}

fn context_too_small(place: &Place) -> String {
    let n = place.context.next_power_of_two().max(4096);
    let how = match place.product {
        Product::Ollama => return format!("Ask for a larger context: --num-ctx {n}"),
        Product::LlamaCpp | Product::LlamaCppRouter => {
            format!("start llama-server with --ctx-size {n} (it is shared among --parallel slots)")
        }
        Product::LmStudio => format!("load it with lms load --context-length {n}"),
        Product::Vllm => format!("start vLLM with --max-model-len {n}"),
        Product::Sglang => format!("start SGLang with --context-length {n}"),
        Product::KoboldCpp => format!("start KoboldCpp with --contextsize {n}"),
        _ => format!("load the model with a context of {n} tokens"),
    };
    format!("Give the model a larger context: {how}; or choose fewer suites, or a smaller thinking budget")
}

fn tools(place: &Place) -> String {
    let own = match place.product {
        Product::LlamaCpp | Product::LlamaCppRouter => {
            "start llama-server with --jinja and a template that knows tools; or "
        }
        Product::Vllm => "start vLLM with --enable-auto-tool-choice and --tool-call-parser; or ",
        Product::Sglang => "start SGLang with --tool-call-parser; or ",
        _ => "",
    };
    let text = format!("{own}choose the hermes, qwen or pi harness, which put calls into text");
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

/// Where the log is.
const fn log(place: &Place) -> &'static str {
    match (place.product, place.system) {
        (Product::Ollama, System::Linux) => ": journalctl -u ollama",
        (Product::Ollama, System::Mac) => ": ~/.ollama/logs/server.log",
        (Product::Ollama, System::Windows) => ": %LOCALAPPDATA%\\Ollama\\server.log",
        (Product::LmStudio, _) => ": lms log stream",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(product: Product, system: System) -> Place<'static> {
        Place { product, system, url: "http://127.0.0.1:11434", port: 11434, model: "qwen3:8b", context: 9000 }
    }

    #[test]
    fn advice_is_for_the_server_and_the_system() {
        use {Blocker as B, Product as P, System as S};
        for (why, product, system, says) in [
            (B::Unreachable, P::Compatible, S::Linux, "systemctl start ollama"),
            (B::Unreachable, P::Compatible, S::Mac, "open its app"),
            (B::Unreachable, P::Compatible, S::Elsewhere, "OLLAMA_HOST=0.0.0.0"),
            (B::NotFound, P::Ollama, S::Linux, "ollama pull qwen3:8b"),
            (B::NotFound, P::LlamaCpp, S::Linux, "--alias"),
            (B::KeyNeeded, P::LlamaCpp, S::Linux, "BENCHLOOP_OPENAI_KEYS=http://127.0.0.1:11434=<key>"),
            (B::KeyRefused, P::Jan, S::Mac, "Jan's local API server settings"),
            (B::OutOfMemory, P::Ollama, S::Windows, "Task Manager"),
            (B::OutOfMemory, P::Vllm, S::Linux, "--max-model-len"),
            (B::MissingBlob, P::Ollama, S::Linux, "ollama rm qwen3:8b"),
            (B::TooOld, P::Ollama, S::Mac, "brew upgrade ollama"),
            (B::TooOld, P::Ollama, S::Windows, "winget"),
            (B::TooOld, P::LlamaCpp, S::Linux, "newer llama.cpp"),
            (B::DiskFull, P::Ollama, S::Linux, "/usr/share/ollama"),
            (B::ContextTooSmall, P::LlamaCpp, S::Linux, "--ctx-size 16384"),
            (B::ContextTooSmall, P::Ollama, S::Linux, "--num-ctx 16384"),
            (B::ToolsUnsupported, P::Vllm, S::Linux, "--enable-auto-tool-choice"),
            (B::ToolsUnsupported, P::Ollama, S::Linux, "Choose the hermes"),
            (B::HostRefused, P::Jan, S::Mac, "Trusted Hosts"),
            (B::Failed, P::Ollama, S::Linux, "journalctl -u ollama"),
        ] {
            let text = advice(why, &place(product, system));
            assert!(text.contains(says), "{why} {product} {system:?}: {text}");
        }
    }

    #[test]
    fn every_trouble_has_advice_that_starts_a_sentence_and_does_not_end_it() {
        for why in Blocker::ALL {
            let text = advice(*why, &place(Product::Compatible, System::Elsewhere));
            assert!(
                text.chars().next().is_some_and(|c| !c.is_lowercase()) || text.starts_with("llama"),
                "{why}: {text}"
            );
            assert!(!text.ends_with('.'), "{why}: {text}");
        }
    }

    #[test]
    fn systems_are_told_by_their_own_names() {
        for (os, system) in [
            ("macOS 15.1", System::Mac),
            ("Darwin", System::Mac),
            ("Windows 11", System::Windows),
            ("Ubuntu 24.04", System::Linux),
            ("", System::Elsewhere),
        ] {
            assert_eq!(System::of_this_machine(os), system, "{os}");
        }
    }
}
