//! Where suite files come from: this binary, or a folder for people who write tasks.

use std::path::PathBuf;

/// A place with suite files.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Source {
    /// The binary's own (in debug builds: the project's folder).
    #[default]
    BuiltIn,
    /// A folder laid out like `suites/`.
    Folder(PathBuf),
}

#[derive(rust_embed::RustEmbed)]
#[folder = "suites/"]
struct Files;

impl Source {
    /// A file by its path below `suites/`, with `/` between the parts; `None` if it can't be read.
    pub fn read(&self, name: &str) -> Option<Vec<u8>> {
        match self {
            Self::BuiltIn => Some(Files::get(name)?.data.into_owned()),
            Self::Folder(folder) => std::fs::read(folder.join(name)).ok(),
        }
    }

    /// The names of the files directly in a folder such as `reasonmath/tasks/`, sorted.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let mut names: Vec<String> = match self {
            Self::BuiltIn => {
                Files::iter().filter(|name| name.starts_with(folder)).map(|name| name.into_owned()).collect()
            }
            Self::Folder(root) => std::fs::read_dir(root.join(folder))
                .into_iter()
                .flatten()
                .filter_map(|entry| Some(format!("{folder}{}", entry.ok()?.file_name().to_str()?)))
                .collect(),
        };
        names.sort_unstable();
        names
    }
}
