//! Keys from exact arithmetic in whole cents, minutes and the like, and from puzzles about people.

use std::collections::BTreeMap;

use super::{
    Key, cents,
    counting::{only, orders},
};

pub fn keys() -> Vec<Key> {
    let [hour, minute] = night_bus();
    let [points, percent] = turnout();
    let [left, middle, right] = bench();
    vec![
        ("hut-thermometer", "answer", hut()),
        ("ribbon-left", "answer", ribbon()),
        ("museum-summer", "answer", museum()),
        ("rosa-and-jan", "answer", rosa()),
        ("night-bus", "hour", hour),
        ("night-bus", "minute", minute),
        ("bakery-tuesday", "answer", bakery()),
        ("turnout-in-velm", "points", points),
        ("turnout-in-velm", "percent", percent),
        ("lamp-before-the-sale", "answer", lamp()),
        ("ride-to-the-pass", "answer", ride()),
        ("orchard-table", "answer", orchard()),
        ("stronger-brine", "answer", brine()),
        ("oldest-office", "answer", office()),
        ("francs-to-euros", "answer", francs()),
        ("chip-energy", "answer", chip()),
        ("bench-of-seven", "left", left),
        ("bench-of-seven", "middle", middle),
        ("bench-of-seven", "right", right),
    ]
}

fn hut() -> String {
    // Degree by degree, as the column in the glass goes.
    let mut degrees = 4;
    for (way, count) in [(1, 5), (-1, 12), (-1, 4)] {
        for _ in 0..count {
            degrees += way;
        }
    }
    degrees.to_string()
}

fn bakery() -> String {
    let mut loaves = Vec::new();
    for oven in 0..3 {
        for filling in 0..5 {
            loaves.extend((0..36).map(|loaf| (oven, filling, loaf)));
        }
    }
    loaves.truncate(loaves.len() - 28);
    loaves.len().to_string()
}

fn ribbon() -> String {
    // A roll in 30 pieces, which both uses take whole.
    let left = 30 - 30 / 6 - 2 * 30 / 5;
    let common = (1..=left).rev().find(|d| left % d == 0 && 30 % d == 0).unwrap();
    format!("{}/{}", left / common, 30 / common)
}

fn museum() -> String {
    let june = 12_480;
    let july = june - 1_275;
    (june + july + (july + 2_905)).to_string()
}

fn rosa() -> String {
    // Child → mother. Steps up from Jan until Rosa.
    let mother = BTreeMap::from([("Timo", "Rosa"), ("Karla", "Rosa"), ("Jan", "Karla")]);
    let up = std::iter::successors(Some("Jan"), |child| mother.get(child).copied());
    let steps = up.take_while(|person| *person != "Rosa").count();
    ["himself", "mother", "grandmother", "great-grandmother"][steps].to_owned()
}

fn night_bus() -> [String; 2] {
    // Minute by minute, as a clock goes.
    let (mut hour, mut minute) = (22, 47);
    for _ in 0..3 * 60 + 38 {
        minute += 1;
        if minute == 60 {
            (hour, minute) = ((hour + 1) % 24, 0);
        }
    }
    [hour.to_string(), minute.to_string()]
}

fn turnout() -> [String; 2] {
    // The percentage, in tenths, that takes 48 to 54.
    let tenths = only((0..1000).filter(|tenths| 48 * (1000 + tenths) == 54 * 1000));
    [(54 - 48).to_string(), format!("{}.{}", tenths / 10, tenths % 10)]
}

fn lamp() -> String {
    // Every price in cents that ends at $83.20.
    let before = only((1..100_000_i64).filter(|price| price * 65 * 80 == 8320 * 100 * 100));
    assert_eq!(before % 100, 0);
    (before / 100).to_string()
}

fn ride() -> String {
    let minutes = 18 * 60 / 12 + 15 + 18 * 60 / 24;
    // Tenths of a kilometre per hour.
    let speed = only((1..1000).filter(|tenths| tenths * minutes == 36 * 60 * 10));
    format!("{}.{}", speed / 10, speed % 10)
}

fn orchard() -> String {
    let trees: Vec<i32> = [(140, 38), (95, 44), (180, 29)].into_iter().flat_map(|(n, kg)| vec![kg; n]).collect();
    let (sum, count) = (trees.iter().sum::<i32>(), i32::try_from(trees.len()).unwrap());
    let nearest = (0..1000).min_by_key(|tenths| (tenths * count - 10 * sum).abs()).unwrap();
    format!("{}.{}", nearest / 10, nearest % 10)
}

fn brine() -> String {
    only((0..1000).filter(|litres| 12 * 8 + litres * 20 == (12 + litres) * 11)).to_string()
}

fn office() -> String {
    let (tamm, pril) = ((2004, 31), (2004 - 3, 31 - 9));
    let osk = (2012, 2 * pril.1);
    let gant = (pril.0 - 5, osk.1 - 17);
    [gant, osk, pril, tamm].into_iter().min().unwrap().1.to_string()
}

fn francs() -> String {
    // In units of a ten-thousandth of a cent, so that rounding is a division.
    let rounded = |exact: i64, unit: i64| {
        assert_ne!(exact % unit * 2, unit, "no half cent, which could be rounded either way");
        (exact + unit / 2) / unit
    };
    let euros = rounded(246_000 * 10_637, 10_000);
    let fee = rounded(euros * 175, 10_000).max(4_800);
    assert_eq!(fee, 4_800, "the minimum applies");
    cents(euros - fee)
}

fn chip() -> String {
    // 24·10^8 switches, 15·10^5 flips, 4·10^-16 J: the powers of ten make 10^-3.
    let thousandths = 24_i64 * 15 * 4 * 3600;
    assert_eq!(thousandths % 1000, 0);
    (thousandths / 1000).to_string()
}

fn bench() -> [String; 3] {
    let names = ["Alma", "Bero", "Cleo", "Dirk", "Elsa", "Finn", "Greta"];
    let fits = |order: &Vec<&str>| {
        let seat = |name: &str| order.iter().position(|other| *other == name).unwrap();
        let apart = |a: &str, b: &str| seat(a).abs_diff(seat(b));
        let at_end = |name: &str| [0, 6].contains(&seat(name));
        apart("Alma", "Dirk") == 3
            && apart("Bero", "Elsa") == 1
            && seat("Cleo") < seat("Bero")
            && !at_end("Finn")
            && apart("Finn", "Greta") != 1
            && seat("Greta") > seat("Dirk")
            && apart("Cleo", "Finn") == 2
            && !at_end("Bero")
    };
    let order = only(orders(&names).into_iter().filter(fits));
    [order[0].to_owned(), order[3].to_owned(), order[6].to_owned()]
}
