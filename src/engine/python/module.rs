//! The Python interpreter as a WebAssembly module: embedded in release, read from `assets/` in debug. scripts/setup.sh
//! brings it; a build without it has no coding suite. Imports: rust-embed, brotli-decompressor.

use std::io::Read;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "assets/"]
#[allow_missing = true]
struct Assets;

const NAME: &str = "python-3.12.wasm.br";
/// More than the module has, so that a broken file cannot fill the memory.
const MOST_BYTES: u64 = 64 << 20;

/// Whether this build has the module.
pub fn is_there() -> bool {
    Assets::iter().any(|name| name == NAME)
}

/// The module, decompressed; else what is wrong.
pub fn read() -> Result<Vec<u8>, String> {
    let file = Assets::get(NAME).ok_or("this build has no Python module; run scripts/setup.sh and build again")?;
    let mut module = Vec::new();
    brotli_decompressor::Decompressor::new(file.data.as_ref(), 1 << 16)
        .take(MOST_BYTES)
        .read_to_end(&mut module)
        .map_err(|error| format!("decompress the Python module: {error}; run scripts/setup.sh and build again"))?;
    Ok(module)
}
