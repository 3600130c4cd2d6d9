use serde_json::{Value, json};

use super::*;
use crate::domain::model::Capability;

/// Answers by path; a text that is no JSON is the body as it stands. Unasked paths answered 404.
fn replies(header: (&str, &str), answers: &[(&str, u16, Value)]) -> Replies {
    let all = [
        Question::Models,
        Question::Tags,
        Question::OllamaVersion,
        Question::Props,
        Question::Running,
        Question::StudioModels,
        Question::StudioInstances,
        Question::VllmVersion,
        Question::SglangModel,
        Question::SglangServer,
        Question::TgiInfo,
        Question::KoboldVersion,
        Question::LiteLlmState,
        Question::LocalAiSystem,
        Question::Root,
    ];
    let mut replies = Replies::default();
    for question in all {
        let (status, body) = answers
            .iter()
            .find(|(path, ..)| *path == question.path())
            .map_or((404, json!("404 page not found")), |(_, status, body)| (*status, body.clone()));
        let (json, text) = match body {
            Value::String(text) => (None, text),
            body => (Some(body.clone()), body.to_string()),
        };
        let headers = [header, ("content-type", if json.is_some() { "application/json" } else { "text/html" })];
        let headers = headers.iter().filter(|(_, value)| !value.is_empty());
        let headers = headers.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        replies.answers.insert(question, Reply { status, headers, json, markup: text.clone(), text });
    }
    replies
}

fn list(owner: &str) -> Value {
    json!({"object": "list", "data": [{"id": "m", "object": "model", "created": 1_700_000_000, "owned_by": owner}]})
}

fn tags() -> Value {
    json!({"models": [{"name": "m:1b", "model": "m:1b", "size": 5, "digest": "d1",
                       "details": {"family": "llama", "format": "gguf", "quantization_level": "Q4_K_M"}}]})
}

const NO_HEADER: (&str, &str) = ("server", "");

