//! Whether a model fits into a machine: an estimate, its parts and what is unknown about it. Imports: `machine`, `model`.
//!
//! The formula, in bytes:
//!
//! ```text
//! needed  = (weights + cache) × 1.1        10 % for buffers of the server
//! weights = size of the file, else parameters × bits per weight / 8
//! cache   = context × bytes per token      16-bit keys and values
//! bytes per token = layers × key-value heads × (key + value length) × 2, where the server tells the model's shape,
//!                   else 131,072 × (parameters / 8 billion) ^ 0.4
//! ```
//!
//! The second form is a curve through common models with grouped attention (0.6 B: 45 KB, 8 B: 131 KB, 70 B: 312 KB); one
//! model may take half or twice as much. A model that fits into graphics memory runs there; one that does not runs partly
//! there if graphics memory and the usable share of main memory hold it together. Usable are 80 % of main memory, and
//! where graphics and main memory are one, 75 % of it.

use serde::{Deserialize, Serialize};

use super::{
    machine::Machine,
    model::ModelInfo,
    unit::{count, gb},
};

const OVERHEAD: f64 = 0.1;
const USABLE: f64 = 0.8;
const USABLE_UNIFIED: f64 = 0.75;
/// Bits per weight where no quantisation is known: that of `Q4_K_M`, which most downloads have.
const USUAL_BITS: f64 = 4.85;

/// What a model asks for. Everything but the context may be unknown.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Need {
    /// Size of the weights' file.
    pub file_bytes: Option<u64>,
    /// Parameters, for example 8.2e9.
    pub parameters: Option<f64>,
    /// `Q4_K_M`, `4-bit`, `BF16` …
    pub quantization: Option<String>,
    /// Tokens of context to be held.
    pub context: u64,
    pub kv_bytes_per_token: Option<u64>,
}

impl Need {
    /// What this model needs for a context of so many tokens.
    pub fn of(model: &ModelInfo, context: u64) -> Self {
        Self {
            file_bytes: model.size_bytes,
            parameters: model.parameter_size.as_deref().and_then(parameters),
            quantization: model.quantization.clone(),
            context,
            kv_bytes_per_token: model.kv_bytes_per_token,
        }
    }
}

/// What a machine has.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Room {
    /// Graphics memory of all processors together; `None` where there is none or it was not read.
    pub vram_bytes: Option<u64>,
    pub memory_bytes: Option<u64>,
    /// Graphics and main memory are one.
    pub unified: bool,
}

impl Room {
    pub fn of(machine: &Machine) -> Self {
        let vram: u64 = machine.gpus.iter().filter_map(|gpu| gpu.memory_bytes).sum();
        let unified = vram == 0 && machine.is_apple_silicon();
        Self { vram_bytes: (vram > 0).then_some(vram), memory_bytes: machine.memory_bytes, unified }
    }
}

/// Where a model would run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FitPlace {
    /// Whole in graphics memory.
    Vram,
    /// Some layers in graphics memory, the others in main memory: slower.
    Partly,
    /// Whole in main memory, on the processor.
    Memory,
    DoesNotFit,
    /// Too little is known.
    Unknown,
}

impl FitPlace {
    /// The words for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Vram => "fits in graphics memory",
            Self::Partly => "fits partly in graphics memory",
            Self::Memory => "fits in main memory",
            Self::DoesNotFit => "does not fit",
            Self::Unknown => "not known",
        }
    }
}

impl std::fmt::Display for FitPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.as_str())
    }
}

/// The estimate with its parts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fit {
    pub place: FitPlace,
    /// Weights, cache and overhead; `None` where the weights' size is not known.
    pub needed_bytes: Option<u64>,
    pub weights_bytes: Option<u64>,
    pub kv_bytes: Option<u64>,
    pub overhead_bytes: Option<u64>,
    /// The calculation with its figures, for a person.
    pub formula: String,
    /// What had to be estimated or is not known, as sentences' beginnings in lower case.
    pub unknown: Vec<String>,
}

