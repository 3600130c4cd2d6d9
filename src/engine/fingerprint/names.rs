//! What the names of models and files tell: quantisation and parameter size.

/// The quantisation in a name: `gemma-3-270m-q4_k_m.gguf` → `Q4_K_M`, `Qwen3-8B-AWQ` → `AWQ`, `…-4bit` → `4-bit`.
pub fn quantization_in(name: &str) -> Option<String> {
    let stem = stem(name);
    let parts = || stem.split(['-', '.', ':', '/', '@', ' ']).rev();
    if let Some(part) = parts().find(|part| is_gguf_type(part)) {
        return Some(part.to_ascii_uppercase());
    }
    parts().find_map(|part| {
        let lower = part.to_ascii_lowercase();
        let bits = lower.strip_suffix("bit").filter(|bits| matches!(*bits, "2" | "3" | "4" | "5" | "6" | "8"));
        match (bits, lower.as_str()) {
            (Some(bits), _) => Some(format!("{bits}-bit")),
            (None, "awq" | "gptq" | "fp8" | "nvfp4" | "int4" | "int8") => Some(lower.to_ascii_uppercase()),
            _ => None,
        }
    })
}

/// The name without folder and without the ending of a weights file or a part number.
fn stem(name: &str) -> &str {
    let file = name.rsplit('\\').next().unwrap_or(name);
    let is_file = |end: &str| file.len() > end.len() && file[file.len() - end.len()..].eq_ignore_ascii_case(end);
    if !file.is_char_boundary(file.len().saturating_sub(5)) || !is_file(".gguf") {
        return file;
    }
    let stem = &file[..file.len() - ".gguf".len()];
    // shards: model-Q4_K_M-00001-of-00003.gguf
    match stem.len().checked_sub("-00001-of-00003".len()).and_then(|at| stem.split_at_checked(at)) {
        Some((whole, part)) if part.contains("-of-") && part.starts_with('-') => whole,
        _ => stem,
    }
}

