use serde::Deserialize;

use super::*;

fn rule(toml: &str) -> Rule {
    #[derive(Deserialize)]
    struct Holder {
        rule: Rule,
    }
    toml::from_str::<Holder>(&format!("rule.{toml}")).unwrap().rule
}

#[track_caller]
fn agree(toml: &str, met: &[&str], not: &[&str]) {
    let rule = rule(toml);
    rule.validate().unwrap();
    for text in met {
        let finding = rule.find(text);
        assert!(finding.met, "{toml} on {text:?}: {}", finding.why);
    }
    for text in not {
        let finding = rule.find(text);
        assert!(!finding.met, "{toml} on {text:?}: {}", finding.why);
    }
}

#[test]
fn fewer_than_101_words_ends_at_100() {
    let words = |n: usize| vec!["word"; n].join(" ");
    agree("count = { of = \"words\", size.at_most = 100 }", &[&words(100), &words(1)], &[&words(101)]);
}

#[test]
fn counts_hold_at_both_ends() {
    agree("count = { of = \"words\", size.between = [2, 3] }", &["a b", "a b c", "a b-c"], &["a", "a b c d"]);
    agree("count = { of = \"bullets\", size.exactly = 2 }", &["- a\n- b", "• a\n• b"], &["- a", "a\nb"]);
    agree("count = { of = \"numbered\", size.exactly = 2 }", &["1. a\n2. b"], &["1. a\n3. b", "1. a"]);
}

#[test]
fn items_are_judged_one_by_one() {
    agree(
        "each = { of = \"lines\", rule.count = { of = \"words\", size.exactly = 2 } }",
        &["a b\n\nc d"],
        &["a b\nc", ""],
    );
    agree("item = { of = \"lines\", at = -1, rule.starts.with = \"End\" }", &["x\nEnd."], &["End\nx", ""]);
}

#[test]
fn words_are_whole_words_with_forms() {
    agree("includes.words = [\"tide|tides\", \"moon\"]", &["Tides follow the Moon."], &["tidemark moon", "tide"]);
    agree("includes = { words = [\"a\", \"b\", \"c\"], size.at_least = 2 }", &["a c"], &["a a"]);
    agree("excludes = { words = [\"very\"] }", &["every day"], &["Very well"]);
    agree("repeats = { word = \"rain\", size.exactly = 2 }", &["Rain, rain!"], &["rain rainy", "rain rain rain"]);
    agree("order.words = [\"salt\", \"oil\"]", &["salt, then oil"], &["oil, salt", "salt"]);
}

#[test]
fn letters_and_case_are_those_of_the_whole_text() {
    agree("lacks_letters.letters = \"e\"", &["A dog ran by"], &["Else", "café"]);
    agree("casing.style = \"lower\"", &["all small, 1!"], &["Not", "123"]);
    agree("casing.style = \"upper\"", &["LOUD ÄÖ"], &["LOUd"]);
    agree("letters = { script = \"cyrillic\", percent.at_least = 90 }", &["Привет, мир"], &["Privet", "12"]);
    agree("initials = { of = \"lines\", spell = \"sea\" }", &["So\n- every\nAll"], &["So\nAll\nEvery", "So\nEvery"]);
}

#[test]
fn starts_and_ends_are_whole_words() {
    agree("starts.with = \"No\"", &["No, it is not", "No"], &["Nothing", "no", "Oh No"]);
    agree("ends.with = \"well.\"", &["Travel well."], &["farewell.", "well"]);
    for (loose, met) in
        [("Travel well.", true), ("Travel well.\"", true), ("Travel well", false), ("Travel well!", false)]
    {
        assert_eq!(rule("ends.with = \"well.\"").find_loosely(loose).met, met, "{loose}");
    }
    assert!(rule("ends.with = \"well\"").find_loosely("Travel well!").met);
    assert!(!rule("ends.with = \"well.\"").find_loosely("farewell").met);
}

#[test]
fn a_copy_is_exact() {
    agree("copy.text = \"Ab  c;\"", &["Ab  c;", "\nAb  c; \n"], &["Ab c;", "ab  c;", "Ab  c"]);
    let loose = rule("copy.text = \"Ab c\"").find_loosely("\"Ab c\"");
    assert!(loose.met);
}

#[test]
fn lists_are_these_items_in_this_order() {
    agree(
        "items = { of = \"lines\", are = [\"Ant\", \"Bee\"] }",
        &["ant\nbee.", "1. Ant\n2. Bee"],
        &["Bee\nAnt", "Ant"],
    );
    agree("distinct.of = \"lines\"", &["a\nb"], &["a\nA.", ""]);
}