#[test]
fn every_product_is_told_by_its_own_answers_with_the_evidence() {
    use Product as P;
    let props = json!({"default_generation_settings": {"n_ctx": 4096}, "total_slots": 4, "build_info": "b11434"});
    let rows: Vec<(Product, Wire, &str, Option<&str>, Replies)> = vec![
        (
            P::Ollama,
            Wire::Ollama,
            "GET / answered Ollama is running",
            Some("0.12.3"),
            replies(
                NO_HEADER,
                &[
                    ("/v1/models", 200, list("library")),
                    ("/api/tags", 200, tags()),
                    ("/api/version", 200, json!({"version": "0.12.3"})),
                    ("/", 200, json!("Ollama is running")),
                ],
            ),
        ),
        (
            P::Ollama,
            Wire::Ollama,
            "GET /api/tags lists models with digest and details",
            None,
            replies(NO_HEADER, &[("/api/tags", 200, tags())]),
        ),
        (
            P::LmStudio,
            Wire::OpenaiCompat,
            "GET /api/v1/models answered with loaded_instances",
            None,
            replies(
                NO_HEADER,
                &[
                    ("/v1/models", 200, list("organization_owner")),
                    ("/api/v1/models", 200, json!({"models": [{"type": "llm", "key": "m", "loaded_instances": []}]})),
                ],
            ),
        ),
        (
            P::LmStudio,
            Wire::OpenaiCompat,
            "GET /api/v0/models answered with compatibility_type and state",
            None,
            replies(
                NO_HEADER,
                &[
                    ("/v1/models", 200, list("organization_owner")),
                    (
                        "/api/v0/models",
                        200,
                        json!({"data": [{"id": "m", "compatibility_type": "gguf", "state": "loaded"}]}),
                    ),
                ],
            ),
        ),
        (
            // Q19: 200 for paths that are not there
            P::LmStudio,
            Wire::OpenaiCompat,
            "an unknown path answered Unexpected endpoint or method",
            None,
            replies(
                NO_HEADER,
                &[
                    ("/v1/models", 200, json!({"object": "list", "data": [{"id": "m", "object": "model"}]})),
                    ("/api/tags", 200, json!({"error": "Unexpected endpoint or method. (GET /api/tags)"})),
                    ("/api/version", 200, json!({"error": "Unexpected endpoint or method. (GET /api/version)"})),
                    ("/props", 200, json!({"error": "Unexpected endpoint or method. (GET /props)"})),
                ],
            ),
        ),
        (
            P::LlamaCpp,
            Wire::OpenaiCompat,
            "GET /props answered with default_generation_settings",
            Some("b11434"),
            replies(("server", "llama.cpp"), &[("/v1/models", 200, list("llamacpp")), ("/props", 200, props.clone())]),
        ),
        (
            P::LlamaCpp,
            Wire::OpenaiCompat,
            "GET /v1/models says owned_by llamacpp",
            None,
            replies(NO_HEADER, &[("/v1/models", 200, list("llamacpp"))]),
        ),
        (
            P::LlamaCppRouter,
            Wire::OpenaiCompat,
            "GET /props answered with role router",
            Some("b0-unknown"),
            replies(
                ("server", "llama.cpp"),
                &[
                    (
                        "/v1/models",
                        200,
                        json!({"object": "list", "data": [{"id": "m", "owned_by": "llamacpp", "status": {"value": "unloaded"}}]}),
                    ),
                    (
                        "/props",
                        200,
                        json!({"role": "router", "model_path": "none", "build_info": "b0-unknown",
                               "default_generation_settings": {"params": null, "n_ctx": 0}}),
                    ),
                ],
            ),
        ),
        (
            P::Vllm,
            Wire::OpenaiCompat,
            "GET /v1/models says owned_by vllm",
            Some("0.11.0"),
            replies(
                ("server", "uvicorn"),
                &[("/v1/models", 200, list("vllm")), ("/version", 200, json!({"version": "0.11.0"}))],
            ),
        ),
        (
            P::Sglang,
            Wire::OpenaiCompat,
            "GET /v1/models says owned_by sglang",
            Some("0.5.4"),
            replies(
                ("server", "uvicorn"),
                &[("/v1/models", 200, list("sglang")), ("/get_server_info", 200, json!({"version": "0.5.4"}))],
            ),
        ),
        (
            P::Sglang,
            Wire::OpenaiCompat,
            "GET /get_model_info answered with model_path and is_generation",
            None,
            replies(
                NO_HEADER,
                &[
                    ("/v1/models", 200, list("someone")),
                    ("/get_model_info", 200, json!({"model_path": "a/m", "is_generation": true})),
                ],
            ),
        ),
        (
            P::Jan,
            Wire::OpenaiCompat,
            "GET /v1/models says owned_by user and created 1",
            None,
            replies(
                NO_HEADER,
                &[(
                    "/v1/models",
                    200,
                    json!({"object": "list", "data": [{"id": "m", "object": "model", "created": 1, "owned_by": "user"}]}),
                )],
            ),
        ),
        (
            P::Jan,
            Wire::OpenaiCompat,
            "GET / answered with its API pages",
            None,
            replies(
                NO_HEADER,
                &[
                    ("/v1/models", 200, json!({"object": "list", "data": []})),
                    ("/", 200, json!("<html><script src=\"/docs/swagger-ui-bundle.js\"></script></html>")),
                ],
            ),
        ),
        (
            // listens where Jan does and lists as Ollama does
            P::Osaurus,
            Wire::OpenaiCompat,
            "GET /v1/models says owned_by osaurus",
            None,
            replies(
                NO_HEADER,
                &[
                    (
                        "/v1/models",
                        200,
                        json!({"data": [{"id": "foundation", "owned_by": "apple"}, {"id": "m", "owned_by": "osaurus"}]}),
                    ),
                    ("/api/tags", 200, tags()),
                    ("/", 200, json!("Osaurus Server is running! 🦕")),
                ],
            ),
        ),
        (
            P::Omlx,
            Wire::OpenaiCompat,
            "GET /v1/models says owned_by omlx",
            None,
            replies(("server", "uvicorn"), &[("/v1/models", 200, list("omlx"))]),
        ),
        (
            P::MlxLm,
            Wire::OpenaiCompat,
            "header Server: BaseHTTP, and GET /v1/models names no owner",
            None,
            replies(
                ("server", "BaseHTTP/0.6 Python/3.12.4"),
                &[(
                    "/v1/models",
                    200,
                    json!({"object": "list", "data": [{"id": "m", "object": "model", "created": 3}]}),
                )],
            ),
        ),
        (
            P::LocalAi,
            Wire::OpenaiCompat,
            "GET /system answered with backends and loaded_models",
            Some("v3.6.0"),
            replies(
                NO_HEADER,
                &[
                    ("/v1/models", 200, json!({"object": "list", "data": [{"id": "m", "object": "model"}]})),
                    ("/api/tags", 200, tags()),
                    ("/version", 200, json!({"version": "v3.6.0"})),
                    ("/system", 200, json!({"backends": ["llama-cpp"], "loaded_models": []})),
                ],
            ),
        ),
        (
            // imitates Ollama and llama.cpp, version and all
            P::KoboldCpp,
            Wire::OpenaiCompat,
            "GET /api/extra/version answered KoboldCpp",
            Some("1.119"),
            replies(
                ("server", "BaseHTTP/0.6 Python/3.11"),
                &[
                    ("/v1/models", 200, list("koboldcpp")),
                    ("/api/tags", 200, tags()),
                    ("/api/version", 200, json!({"version": "0.7.0"})),
                    ("/props", 200, props.clone()),
                    ("/api/extra/version", 200, json!({"result": "KoboldCpp", "version": "1.119", "llm": true})),
                ],
            ),
        ),
        (
            P::Tgi,
            Wire::OpenaiCompat,
            "GET /info answered with router text-generation-router",
            Some("3.3.4"),
            replies(
                NO_HEADER,
                &[(
                    "/info",
                    200,
                    json!({"model_id": "m", "max_total_tokens": 8192, "router": "text-generation-router", "version": "3.3.4"}),
                )],
            ),
        ),
        (
            P::LiteLlm,
            Wire::OpenaiCompat,
            "GET /health/readiness answered with litellm_version",
            Some("1.80.0"),
            replies(
                ("server", "uvicorn"),
                &[
                    ("/v1/models", 200, list("openai")),
                    ("/health/readiness", 200, json!({"status": "healthy", "litellm_version": "1.80.0"})),
                ],
            ),
        ),
        (
            P::OpenRouter,
            Wire::OpenaiCompat,
            "GET /v1/models lists pricing and top_provider",
            None,
            replies(
                ("server", "cloudflare"),
                &[(
                    "/v1/models",
                    200,
                    json!({"data": [{"id": "m", "pricing": {"prompt": "0"}, "top_provider": {}, "context_length": 9}]}),
                )],
            ),
        ),
        (
            P::OpenAi,
            Wire::OpenaiCompat,
            "GET /v1/models has the header openai-version",
            Some("2020-10-01"),
            replies(("openai-version", "2020-10-01"), &[("/v1/models", 200, list("system"))]),
        ),
        (
            // its owner's name alone proves nothing
            P::Compatible,
            Wire::OpenaiCompat,
            "GET /v1/models answered with a list; nothing else tells it apart",
            None,
            replies(("server", "uvicorn"), &[("/v1/models", 200, list("openai"))]),
        ),
        (
            P::Demo,
            Wire::Ollama,
            "GET /v1/models says owned_by benchloop-demo",
            None,
            replies(NO_HEADER, &[("/v1/models", 200, list(DEMO_OWNER)), ("/api/tags", 200, tags())]),
        ),
    ];
    for (product, wire, evidence, version, replies) in rows {
        let server = recognise("http://x", &replies);

        assert_eq!((server.product, server.evidence.as_str()), (product, evidence));
        assert_eq!((server.wire, server.version.as_deref()), (Some(wire), version), "{product}");
        assert_eq!((server.name.as_str(), &server.status), (product.as_str(), &ServerStatus::Ready));
        assert_eq!(server.demo, product == Product::Demo);
    }
}

