//! Models on Hugging Face as the page and the routes see them: what a search finds, what a repository holds, which of its
//! files are one choice. Pure: names and sizes in, choices out.

use serde::{Deserialize, Serialize};

use super::id::closed_set;

closed_set! {
    /// How weights are stored; the name is also the Hub's tag.
    WeightFormat, "format" {
        Gguf = "gguf",
        Mlx = "mlx",
        Gptq = "gptq",
        Awq = "awq",
        Fp8 = "fp8",
        Fp16 = "fp16",
        Bf16 = "bf16",
        Safetensors = "safetensors",
    }
}

closed_set! {
    /// The order of found repositories, most first.
    HubSort, "order" {
        Downloads = "downloads",
        Likes = "likes",
        Trending = "trending",
        Updated = "updated",
    }
}

/// What is asked of the Hub.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HubQuery {
    /// What the user typed; blank finds what is popular.
    pub text: String,
    pub format: Option<WeightFormat>,
    /// `None`: trending for a blank text, downloads for any other.
    pub sort: Option<HubSort>,
    /// From 1 to [`Self::LAST_PAGE`].
    pub page: u32,
    /// Repositories per page, 1 to 100.
    pub limit: u32,
}

impl HubQuery {
    /// Pages are reached one after the other, so there is an end to them.
    pub const LAST_PAGE: u32 = 50;
    /// Longest text that is sent, in characters.
    pub const LONGEST: usize = 200;

    /// The first page of a search.
    pub fn new(text: &str) -> Self {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(Self::LONGEST).collect();
        Self { text, format: None, sort: None, page: 1, limit: 20 }
    }

    /// The order that applies.
    pub fn order(&self) -> HubSort {
        self.sort.unwrap_or(if self.text.is_empty() { HubSort::Trending } else { HubSort::Downloads })
    }
}

/// A repository in a list.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HubModel {
    /// `owner/name`
    pub id: String,
    pub downloads: u64,
    pub likes: u64,
    pub pipeline: Option<String>,
    pub tags: Vec<String>,
    pub formats: Vec<WeightFormat>,
    /// Its owner asks visitors to agree to terms or to wait for access.
    pub gated: bool,
    pub private: bool,
    /// As the Hub writes it, ISO 8601.
    pub created_at: Option<String>,
    pub updated_at: Option<String>,
}

impl HubModel {
    /// Owner and name; repositories of old have no owner.
    pub fn parts(&self) -> (&str, &str) {
        self.id.split_once('/').unwrap_or(("", &self.id))
    }
}

/// One page of a search.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HubPage {
    pub models: Vec<HubModel>,
    pub page: u32,
    /// Another page follows.
    pub more: bool,
}

/// One way to take a repository: a quantisation with all its parts.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct QuantChoice {
    /// `Q4_K_M`, or the file's name where it tells none.
    pub name: String,
    /// The first file, with its folder.
    pub path: String,
    pub size_bytes: u64,
    /// Files that belong together.
    pub parts: u32,
    /// How many the names say there should be; more than `parts`: some are missing.
    pub parts_named: u32,
    pub format: Option<WeightFormat>,
    /// The name under which Ollama pulls it; `None` where it can't.
    pub pull: Option<String>,
}

/// What a repository says of itself.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct HubDetails {
    pub model: HubModel,
    pub license: Option<String>,
    pub architecture: Option<String>,
    /// Number of parameters, where the Hub has read it from the weights.
    pub parameters: Option<u64>,
    /// Tokens of context that the model allows at most.
    pub context_max: Option<u64>,
    /// Smallest first.
    pub choices: Vec<QuantChoice>,
    /// Files in all.
    pub files: u32,
    /// Why there are no files, in words.
    pub note: Option<String>,
}

/// A file of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubFile {
    pub path: String,
    pub size_bytes: u64,
}