/// Estimates where a model runs on a machine.
pub fn fit(need: &Need, room: &Room) -> Fit {
    let mut unknown = Vec::new();
    let bits = need.quantization.as_deref().and_then(bits_per_weight);
    let weights = need.file_bytes.filter(|bytes| *bytes > 0).or_else(|| {
        let parameters = need.parameters.filter(|n| *n > 0.0)?;
        unknown.push(match bits {
            Some(bits) => format!("the file's size, estimated from the parameters at {bits} bits each"),
            None => {
                format!("the file's size and quantisation, estimated from the parameters at {USUAL_BITS} bits each")
            }
        });
        Some((parameters * bits.unwrap_or(USUAL_BITS) / 8.0) as u64)
    });
    let Some(weights) = weights else {
        unknown.push("the file's size and the number of parameters".to_owned());
        let formula = "needed = (weights + cache) × 1.1; the weights are not known".to_owned();
        return Fit {
            place: FitPlace::Unknown,
            needed_bytes: None,
            weights_bytes: None,
            kv_bytes: None,
            overhead_bytes: None,
            formula,
            unknown,
        };
    };
    let per_token = need.kv_bytes_per_token.unwrap_or_else(|| {
        unknown
            .push("the model's shape: the cache is estimated from its size, and may be half or twice as large".into());
        let parameters = need.parameters.unwrap_or_else(|| weights as f64 * 8.0 / bits.unwrap_or(USUAL_BITS));
        (131_072.0 * (parameters / 8e9).powf(0.4)) as u64
    });
    let kv = per_token.saturating_mul(need.context);
    let overhead = (weights.saturating_add(kv) as f64 * OVERHEAD) as u64;
    let needed = weights.saturating_add(kv).saturating_add(overhead);
    let place = place(needed, room, &mut unknown);
    let formula = format!(
        "({} weights + {} cache for {} tokens at {} bytes) × 1.1 = {}; {}",
        gb(weights),
        gb(kv),
        count(need.context),
        count(per_token),
        gb(needed),
        has(room)
    );
    Fit {
        place,
        needed_bytes: Some(needed),
        weights_bytes: Some(weights),
        kv_bytes: Some(kv),
        overhead_bytes: Some(overhead),
        formula,
        unknown,
    }
}

fn share(bytes: u64, share: f64) -> u64 {
    (bytes as f64 * share) as u64
}

fn place(needed: u64, room: &Room, unknown: &mut Vec<String>) -> FitPlace {
    let Some(memory) = room.memory_bytes else {
        unknown.push("this machine's memory".to_owned());
        return match room.vram_bytes {
            Some(vram) if needed <= vram => FitPlace::Vram,
            _ => FitPlace::Unknown,
        };
    };
    if room.unified {
        return if needed <= share(memory, USABLE_UNIFIED) { FitPlace::Vram } else { FitPlace::DoesNotFit };
    }
    let usable = share(memory, USABLE);
    match room.vram_bytes {
        Some(vram) if needed <= vram => FitPlace::Vram,
        Some(vram) if needed <= vram.saturating_add(usable) => FitPlace::Partly,
        None if needed <= usable => FitPlace::Memory,
        _ => FitPlace::DoesNotFit,
    }
}

/// What the machine has, in words.
fn has(room: &Room) -> String {
    match (room.vram_bytes, room.memory_bytes) {
        (_, Some(memory)) if room.unified => {
            format!("this machine has {} unified memory, 75 % of it for graphics", gb(memory))
        }
        (Some(vram), Some(memory)) => {
            format!("this machine has {} graphics memory and {} main memory, 80 % of it usable", gb(vram), gb(memory))
        }
        (Some(vram), None) => format!("this machine has {} graphics memory", gb(vram)),
        (None, Some(memory)) => {
            format!(
                "this machine has no graphics memory that was read and {} main memory, 80 % of it usable",
                gb(memory)
            )
        }
        (None, None) => "this machine's memory is not known".to_owned(),
    }
}

/// `8.2B`, `268 M`, `8x7B` or `30B-A3B` as a number. Experts of a mixture share about a sixth of their layers.
pub fn parameters(text: &str) -> Option<f64> {
    let text = text.trim().to_ascii_uppercase().replace(' ', "");
    let whole = text.split("-A").next().unwrap_or_default().trim_start_matches('E');
    let (number, scale) = match (whole.strip_suffix('B'), whole.strip_suffix('M')) {
        (Some(number), _) => (number, 1e9),
        (None, Some(number)) => (number, 1e6),
        (None, None) => return None,
    };
    let value = match number.split_once('X') {
        Some((experts, each)) => experts.parse::<f64>().ok()? * each.parse::<f64>().ok()? * (5.0 / 6.0),
        None => number.parse::<f64>().ok()?,
    };
    Some((value * scale).round()).filter(|value| value.is_finite() && *value > 0.0)
}