fn is_gguf_type(part: &str) -> bool {
    let upper = part.to_ascii_uppercase();
    // Q4_K_M, Q8_0, IQ3_XXS, TQ1_0, UD-Q4_K_XL (the UD part is another part)
    let numbered = |prefix: &str| {
        let rest = upper.strip_prefix(prefix).unwrap_or_default();
        let mut chars = rest.chars();
        chars.next().is_some_and(|digit| digit.is_ascii_digit() && digit != '0')
            && chars.clone().next().is_none_or(|next| next == '_')
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    numbered("Q") || numbered("IQ") || numbered("TQ") || matches!(upper.as_str(), "F16" | "F32" | "BF16" | "MXFP4")
}

/// llama.cpp's words for a file type in the spelling of file names: `Q4_K - Medium` → `Q4_K_M`.
pub fn quantization_of(file_type: &str) -> Option<String> {
    let text = file_type.trim().trim_end_matches(" (guessed)");
    if text.is_empty() || text.starts_with("unknown") || text == "all F32" {
        return (text == "all F32").then(|| "F32".to_owned());
    }
    let Some((kind, size)) = text.split_once(" - ") else { return Some(text.to_owned()) };
    let letter = match size.split_whitespace().next().unwrap_or_default() {
        "Small" => "S",
        "Medium" => "M",
        "Large" => "L",
        // IQ3_XXS - 3.0625 bpw: the kind says it all
        _ => return Some(kind.to_owned()),
    };
    Some(format!("{kind}_{letter}"))
}

/// The parameter size in a name: `Qwen3-8B-Q4_K_M.gguf` → `8B`, `gemma-3-270m` → `270M`, `qwen3:30b-a3b` → `30B-A3B`.
pub fn parameters_in(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let parts: Vec<&str> = stem(last).split(['-', ':', '_', ' ', '@']).collect();
    let at = parts.iter().position(|part| is_size(part))?;
    let size = parts[at].to_ascii_uppercase().replace('X', "x");
    // a mixture of experts: the parameters that are active come second
    match parts
        .get(at + 1)
        .filter(|part| part.len() > 2 && matches!(part.as_bytes()[0], b'a' | b'A') && is_size(&part[1..]))
    {
        Some(active) => Some(format!("{size}-{}", active.to_ascii_uppercase())),
        None => Some(size),
    }
}

/// `8b`, `0.6B`, `270m`, `8x7B`, `e4b`.
fn is_size(part: &str) -> bool {
    if !part.is_ascii() || part.len() < 2 {
        return false;
    }
    let (number, unit) = part.split_at(part.len() - 1);
    let number = number.strip_prefix(['e', 'E']).unwrap_or(number);
    let decimal = |text: &str| {
        !text.is_empty()
            && text.starts_with(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || c == '.')
            && text.matches('.').count() <= 1
    };
    let is_number = match number.split_once(['x', 'X']) {
        Some((experts, each)) => decimal(experts) && decimal(each),
        None => decimal(number),
    };
    match unit {
        "b" | "B" => is_number,
        // 270m is a size, 1m a context
        "m" | "M" => is_number && number.len() >= 2,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_tells_its_quantisation() {
        for (file, expected) in [
            ("gemma-3-270m-q4_k_m.gguf", Some("Q4_K_M")),
            ("Qwen3-8B.Q8_0.gguf", Some("Q8_0")),
            ("Qwen3-8B-Q4_K_M-00001-of-00003.gguf", Some("Q4_K_M")),
            ("C:\\models\\Qwen3-8B-UD-Q4_K_XL.GGUF", Some("Q4_K_XL")),
            ("model-IQ3_XXS.gguf", Some("IQ3_XXS")),
            ("x-bf16.gguf", Some("BF16")),
            ("gpt-oss-20b-mxfp4.gguf", Some("MXFP4")),
            ("hf.co/unsloth/Qwen3-8B-GGUF:Q4_K_M", Some("Q4_K_M")),
            ("qwen3:8b-instruct-q5_0", Some("Q5_0")),
            ("Qwen/Qwen3-8B-AWQ", Some("AWQ")),
            ("RedHatAI/Qwen3-8B-FP8", Some("FP8")),
            ("mlx-community/Qwen3-4B-4bit", Some("4-bit")),
            ("qwen3-8b.gguf", None),
            ("Qwen2.5-7B-Instruct", None),
            ("QwQ-32B", None),
            ("model.bin", None),
            ("ü.gguf", None),
        ] {
            assert_eq!(quantization_in(file).as_deref(), expected, "{file}");
        }
    }

    #[test]
    fn a_name_tells_its_parameter_size() {
        for (name, expected) in [
            ("Qwen3-8B-Q4_K_M.gguf", Some("8B")),
            ("gemma-3-270m-q4_k_m.gguf", Some("270M")),
            ("qwen3:0.6b", Some("0.6B")),
            ("qwen3:30b-a3b", Some("30B-A3B")),
            ("Mixtral-8x7B-Instruct-v0.1", Some("8x7B")),
            ("gemma3n:e4b", Some("E4B")),
            ("meta-llama/Llama-3.1-70B-Instruct", Some("70B")),
            ("/models/7b/phi-4-mini.gguf", None),
            ("Qwen2.5-VL-1M", None),
            ("gpt-5", None),
            ("größe-b", None),
        ] {
            assert_eq!(parameters_in(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn file_types_are_spelled_as_in_file_names() {
        for (words, expected) in [
            ("Q4_K - Medium", Some("Q4_K_M")),
            ("Q3_K - Large", Some("Q3_K_L")),
            ("IQ3_XXS - 3.0625 bpw", Some("IQ3_XXS")),
            ("Q8_0", Some("Q8_0")),
            ("all F32", Some("F32")),
            ("unknown, may not work", None),
            ("", None),
        ] {
            assert_eq!(quantization_of(words).as_deref(), expected, "{words}");
        }
    }
}