/// The formats that tags and the name tell of; `safetensors` if they tell none.
pub fn formats(tags: &[String], name: &str) -> Vec<WeightFormat> {
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let told = |format: &WeightFormat| {
        tags.iter().any(|tag| tag.eq_ignore_ascii_case(format.as_str())) || words.contains(&format.as_str())
    };
    let found: Vec<WeightFormat> = WeightFormat::ALL.iter().copied().filter(told).collect();
    if found.is_empty() { vec![WeightFormat::Safetensors] } else { found }
}

/// A file's name without folder.
fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Name before the part number, the number and how many there are: `x-00001-of-00003.gguf` → `("x.gguf", 1, 3)`.
pub fn split_part(path: &str) -> Option<(String, u32, u32)> {
    let dot = path.rfind('.')?;
    let (stem, extension) = path.split_at(dot);
    let (rest, total) = stem.rsplit_once("-of-")?;
    let (stem, number) = rest.rsplit_once('-')?;
    let digits = |text: &str| (4..=6).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(total) || !digits(number) {
        return None;
    }
    Some((format!("{stem}{extension}"), number.parse().ok()?, total.parse().ok()?))
}

/// Whether a word of a file name is a quantisation: `Q4_K_M`, `IQ3_XXS`, `Q4_0_4_4`, `BF16`, `MXFP4_MOE`.
fn is_quantisation(word: &str) -> bool {
    let upper = word.to_ascii_uppercase();
    let numbered =
        |prefix: &str| upper.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let shaped = numbered("Q") || numbered("IQ") || numbered("TQ") || upper.starts_with("MXFP4") || upper == "NVFP4";
    let plain = matches!(upper.as_str(), "F16" | "F32" | "FP16" | "FP32" | "BF16");
    plain || (shaped && upper.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
}

/// The quantisation that a GGUF path tells, as written but in capitals; a maker's prefix such as `UD-` stays with it. The
/// file's name goes before its folder's.
pub fn quantisation(path: &str) -> Option<String> {
    let whole = split_part(path).map_or_else(|| path.to_owned(), |(whole, ..)| whole);
    let in_text = |text: &str| {
        let words: Vec<&str> = text.split(['-', '.', ' ']).collect();
        let at = words.iter().rposition(|word| is_quantisation(word))?;
        let maker = at.checked_sub(1).and_then(|before| words.get(before)).filter(|word| **word == "UD");
        let name = words.get(at)?.to_ascii_uppercase();
        Some(maker.map_or(name.clone(), |maker| format!("{maker}-{name}")))
    };
    let name = file_name(&whole);
    let stem = name.get(..name.len().saturating_sub(".gguf".len())).unwrap_or(name);
    in_text(stem).or_else(|| whole.rsplit_once('/').and_then(|(folders, _)| in_text(file_name(folders))))
}

fn has_extension(path: &str, extension: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| end.eq_ignore_ascii_case(extension))
}

/// Whether a GGUF file holds a language model: projectors, importance matrices and vocabularies don't.
fn is_model_file(path: &str) -> bool {
    let name = file_name(path).to_ascii_lowercase();
    !(name.contains("mmproj") || name.contains("imatrix") || name.contains("-vocab"))
}