/// Bits that a weight takes on average, block scales included.
fn bits_per_weight(quantization: &str) -> Option<f64> {
    let name = quantization.to_ascii_uppercase();
    match name.as_str() {
        "F32" => return Some(32.0),
        "F16" | "BF16" | "FP16" => return Some(16.0),
        "FP8" | "INT8" => return Some(8.0),
        "MXFP4" => return Some(4.25),
        "AWQ" | "GPTQ" | "NVFP4" | "INT4" => return Some(4.5),
        _ => {}
    }
    let bits = name.chars().find(char::is_ascii_digit)?.to_digit(10).map(f64::from).filter(|bits| *bits > 0.0)?;
    Some(if name.contains("_K") { bits + 0.85 } else { bits + 0.5 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::machine::Gpu;

    const GB: u64 = 1_000_000_000;

    fn room(vram: Option<u64>, memory: u64) -> Room {
        Room { vram_bytes: vram.map(|n| n * GB), memory_bytes: Some(memory * GB), unified: false }
    }

    fn need(file: u64, context: u64) -> Need {
        Need { file_bytes: Some(file), context, kv_bytes_per_token: Some(147_456), ..Need::default() }
    }

    #[test]
    fn weights_cache_and_a_tenth_are_added() {
        // 5 GB + 8,192 × 147,456 B = 5 + 1.208 GB; a tenth is 0.6208 GB
        let fit = fit(&need(5 * GB, 8192), &room(Some(24), 64));
        assert_eq!((fit.kv_bytes, fit.overhead_bytes), (Some(1_207_959_552), Some(620_795_955)));
        assert_eq!((fit.needed_bytes, fit.place), (Some(6_828_755_507), FitPlace::Vram));
        assert!(fit.unknown.is_empty());
        assert_eq!(
            fit.formula,
            "(5.0 GB weights + 1.2 GB cache for 8,192 tokens at 147,456 bytes) × 1.1 = 6.8 GB; this machine has 24.0 GB \
             graphics memory and 64.0 GB main memory, 80 % of it usable"
        );
    }

    #[test]
    fn each_place_is_reached_at_its_bound() {
        let bare = |file| Need { file_bytes: Some(file), kv_bytes_per_token: Some(0), ..Need::default() };
        // 10 GB of weights need 11 GB
        for (room, place) in [
            (room(Some(11), 8), FitPlace::Vram),
            (room(Some(10), 8), FitPlace::Partly),
            (room(Some(4), 9), FitPlace::Partly),
            (room(Some(4), 8), FitPlace::DoesNotFit),
            (room(None, 14), FitPlace::Memory),
            (room(None, 13), FitPlace::DoesNotFit),
            (Room { unified: true, ..room(None, 15) }, FitPlace::Vram),
            (Room { unified: true, ..room(None, 14) }, FitPlace::DoesNotFit),
            (Room { memory_bytes: None, ..room(Some(12), 0) }, FitPlace::Vram),
            (Room { memory_bytes: None, ..room(Some(4), 0) }, FitPlace::Unknown),
        ] {
            assert_eq!(fit(&bare(10 * GB), &room).place, place, "{room:?}");
        }
    }

    #[test]
    fn what_is_unknown_is_said_and_estimated() {
        let small = Need { parameters: Some(8e9), context: 1000, ..Need::default() };
        let estimate = fit(&small, &room(None, 64));
        // 8e9 × 4.85 / 8, and 131,072 bytes for each of 1,000 tokens
        assert_eq!((estimate.weights_bytes, estimate.kv_bytes), (Some(4_850_000_000), Some(131_072_000)));
        assert_eq!(estimate.unknown.len(), 2, "{:?}", estimate.unknown);
        let nothing = fit(&Need { context: 1000, ..Need::default() }, &room(Some(24), 64));
        assert_eq!((nothing.place, nothing.needed_bytes), (FitPlace::Unknown, None));
    }

    #[test]
    fn the_curve_is_within_a_factor_of_two_and_a_half_of_common_models() {
        // layers × key-value heads × head length × 2 × 2 bytes
        for (name, parameters, exact) in [
            ("28 layers, 0.6 B", 0.6e9, 28 * 8 * 128 * 4),
            ("36 layers, 8.2 B", 8.2e9, 36 * 8 * 128 * 4),
            ("64 layers, 32.8 B", 32.8e9, 64 * 8 * 128 * 4),
            ("80 layers, 70.6 B", 70.6e9, 80 * 8 * 128 * 4),
        ] {
            let need = Need { file_bytes: Some(1), parameters: Some(parameters), context: 1, ..Need::default() };
            let ratio = fit(&need, &room(None, 1)).kv_bytes.unwrap() as f64 / f64::from(exact);
            assert!((0.4..2.5).contains(&ratio), "{name}: {ratio}");
        }
    }

    #[test]
    fn sizes_and_quantisations_are_read_in_every_spelling() {
        for (text, expected) in [
            ("8.2B", Some(8.2e9)),
            ("268 M", Some(268e6)),
            ("30B-A3B", Some(30e9)),
            ("E4B", Some(4e9)),
            ("8.0 B", Some(8e9)),
            ("large", None),
            ("", None),
            ("0B", None),
        ] {
            assert_eq!(parameters(text), expected, "{text}");
        }
        assert!((parameters("8x7B").unwrap() - 46.67e9).abs() < 1e8);
        for (name, bits) in [("Q4_K_M", 4.85), ("Q8_0", 8.5), ("BF16", 16.0), ("4-bit", 4.5), ("MXFP4", 4.25)] {
            assert_eq!(bits_per_weight(name), Some(bits), "{name}");
        }
        assert_eq!(bits_per_weight("unknown"), None);
    }

    #[test]
    fn several_graphics_processors_are_added_and_apples_memory_is_one() {
        let gpu = |bytes: Option<u64>| Gpu { name: "G".into(), memory_bytes: bytes, ..Gpu::default() };
        let two = Machine { gpus: vec![gpu(Some(8 * GB)), gpu(Some(8 * GB))], ..Machine::default() };
        assert_eq!(Room::of(&two).vram_bytes, Some(16 * GB));
        let apple = Machine { cpu: "Apple M4 Pro".into(), gpus: vec![gpu(None)], ..Machine::default() };
        assert!(Room::of(&apple).unified);
        assert!(!Room::of(&Machine { cpu: "Ryzen".into(), ..Machine::default() }).unified);
    }
}