#[test]
fn json_and_csv_are_read_not_searched() {
    agree(
        "json = { at = \"\", keys = [\"a\", \"b\"] }",
        &["{\"b\":1,\"a\":[]}"],
        &["{\"a\":1}", "{\"a\":1,\"b\":2,\"c\":3}", "see {\"a\":1,\"b\":2}", "[1]", ""],
    );
    agree(
        "json = { at = \"/a\", is = \"list\", size.exactly = 2 }",
        &["{\"a\":[1,2]}"],
        &["{\"a\":[1]}", "{\"a\":\"x\"}"],
    );
    agree("json = { at = \"/a\", equals = 3 }", &["{\"a\":3}", "{\"a\":3.0}"], &["{\"a\":\"3\"}", "{\"a\":true}"]);
    agree(
        "csv = { header = [\"name\", \"n\"], rows = [[\"x, y\", \"2\"]] }",
        &["name,n\n\"x, y\",2", "name, n\r\n\"x, y\", 2\n"],
        &["name,n\nx, y,2", "n,name\n2,\"x, y\"", "name,n", "name,n\n\"x, y\",2\nz,3"],
    );
}

#[test]
fn headings_sections_and_nested_bullets_are_units() {
    let text = "## One\n- a\n  - b\n  - c\n\n## Two\n- d\n  - e\n  - f";
    agree("items = { of = \"headings\", are = [\"One\", \"Two\"] }", &[text], &["One\nTwo", "## Two\n## One"]);
    agree(
        "each = { of = \"sections\", rule.count = { of = \"top_bullets\", size.exactly = 1 } }",
        &[text],
        &["## One\n- a\n- b", "- a"],
    );
    agree(
        "each = { of = \"top_bullets\", rule.count = { of = \"sub_bullets\", size.exactly = 2 } }",
        &[text, "* a\n\t* b\n\t* c"],
        &["- a\n- b\n- c", "- a\n  - b\n- c\n  - d\n  - e"],
    );
}

#[test]
fn tables_are_read_by_cell() {
    let table = "| Name | kg |\n|------|---:|\n| Ash | 20 |\n| Élan | 7.5 |";
    agree(
        "table = { header = [\"Name\", \"kg\"], rows = [[\"Ash\", \"20\"], [\"Élan\", \"7.5\"]] }",
        &[table, &format!("Here:\n\n{table}\n\nDone.")],
        &[
            "| Name | kg |\n| Ash | 20 |",
            "Name, kg\nAsh, 20",
            &format!("{table}\n| Oak | 1 |"),
            &table.replace("20", "2"),
        ],
    );
    agree("table.header = [\"Name\", \"kg\"]", &[table], &["| kg | Name |\n|---|---|\n| 1 | a |"]);
    agree(
        "column = { header = \"kg\", rule.sorted = { of = \"lines\", by = \"numbers\", falling = true } }",
        &[table],
        &[&table.replace("20", "2")],
    );
    agree("count = { of = \"rows\", size.exactly = 2 }", &[table], &["a\nb"]);
}

#[test]
fn lines_with_labels_are_fields() {
    agree(
        "labels.are = [\"Name\", \"Ort\"]",
        &["Name: Ana\nOrt: Köln", "Name : a\n\nOrt: b: c"],
        &["Ort: a\nName: b", "Name: a", "Name: a\nOrt:", "Name: a\nOrt: b\nx", "name: a\nort: b"],
    );
    agree(
        "field = { label = \"Ort\", rule.copy.text = \"Köln\" }",
        &["x\nOrt: Köln"],
        &["Ort: Bonn", "Ort: Köln\nOrt: Köln"],
    );
    agree("shape.like = \"AA-99:a\"", &["ÄB-07:x"], &["AB-07:X", "AB-7:x", "AB-07:xy", "ab-07:x"]);
}

#[test]
fn markers_and_separators_bound_what_is_judged() {
    agree(
        "inside = { open = \"<<\", close = \">>\", rule.copy.text = \"Fig\" }",
        &["x << Fig >> y", "<<Fig>>"],
        &["Fig", "<<Fig", "<<fig>>", "<<Fig>> <<Fig>>", ">>Fig<<"],
    );
    agree(
        "pieces = { by = \" / \", rule.items = { of = \"lines\", are = [\"a\", \"b c\"] } }",
        &["a / b c"],
        &["a/b c", "a / b c / d"],
    );
}

#[test]
fn some_items_only_these_items_and_combined_rules() {
    let asks = "rule.ends.with = \"?\"";
    agree(&format!("some = {{ of = \"sentences\", {asks}, size.exactly = 1 }}"), &["So? Yes."], &["So? Yes?", "So."]);
    agree(
        &format!("only = {{ of = \"lines\", at = [1, -1], {asks} }}"),
        &["a?\nb\nc?"],
        &["a?\nb?\nc?", "a?\nb\nc", ""],
    );
    agree("any.rules = [{ ends.with = \"!\" }, { ends.with = \"?\" }]", &["So!", "So?"], &["So."]);
    agree("all.rules = [{ ends.with = \"!\" }, { starts.with = \"So\" }]", &["So!"], &["So", "No!"]);
    agree("not.rule.starts.with = \"So\"", &["No"], &["So"]);
}