/// The choices that a repository's files make, smallest first: one per quantisation for GGUF, with split parts summed; one
/// for all weights of any other kind.
pub fn choices(repo: &str, formats: &[WeightFormat], files: &[HubFile]) -> Vec<QuantChoice> {
    let mut found: Vec<(String, QuantChoice)> = Vec::new();
    for file in files.iter().filter(|file| has_extension(&file.path, "gguf") && is_model_file(&file.path)) {
        let (whole, number, named) = split_part(&file.path).unwrap_or((file.path.clone(), 1, 1));
        let name = quantisation(&file.path).unwrap_or_else(|| file_name(&whole).to_owned());
        match found.iter_mut().find(|(known, _)| *known == whole) {
            Some((_, choice)) => {
                choice.size_bytes = choice.size_bytes.saturating_add(file.size_bytes);
                choice.parts += 1;
                if number == 1 {
                    choice.path.clone_from(&file.path);
                }
            }
            None => {
                let choice = QuantChoice {
                    pull: Some(format!("hf.co/{repo}:{name}")),
                    path: file.path.clone(),
                    size_bytes: file.size_bytes,
                    parts: 1,
                    parts_named: named,
                    format: Some(WeightFormat::Gguf),
                    name,
                };
                found.push((whole, choice));
            }
        }
    }
    let mut choices: Vec<QuantChoice> = found.into_iter().map(|(_, choice)| choice).collect();
    // two files of one quantisation can't be told apart by Ollama's name: the file's own name does
    let names: Vec<String> = choices.iter().map(|choice| choice.name.clone()).collect();
    for choice in &mut choices {
        if names.iter().filter(|name| **name == choice.name).count() > 1 {
            choice.name = split_part(&choice.path).map_or_else(|| choice.path.clone(), |(whole, ..)| whole);
            choice.pull = Some(format!("hf.co/{repo}:{}", file_name(&choice.name)));
        }
    }
    if choices.is_empty() {
        choices.extend(whole_repository(formats, files));
    }
    choices.sort_by(|a, b| a.size_bytes.cmp(&b.size_bytes).then_with(|| a.name.cmp(&b.name)));
    choices
}