#[test]
fn imitators_are_asked_what_tells_them_from_ollama() {
    let mut first =
        replies(NO_HEADER, &[("/api/tags", 200, tags()), ("/api/version", 200, json!({"version": "0.7.0"}))]);
    first.answers.retain(|question, _| FIRST.contains(question));
    let asked = next(&first);
    for question in [Question::KoboldVersion, Question::LocalAiSystem, Question::Root] {
        assert!(asked.contains(&question), "{question:?}");
    }
    assert!(next(&Replies::default()).is_empty(), "silence is not asked again");
}

#[test]
fn other_things_are_named_by_what_they_answered() {
    let html = json!("<html><h1>Router login</h1></html>");
    for (header, answers, word) in [
        (NO_HEADER, vec![("/v1/models", 200, html.clone())], "200 (text/html): <html><h1>Router login"),
        (NO_HEADER, vec![], "404 (text/html): 404 page not found to /v1/models"),
        (
            ("location", "https://box.lan/login"),
            vec![("/v1/models", 302, json!(""))],
            "redirects to https://box.lan/login",
        ),
        (
            NO_HEADER,
            vec![("/v1/models", 200, json!({"hello": "world"}))],
            "200 (application/json): {\"hello\":\"world\"}",
        ),
        (NO_HEADER, vec![("/v1/models", 403, json!("Blocked by policy"))], "403 (text/html): Blocked by policy"),
        (NO_HEADER, vec![("/v1/models", 403, json!("Invalid host header"))], "trusted hosts"),
    ] {
        let ServerStatus::OtherApi(what) = recognise("http://x", &replies(header, &answers)).status else {
            panic!("{answers:?} is taken for a server");
        };
        assert!(what.contains(word), "{what}");
    }
    assert!(matches!(recognise("http://x", &Replies::default()).status, ServerStatus::Unreachable(_)));
}

