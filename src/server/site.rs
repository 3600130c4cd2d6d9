//! The pages: Leptos routes and server functions with the engine as context, the site's files, and the policy that says
//! what a page may load. The one place that joins engine and web.

use axum::{
    Router,
    body::Body,
    extract::State,
    http::{HeaderValue, Request, StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use leptos::{
    config::LeptosOptions,
    nonce::use_nonce,
    prelude::{expect_context, provide_context},
};
use leptos_axum::{LeptosRoutes, ResponseOptions, generate_route_list};

use crate::{
    engine::Engine,
    server::assets,
    web::app::{App, shell},
};

/// All pages, server functions and files.
pub fn router(engine: &Engine) -> Router {
    if !assets::are_built() {
        tracing::warn!("the site's files are missing: pages have no style and no script; scripts/site.sh builds them");
    }
    let options =
        LeptosOptions::builder().output_name("benchloop").site_root("target/site").site_pkg_dir("pkg").build();
    let routes = generate_route_list(App);
    let context = page_context(engine.clone());
    Router::new()
        .leptos_routes_with_context(&options, routes, context.clone(), {
            let options = options.clone();
            move || shell(options.clone())
        })
        .fallback_service(get(file_or_missing).with_state((options.clone(), engine.clone())))
        .with_state(options)
}

/// What pages and server functions find in their context, and the policy on the answer.
fn page_context(engine: Engine) -> impl Fn() + Clone + Send + Sync + 'static {
    move || {
        provide_context(engine.clone());
        if let Some(nonce) = use_nonce()
            && let Ok(policy) = HeaderValue::from_str(&policy(&nonce))
        {
            expect_context::<ResponseOptions>().insert_header(header::CONTENT_SECURITY_POLICY, policy);
        }
    }
}

/// What a page may load: its own files, and inline only the scripts that carry this answer's nonce.
fn policy(nonce: &str) -> String {
    // `cargo leptos watch` reloads pages through a socket on another port
    let watch = if std::env::var_os("LEPTOS_WATCH").is_some() { " ws://127.0.0.1:* ws://localhost:*" } else { "" };
    format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}' 'wasm-unsafe-eval'; style-src 'self'; \
         img-src 'self' data:; connect-src 'self'{watch}; frame-ancestors 'none'"
    )
}

/// A file of the site, else the page that says that there is nothing here.
async fn file_or_missing(State((options, engine)): State<(LeptosOptions, Engine)>, request: Request<Body>) -> Response {
    if let Some(file) = assets::serve(request.uri().path(), request.headers()) {
        return file;
    }
    let render = leptos_axum::render_app_async_with_context(page_context(engine), move || shell(options.clone()));
    let mut response = render(request).await.into_response();
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_may_run_nothing_inline_without_the_nonce_and_style_nothing_inline() {
        let policy = policy("abc");
        assert!(policy.contains("script-src 'self' 'nonce-abc' 'wasm-unsafe-eval';"), "{policy}");
        assert!(!policy.contains("unsafe-inline") && policy.contains("style-src 'self';"), "{policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
    }
}
