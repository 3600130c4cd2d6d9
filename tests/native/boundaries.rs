//! The walls between layers, read from the source: which folder may name which module or crate. Features guard most of
//! them at compile time; this guards the rest, and says so in words.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// One wall: files below `folder`, except those below `except`, must not name `paths`.
struct Wall {
    folder: &'static str,
    except: &'static [&'static str],
    paths: &'static [&'static str],
    why: &'static str,
}

const WALLS: &[Wall] = &[
    Wall {
        folder: "domain",
        except: &[],
        paths: &["crate::engine", "crate::server", "crate::web", "crate::cli"],
        why: "the domain knows nobody",
    },
    Wall {
        folder: "engine",
        except: &[],
        paths: &["axum", "leptos", "leptos_axum", "crate::server", "crate::web", "crate::cli"],
        why: "the engine serves any surface and names none",
    },
    Wall {
        folder: "server",
        except: &["server/site.rs"],
        paths: &["leptos", "leptos_axum", "crate::web"],
        why: "only server::site joins the pages",
    },
    Wall { folder: "server", except: &[], paths: &["crate::cli"], why: "commands call the server, not the reverse" },
    Wall {
        folder: "web",
        except: &["web/calls"],
        paths: &["crate::engine", "leptos_axum"],
        why: "pages reach the engine through server functions alone",
    },
    Wall {
        folder: "web",
        except: &[],
        paths: &["axum", "tokio", "reqwest", "crate::server", "crate::cli"],
        why: "pages also run in the browser",
    },
];

/// Crates that the domain may use.
const DOMAIN_CRATES: &[&str] = &["std", "serde", "serde_json", "chrono", "thiserror", "crate", "super", "self"];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The code of a file: without comments and without its unit tests, which may use what they like.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default().to_owned();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Whether code names `path::…` (or `use path;`) as a whole word.
fn names(code: &str, path: &str) -> bool {
    code.match_indices(path).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = &code[at + path.len()..];
        let starts = !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '"'));
        starts && (after.starts_with("::") || after.starts_with(';'))
    })
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn no_layer_names_what_lies_behind_its_wall() {
    let mut broken = Vec::new();
    for wall in WALLS {
        for path in files(&source().join(wall.folder)) {
            let name = path.strip_prefix(source()).unwrap().to_string_lossy().replace('\\', "/");
            if wall.except.iter().any(|except| name.starts_with(except)) {
                continue;
            }
            let code = code(&path);
            for forbidden in wall.paths.iter().filter(|forbidden| names(&code, forbidden)) {
                broken.push(format!("src/{name} names {forbidden}: {}", wall.why));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_domain_uses_only_its_five_crates() {
    let mut broken = Vec::new();
    for path in files(&source().join("domain")) {
        for line in code(&path).lines() {
            let Some(rest) = line.strip_prefix("use ").or(line.strip_prefix("pub use ")) else { continue };
            let root = rest.split([':', ';', ' ', '{']).next().unwrap_or_default();
            if !DOMAIN_CRATES.contains(&root) {
                broken.push(format!("{} uses {root}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_reader_finds_a_path_and_no_look_alike() {
    assert!(names("use axum::Router;", "axum"));
    assert!(names("let x = crate::engine::now();", "crate::engine"));
    assert!(!names("use leptos_axum::redirect;", "axum"));
    assert!(!names("let text = \"axum::Router\";", "axum"));
    assert!(!names("use crate::engineer::X;", "crate::engine"));
}