#[test]
fn items_are_sorted_by_letters_numbers_words_or_length() {
    agree(
        "sorted = { of = \"lines\", by = \"letters\" }",
        &["1. Äpfel\n2. Birnen", "- apple\n- Banana\n- **cherry**", "a\na"],
        &["Zebra\nÄpfel", "a", ""],
    );
    agree(
        "sorted = { of = \"lines\", by = \"numbers\", falling = true }",
        &["a 1,200\nb 30\nc 2.5"],
        &["a 3\nb 12", "a\nb"],
    );
    agree(
        "sorted = { of = \"sentences\", by = \"words\" }",
        &["Go. Go on. Go right on."],
        &["Go on. Do it.", "A b. C."],
    );
    agree("sorted = { of = \"words\", by = \"length\" }", &["a été schön"], &["été bon"]);
}

#[test]
fn sentences_may_grow_in_either_count_of_words() {
    agree(
        "sorted = { of = \"sentences\", by = \"words\" }",
        &["A well-known inn. So I go there."],
        &["A b-c d. E f g."],
    );
}

#[test]
fn signs_are_counted_with_their_accents() {
    agree("signs = { among = \"äöü\", size.at_least = 2 }", &["Über Öl", "für Tür"], &["fur Tur", "für"]);
    agree("signs = { among = \".!?\", size.exactly = 1 }", &["Why\nnot?"], &["Why? No.", "why"]);
    agree("signs = { among = \"ABC\", size.exactly = 1, case = \"exact\" }", &["A cab"], &["a cab"]);
    agree("signs = { among = \"猫\", size.at_least = 1 }", &["子猫がいる。"], &["犬がいる。"]);
}

#[test]
fn numbers_are_counted_whole() {
    agree(
        "numbers = { size.exactly = 2, between = [10, 50] }",
        &["from 10 to 50", "12.5 kg and 30"],
        &["10", "9 and 20", "10, 20, 30", "20 and 51"],
    );
}

#[test]
fn a_text_in_json_can_have_rules_of_its_own() {
    agree(
        "json = { at = \"/a\", rule.sorted = { of = \"lines\", by = \"letters\" } }",
        &["{\"a\": [\"x\", \"y\"]}"],
        &["{\"a\": [\"y\", \"x\"]}", "{\"a\": [true, false]}", "{}", "x"],
    );
    agree(
        "json = { at = \"/a/1\", rule.count = { of = \"words\", size.exactly = 2 } }",
        &["{\"a\": [\"x\", \"y z\"]}"],
        &["{\"a\": [\"x y\", \"z\"]}"],
    );
}

#[test]
fn a_letter_with_a_separate_accent_may_count_as_one_character() {
    agree("count = { of = \"characters\", size.exactly = 3 }", &["e\u{301}te", "été"], &["étés"]);
}

#[test]
fn b8_an_unknown_relation_or_rule_is_no_rule() {
    for text in [
        "rule.count = { of = \"words\", size.less_than = 101 }",
        "rule.count = { of = \"syllables\", size.at_most = 3 }",
        "rule.count = { of = \"words\", size.at_most = 3, extra = 1 }",
        "rule.rhymes = { with = \"sea\" }",
    ] {
        #[derive(Deserialize, Debug)]
        struct Holder {
            #[expect(dead_code, reason = "only its parsing is of interest")]
            rule: Rule,
        }
        let error = toml::from_str::<Holder>(text).unwrap_err().to_string();
        assert!(error.contains("unknown variant") || error.contains("unexpected keys"), "{text}: {error}");
    }
}

#[test]
fn a_rule_that_can_never_work_is_refused() {
    for text in [
        "count = { of = \"words\", size.between = [3, 2] }",
        "item = { of = \"lines\", at = 0, rule.starts.with = \"x\" }",
        "includes.words = []",
        "includes.words = [\"!\"]",
        "starts.with = \" \"",
        "json.at = \"\"",
        "json = { at = \"/a\", rule.starts.with = \"\" }",
        "table.header = []",
        "table = { header = [\"a\"], rows = [[\"1\", \"2\"]] }",
        "column = { header = \"\", rule.starts.with = \"x\" }",
        "labels.are = [\" \"]",
        "inside = { open = \"\", close = \"]\", rule.starts.with = \"x\" }",
        "pieces = { by = \";\", rule.includes.words = [] }",
        "only = { of = \"lines\", at = [0], rule.starts.with = \"x\" }",
        "some = { of = \"lines\", rule.starts.with = \"x\", size.between = [2, 1] }",
        "any.rules = []",
        "not.rule.excludes.words = []",
        "numbers = { size.exactly = 1, between = [2, 1] }",
        "shape.like = \" \"",
        "signs = { among = \"\", size.exactly = 1 }",
    ] {
        assert!(rule(text).validate().is_err(), "{text}");
    }
}
