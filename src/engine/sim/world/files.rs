//! A store of text files. Paths have no leading slash (`reports/march.txt`); folders exist through their files.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    Realm,
    tool::{Arguments, Kind, Outcome, Spec, Table, entry, entry_mut, holds, may, must, page},
};

const PAGE: usize = 4;

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Store {
    /// The date that changed files get.
    today: String,
    /// Path → file.
    files: Table<File>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    text: String,
    owner: String,
    modified: String,
    /// Whether others read it, too.
    #[serde(default)]
    shared: bool,
}

const PATH: &str = "path of the file, like reports/march.txt";

impl Realm for Store {
    const TOOLS: &'static [Spec<Self>] = &[
        Spec {
            name: "list_files",
            about: "Lists the files in a folder and below it, 4 per page; all files without a folder.",
            arguments: &[
                may("folder", Kind::Text, "the folder, like reports"),
                may("page", Kind::Whole, "page to show, from 1; 1 if left out"),
            ],
            run: |store, arguments| {
                let folder = plain(arguments.text("folder"));
                let within = |path: &str| folder.is_empty() || path.starts_with(&format!("{folder}/"));
                let files = store.files.iter().filter(|(path, _)| within(path));
                let rows: Vec<Value> =
                    files.map(|(path, file)| json!({ "path": path, "bytes": file.text.len() })).collect();
                if rows.is_empty() && !folder.is_empty() {
                    return Err(format!("there is no folder {folder:?}; list_files without a folder shows all files"));
                }
                page("files", rows, arguments.whole("page"), PAGE)
            },
        },
        Spec {
            name: "get_file_info",
            about: "Shows owner, date of the last change and whether a file is shared with others.",
            arguments: &[must("path", Kind::Text, PATH)],
            run: |store, arguments| {
                let path = plain(arguments.text("path"));
                let file = entry(&store.files, "file", path, "list_files")?;
                Ok(json!({ "path": path, "owner": file.owner, "modified": file.modified, "shared": file.shared }))
            },
        },
        Spec {
            name: "read_file",
            about: "Shows the text of a file.",
            arguments: &[must("path", Kind::Text, PATH)],
            run: |store, arguments| {
                let path = plain(arguments.text("path"));
                Ok(json!({ "path": path, "text": entry(&store.files, "file", path, "list_files")?.text }))
            },
        },
        Spec {
            name: "search_files",
            about: "Finds the files that hold a text, in any case, with the lines it stands in.",
            arguments: &[must("text", Kind::Text, "the text to look for")],
            run: |store, arguments| {
                let wanted = arguments.text("text");
                let lines = |file: &File| -> Vec<String> {
                    file.text.lines().filter(|line| holds(line, wanted)).map(str::to_owned).collect()
                };
                let found = store.files.iter().map(|(path, file)| (path, lines(file)));
                let found = found.filter(|(_, lines)| !lines.is_empty());
                let rows: Vec<Value> = found.map(|(path, lines)| json!({ "path": path, "lines": lines })).collect();
                Ok(json!({ "files": rows }))
            },
        },
        Spec {
            name: "write_file",
            about: "Writes a text into a file. Replaces what a file holds only if `overwrite` is true.",
            arguments: &[
                must("path", Kind::Text, PATH),
                must("text", Kind::Text, "the whole text"),
                may("overwrite", Kind::Flag, "whether a file that exists is replaced; false if left out"),
            ],
            run: |store, arguments| store.write_file(arguments),
        },
        Spec {
            name: "append_to_file",
            about: "Adds a line to the end of a file that exists.",
            arguments: &[must("path", Kind::Text, PATH), must("line", Kind::Text, "the line to add")],
            run: |store, arguments| {
                let (path, today) = (plain(arguments.text("path")), store.today.clone());
                let file = entry_mut(&mut store.files, "file", path, "list_files")?;
                if !file.text.is_empty() && !file.text.ends_with('\n') {
                    file.text.push('\n');
                }
                file.text.push_str(arguments.verbatim("line").trim_end_matches('\n'));
                file.text.push('\n');
                file.modified = today;
                Ok(json!({ "path": path, "lines": file.text.lines().count() }))
            },
        },
        Spec {
            name: "move_file",
            about: "Moves or renames a file. The new path must be free.",
            arguments: &[must("path", Kind::Text, PATH), must("to", Kind::Text, "the new path, with the file's name")],
            run: |store, arguments| store.carry(arguments, true),
        },
        Spec {
            name: "copy_file",
            about: "Copies a file. The new path must be free.",
            arguments: &[must("path", Kind::Text, PATH), must("to", Kind::Text, "path of the copy, with its name")],
            run: |store, arguments| store.carry(arguments, false),
        },
        Spec {
            name: "delete_file",
            about: "Deletes a file. It can't be brought back.",
            arguments: &[must("path", Kind::Text, PATH)],
            run: |store, arguments| {
                let path = plain(arguments.text("path"));
                entry(&store.files, "file", path, "list_files")?;
                store.files.remove(path);
                Ok(json!({ "path": path, "deleted": true }))
            },
        },
    ];

    fn sound(&self) -> Result<(), (String, String)> {
        match self.files.keys().find(|path| free(path).is_err()) {
            Some(path) => Err((format!("files.{path}"), "is no path; write it like reports/march.txt".to_owned())),
            None => Ok(()),
        }
    }
}

/// A path without outer slashes and a leading `./`.
fn plain(path: &str) -> &str {
    path.trim_start_matches("./").trim_matches('/')
}

/// Refuses what can't be the path of a file.
fn free(path: &str) -> Result<(), String> {
    if path.split('/').any(|part| part.trim().is_empty() || part == "." || part == "..") {
        return Err(format!("{path:?} is no path of a file; write it like reports/march.txt"));
    }
    Ok(())
}

impl Store {
    fn write_file(&mut self, arguments: &Arguments) -> Outcome {
        let path = plain(arguments.text("path"));
        free(path)?;
        let text = arguments.verbatim("text").to_owned();
        let today = self.today.clone();
        match self.files.get_mut(path) {
            Some(_) if !arguments.flag("overwrite") => {
                return Err(format!("{path} exists; set overwrite to true to replace its text"));
            }
            Some(file) => (file.text, file.modified) = (text, today),
            None => {
                let file = File { text, owner: "you".to_owned(), modified: today, shared: false };
                self.files.insert(path.to_owned(), file);
            }
        }
        Ok(json!({ "path": path, "written": true }))
    }

    /// Moves or copies; a copy belongs to who made it.
    fn carry(&mut self, arguments: &Arguments, moves: bool) -> Outcome {
        let (path, to) = (plain(arguments.text("path")), plain(arguments.text("to")));
        free(to)?;
        let mut file = entry(&self.files, "file", path, "list_files")?.clone();
        if self.files.contains_key(to) {
            return Err(format!("{to} exists already; choose another path"));
        }
        if self.files.keys().any(|other| other.starts_with(&format!("{to}/"))) {
            return Err(format!("{to} is a folder; give the whole path with the file's name"));
        }
        if moves {
            self.files.remove(path);
        } else {
            file = File { owner: "you".to_owned(), modified: self.today.clone(), shared: false, ..file };
        }
        self.files.insert(to.to_owned(), file);
        Ok(json!({ "path": path, "to": to, (if moves { "moved" } else { "copied" }): true }))
    }
}