/// Weights that are not GGUF are taken all together: the safetensors files, else what PyTorch wrote.
fn whole_repository(formats: &[WeightFormat], files: &[HubFile]) -> Option<QuantChoice> {
    let of = |extension: &str| files.iter().filter(|file| has_extension(&file.path, extension)).collect::<Vec<_>>();
    // a folder besides the top often repeats the weights in another form
    let top = |files: Vec<&'_ HubFile>| -> Vec<HubFile> {
        let above: Vec<HubFile> = files.iter().filter(|file| !file.path.contains('/')).copied().cloned().collect();
        if above.is_empty() { files.into_iter().cloned().collect() } else { above }
    };
    let weights = [top(of("safetensors")), top(of("bin"))].into_iter().find(|files| !files.is_empty())?;
    let first = weights.first()?;
    let format = formats.iter().copied().find(|format| *format != WeightFormat::Gguf);
    Some(QuantChoice {
        name: format.map_or("all weights".to_owned(), |format| format!("all weights, {format}")),
        path: first.path.clone(),
        size_bytes: weights.iter().map(|file| file.size_bytes).sum(),
        parts: weights.len() as u32,
        parts_named: split_part(&first.path).map_or(weights.len() as u32, |(.., named)| named),
        format: format.or(Some(WeightFormat::Safetensors)),
        pull: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_tells_its_quantisation() {
        for (path, expected) in [
            ("Qwen3-8B-Q4_K_M.gguf", Some("Q4_K_M")),
            ("gemma-3-270m-it-q8_0.gguf", Some("Q8_0")),
            ("model.IQ3_XXS.gguf", Some("IQ3_XXS")),
            ("Qwen3-30B-A3B-UD-Q2_K_XL.gguf", Some("UD-Q2_K_XL")),
            ("UD-Q4_K_XL/GLM-UD-Q4_K_XL-00001-of-00005.gguf", Some("UD-Q4_K_XL")),
            ("BF16/model-00001-of-00002.gguf", Some("BF16")),
            ("gpt-oss-20b-MXFP4.gguf", Some("MXFP4")),
            ("gpt-oss-20b-mxfp4_moe.gguf", Some("MXFP4_MOE")),
            ("Llama-3.2-1B-Instruct-Q4_0_4_4.gguf", Some("Q4_0_4_4")),
            ("Qwen2.5-7B-instruct.gguf", None),
            ("ggml-model.gguf", None),
        ] {
            assert_eq!(quantisation(path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn parts_are_told_by_number_and_count() {
        for (path, expected) in [
            ("x-Q8_0-00002-of-00003.gguf", Some(("x-Q8_0.gguf".to_owned(), 2, 3))),
            ("a/model-00001-of-00002.safetensors", Some(("a/model.safetensors".to_owned(), 1, 2))),
            ("one-of-many.gguf", None),
            ("x-1-of-3.gguf", None),
            ("x.gguf", None),
        ] {
            assert_eq!(split_part(path), expected, "{path}");
        }
    }

    fn file(path: &str, size_bytes: u64) -> HubFile {
        HubFile { path: path.into(), size_bytes }
    }

    #[test]
    fn parts_are_one_choice_and_a_missing_part_shows() {
        let files = [
            file("README.md", 10),
            file("m-Q8_0-00002-of-00003.gguf", 40),
            file("m-Q8_0-00001-of-00003.gguf", 50),
            file("m-Q4_K_M.gguf", 45),
            file("mmproj-F16.gguf", 7),
            file("imatrix_unsloth.gguf", 7),
        ];

        let choices = choices("o/m", &[WeightFormat::Gguf], &files);

        let seen: Vec<_> = choices.iter().map(|c| (c.name.as_str(), c.size_bytes, c.parts, c.parts_named)).collect();
        assert_eq!(seen, [("Q4_K_M", 45, 1, 1), ("Q8_0", 90, 2, 3)]);
        assert_eq!(choices[1].path, "m-Q8_0-00001-of-00003.gguf");
        assert_eq!(choices[0].pull.as_deref(), Some("hf.co/o/m:Q4_K_M"));
    }

    #[test]
    fn two_files_of_one_quantisation_keep_their_names() {
        let files = [file("a-Q4_0.gguf", 1), file("b-Q4_0.gguf", 2)];
        let choices = choices("o/m", &[WeightFormat::Gguf], &files);
        assert_eq!(choices.iter().map(|c| c.name.as_str()).collect::<Vec<_>>(), ["a-Q4_0.gguf", "b-Q4_0.gguf"]);
        assert_eq!(choices[0].pull.as_deref(), Some("hf.co/o/m:a-Q4_0.gguf"));
    }

    #[test]
    fn other_weights_are_one_choice_that_ollama_can_not_pull() {
        let files = [
            file("model-00001-of-00002.safetensors", 5),
            file("model-00002-of-00002.safetensors", 6),
            file("original/consolidated.safetensors", 11),
            file("pytorch_model.bin", 11),
        ];
        let choices = choices("o/m", &[WeightFormat::Awq, WeightFormat::Safetensors], &files);
        assert_eq!(choices.len(), 1);
        assert_eq!((choices[0].size_bytes, choices[0].parts, choices[0].pull.as_ref()), (11, 2, None));
        assert_eq!(choices[0].name, "all weights, awq");
    }

    #[test]
    fn formats_come_from_tags_and_whole_words_of_the_name() {
        let tags = |list: &[&str]| list.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
        for (given, name, expected) in [
            (tags(&["gguf", "text-generation"]), "o/x", vec![WeightFormat::Gguf]),
            (tags(&[]), "o/Qwen3-8B-AWQ", vec![WeightFormat::Awq]),
            (tags(&["mlx", "safetensors"]), "o/x-4bit", vec![WeightFormat::Mlx, WeightFormat::Safetensors]),
            (tags(&[]), "o/mlxtend", vec![WeightFormat::Safetensors]),
        ] {
            assert_eq!(formats(&given, name), expected, "{name}");
        }
    }

    #[test]
    fn a_search_text_is_trimmed_joined_and_bounded() {
        assert_eq!(HubQuery::new("  qwen3 \n 8b ").text, "qwen3 8b");
        assert_eq!(HubQuery::new(&"x".repeat(5000)).text.len(), HubQuery::LONGEST);
        assert_eq!(HubQuery::new("").order(), HubSort::Trending);
        assert_eq!(HubQuery::new("a").order(), HubSort::Downloads);
    }
}