#[test]
fn q23_a_server_that_wants_a_key_says_so_and_may_still_be_known() {
    let denied = json!({"error": {"message": "Invalid API key", "type": "authentication_error", "code": 401}});
    let llama = replies(("server", "llama.cpp"), &[("/v1/models", 401, denied.clone()), ("/props", 401, denied)]);
    let server = recognise("http://x", &llama);
    assert_eq!((server.product, server.status), (Product::LlamaCpp, ServerStatus::NeedsKey));
    for (status, body) in [(401, json!("")), (403, json!({"detail": "API key missing"}))] {
        let server = recognise("http://x", &replies(NO_HEADER, &[("/v1/models", status, body)]));
        assert_eq!(server.status, ServerStatus::NeedsKey);
    }
}

#[test]
fn q24_a_server_that_loads_is_no_stranger() {
    let error = json!({"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}});
    let loading = replies(
        ("server", "llama.cpp"),
        &[("/v1/models", 503, error.clone()), ("/api/tags", 503, error.clone()), ("/props", 503, error)],
    );
    let server = recognise("http://x", &loading);
    assert_eq!((server.product, server.status), (Product::LlamaCpp, ServerStatus::Loading));
}

#[test]
fn an_empty_or_null_list_is_a_server_without_models() {
    for list in [json!({"object": "list", "data": []}), json!({"object": "list", "data": null})] {
        let server = recognise("http://x", &replies(NO_HEADER, &[("/v1/models", 200, list)]));
        assert_eq!((server.status, server.models.len()), (ServerStatus::Ready, 0));
    }
}

#[test]
fn an_empty_list_under_ollamas_path_needs_ollamas_version() {
    let empty = ("/api/tags", 200, json!({"models": []}));
    let alone = recognise("http://x", &replies(NO_HEADER, std::slice::from_ref(&empty)));
    assert!(matches!(alone.status, ServerStatus::OtherApi(_)));
    let both = replies(NO_HEADER, &[empty, ("/api/version", 200, json!({"version": "0.12.3"}))]);
    assert_eq!(recognise("http://x", &both).product, Product::Ollama);
}

#[test]
fn q64_ollamas_models_say_what_they_can_and_where_they_run() {
    let tags = json!({"models": [
        {"name": "chat:8b", "size": 5_000_000_000_u64, "digest": "d1", "details": {"family": "qwen3", "parameter_size": "8.2B"}},
        {"name": "embed", "size": 300_000_000, "digest": "d2", "details": {"family": "nomic-bert"}},
        {"name": "big:cloud", "size": 384, "digest": "d3", "remote_host": "https://ollama.com:443", "details": {"family": ""}},
    ]});
    let ps = json!({"models": [{"name": "chat:8b", "size_vram": 6_000_000_000_u64, "context_length": 8192}]});
    let answers = [("/api/tags", 200, tags), ("/api/ps", 200, ps), ("/api/version", 200, json!({"version": "1"}))];
    let mut server = recognise("http://x", &replies(NO_HEADER, &answers));
    describe(
        &mut server.models[0],
        &json!({"capabilities": ["completion", "tools", "thinking"], "details": {"quantization_level": "Q4_K_M"},
                "model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40960, "qwen3.block_count": 36,
                               "qwen3.attention.head_count": 32, "qwen3.attention.head_count_kv": 8,
                               "qwen3.attention.key_length": 128, "qwen3.attention.value_length": 128}}),
    );

    let [chat, embed, cloud] = server.models.as_slice() else { panic!("three models") };

    assert_eq!(chat.capabilities, [Capability::Chat, Capability::Tools, Capability::Thinking]);
    assert_eq!((chat.context, chat.context_max), (Some(8192), Some(40960)));
    assert_eq!((chat.loaded, chat.vram_bytes, embed.loaded), (Some(true), Some(6_000_000_000), Some(false)));
    // 36 layers × 8 heads × (128 + 128) × 2 bytes
    assert_eq!((chat.kv_bytes_per_token, chat.quantization.as_deref()), (Some(147_456), Some("Q4_K_M")));
    assert!(embed.is_embedding_only() && !chat.is_embedding_only());
    assert!(cloud.remote && !chat.remote);
}

#[test]
fn lm_studios_lists_are_joined_by_name() {
    let older = json!({"data": [
        {"id": "a", "type": "vlm", "arch": "qwen2_vl", "compatibility_type": "mlx", "quantization": "4bit", "state": "not-loaded", "max_context_length": 32768},
        {"id": "e", "type": "embeddings", "arch": "nomic-bert", "compatibility_type": "gguf", "quantization": "Q4_0", "state": "loaded", "max_context_length": 2048},
    ]});
    let newer = json!({"models": [{"type": "llm", "key": "a", "architecture": "qwen2_vl", "quantization": {"name": "4bit", "bits_per_weight": 4},
        "size_bytes": 4_500_000_000_u64, "params_string": "7B", "max_context_length": 32768, "format": "mlx",
        "loaded_instances": [{"id": "a", "config": {"context_length": 4096}}],
        "capabilities": {"vision": true, "trained_for_tool_use": true}}]});
    let list = json!({"object": "list", "data": [{"id": "a", "owned_by": "organization_owner"}, {"id": "e", "owned_by": "organization_owner"}]});
    let answers = [("/v1/models", 200, list), ("/api/v0/models", 200, older), ("/api/v1/models", 200, newer)];

    let server = recognise("http://x", &replies(NO_HEADER, &answers));

    let [a, e] = server.models.as_slice() else { panic!("two models") };
    assert_eq!((a.loaded, a.context, a.context_max), (Some(true), Some(4096), Some(32768)), "Q86: the loaded context");
    assert_eq!((a.size_bytes, a.parameter_size.as_deref()), (Some(4_500_000_000), Some("7B")));
    assert_eq!(a.capabilities, [Capability::Chat, Capability::Tools, Capability::Vision]);
    assert!(e.is_embedding_only());
}

#[test]
fn llama_cpp_tells_its_file_and_both_contexts() {
    let id = "/models/gemma-3-270m-q4_k_m.gguf";
    let list = json!({"models": [{"name": id, "capabilities": ["completion"], "digest": ""}], "object": "list",
        "data": [{"id": id, "owned_by": "llamacpp",
                  "meta": {"n_ctx": 2048, "n_ctx_train": 32768, "n_params": 268_098_176, "size": 246_587_904, "ftype": "Q4_K - Medium"}}]});
    let answers = [
        ("/v1/models", 200, list),
        ("/props", 200, json!({"default_generation_settings": {"n_ctx": 2048}, "model_path": id})),
    ];

    let server = recognise("http://x", &replies(("server", "llama.cpp"), &answers));

    let model = &server.models[0];
    assert_eq!((model.context, model.context_max, model.size_bytes), (Some(2048), Some(32768), Some(246_587_904)));
    assert_eq!((model.quantization.as_deref(), model.parameter_size.as_deref()), (Some("Q4_K_M"), Some("268 M")));
    assert_eq!((model.loaded, model.capabilities.as_slice()), (Some(true), &[Capability::Chat][..]));
}

#[test]
fn a_router_tells_which_models_are_loaded() {
    let entry = |id: &str, state: &str| json!({"id": id, "owned_by": "llamacpp", "status": {"value": state}});
    let list = json!({"object": "list", "data": [entry("a-Q8_0", "loaded"), entry("b-7B-Q4_K_M", "unloaded")]});
    let server = recognise("http://x", &replies(("server", "llama.cpp"), &[("/v1/models", 200, list)]));
    let loaded: Vec<Option<bool>> = server.models.iter().map(|model| model.loaded).collect();
    assert_eq!(loaded, [Some(true), Some(false)]);
    assert_eq!(server.models[1].parameter_size.as_deref(), Some("7B"));
}

#[test]
fn vllm_tells_the_context_it_serves_and_hosted_models_run_elsewhere() {
    let list =
        json!({"object": "list", "data": [{"id": "Qwen/Qwen3-8B-AWQ", "owned_by": "vllm", "max_model_len": 4096}]});
    let server = recognise("http://x", &replies(NO_HEADER, &[("/v1/models", 200, list)]));
    assert_eq!((server.models[0].context, server.models[0].remote), (Some(4096), false));
    assert_eq!(server.models[0].quantization.as_deref(), Some("AWQ"));

    let list = json!({"data": [{"id": "vendor/m", "pricing": {}, "top_provider": {}, "context_length": 131_072}]});
    let server = recognise("http://x", &replies(NO_HEADER, &[("/v1/models", 200, list)]));
    assert_eq!((server.models[0].context_max, server.models[0].remote), (Some(131_072), true));
}
