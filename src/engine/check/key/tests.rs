use super::*;
use crate::engine::check::answer::clean;

fn key(expected: &str) -> NumberKey {
    NumberKey {
        expected: expected.into(),
        tolerance: "0".into(),
        units: Vec::new(),
        percent: false,
        base: None,
        places: None,
        others: Vec::new(),
    }
}

fn right(key: &NumberKey, answer: &str) -> bool {
    key.read(&clean(answer)).is_ok_and(|reading| key.compare(&reading).0)
}

#[test]
fn a_right_number_is_right_in_every_dress() {
    for (expected, answer) in [
        ("42", "42"),
        ("42", "42.0"),
        ("42", "**42**"),
        ("42", r"\boxed{42}"),
        ("42", "42 apples (see step 2)"),
        ("42", "42, because 6 × 7 is that"),
        ("42", "12 + 30 = 42"),
        ("42", "x = 42"),
        ("42", "The total is 42"),
        ("42", "x = 21 / (0.65 - 0.15) = 42"),
        ("42", "(40 + 44) / 2 = 42"),
        ("42", "120−(70+8)=42"),
        ("42", "42 - (see above)"),
        ("42", "about 42"),
        ("7", "seven"),
        ("7/12", "7/12 ≈ 0.583"),
        ("7/12", "14/24"),
        ("3/8", "37.5%"),
        ("3/8", "0.375"),
        ("3/4", "3 out of 4"),
        ("-3", "\u{2212}3"),
        ("1234.5", "1.234,5"),
        ("1500", "1.5×10^3"),
        ("9/4", "2 1/4"),
        ("528.77", "489.6 × 1.08 = 528.768 ≈ 528.77"),
    ] {
        assert!(right(&key(expected), answer), "{answer:?} for {expected}: {:?}", key(expected).read(&clean(answer)));
    }
}

#[test]
fn nothing_is_taken_from_a_text_that_only_holds_the_number() {
    for (expected, answer) in [
        ("93", "1000093"),
        ("4", "3 of 4"),
        ("3", "3 of 4"),
        ("42", "41 or 42"),
        ("42", "42 or 43"),
        ("42", "not 42"),
        ("42", "40 to 42"),
        ("42", "42-43"),
        ("42", "42, 43"),
        ("42", "42, no wait, actually 43"),
        ("42", "between 41 and 42"),
        ("42", "at least 42"),
        ("42", "42 + 1"),
        ("42", "42 × (3 + 4)"),
        ("42", "(40 + 44) / 42"),
        ("42", "42^2"),
        ("42", "41 = 42"),
        ("2", "35.98 (see step 2)"),
        ("3", "1.5e3"),
        ("14", "14:35"),
        ("3", "Tom has 3 and Ana has 5"),
        ("42", ""),
    ] {
        assert!(!right(&key(expected), answer), "{answer:?} for {expected}");
    }
}

#[test]
fn another_unit_is_wrong_and_no_unit_is_right() {
    let key = NumberKey { units: vec!["km/h".into(), "kilometres per hour".into()], ..key("60") };
    for answer in ["60", "60 km/h", "60km/h", "60 KM/H", "60 kilometres per hour", "60 km/h on average"] {
        assert!(right(&key, answer), "{answer}");
    }
    for answer in ["60 m/s", "60 km", "60 minutes", "$60"] {
        assert!(!right(&key, answer), "{answer}");
    }
    let money = NumberKey { units: vec!["$".into(), "dollars".into()], ..key };
    let money = NumberKey { expected: "35.98".into(), ..money };
    for answer in ["$35.98", "35.98", "35.98 dollars", r"$\$35.98$", "$ 35.98"] {
        assert!(right(&money, answer), "{answer}");
    }
    assert!(!right(&money, "€35.98") && !right(&money, "35.98 euros"));
}

#[test]
fn a_percentage_may_leave_out_its_sign() {
    let key = NumberKey { percent: true, ..key("35") };
    assert!(right(&key, "35") && right(&key, "35 %") && right(&key, "35 percent"));
    assert!(!right(&key, "0.35"));
}

#[test]
fn tolerance_is_inclusive_and_exact() {
    let key = NumberKey { tolerance: "0.005".into(), ..key("1/3") };
    assert!(right(&key, "0.33") && !right(&key, "0.32") && !right(&key, "0.34"));
}

#[test]
fn answers_as_models_write_them() {
    let eggs = NumberKey { units: vec!["eggs".into(), "egg".into()], ..key("24") };
    for answer in [
        "24 eggs left",
        "**24 eggs**",
        "$24$ eggs",
        r"\(24\)",
        r"\(\boxed{24}\) eggs",
        "24 (twenty-four)",
        "She has 24 eggs left.",
        "70 - 46 = 24 eggs",
        "70 - 46 = **24**",
        "<24>",
        "24.00",
    ] {
        assert!(right(&eggs, answer), "{answer:?}: {:?}", eggs.read(&clean(answer)));
    }
    let money = NumberKey { units: vec!["$".into(), "dollars".into(), "USD".into()], ..key("1666.09") };
    for answer in
        ["$1,666.09", "1,666.09 USD", "USD 1,666.09", "$1666.09 (balance)", r"\$1{,}666.09", "The balance is $1,666.09"]
    {
        assert!(right(&money, answer), "{answer:?}: {:?}", money.read(&clean(answer)));
    }
    for answer in ["$1,666.9", "$1.666", "$16,660.9", "1,666.09 or so, maybe 1,667"] {
        assert!(!right(&money, answer), "{answer:?}");
    }
    let chance = NumberKey { places: Some(4), ..key("14/45") };
    for answer in
        ["14/45", "28/90", "0.3111", "31.11%", "14/45 = 0.311", "P = 14/45 ≈ 0.3111", r"\frac{14}{45}", "14 / 45"]
    {
        assert!(right(&chance, answer), "{answer:?}: {:?}", chance.read(&clean(answer)));
    }
    assert!(!right(&chance, "0.31") && !right(&chance, "14:45") && !right(&chance, "45/14"));
}
