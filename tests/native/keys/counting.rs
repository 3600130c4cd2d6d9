//! Keys that are found by trying everything, or by following the story step by step.

use std::collections::{BTreeMap, BTreeSet};

use super::Key;

pub fn keys() -> Vec<Key> {
    let [none, single] = club();
    let [tenth, sum] = chain();
    let [worth, weight] = van();
    let [left, lost, orders] = kiosk();
    let [east, north, facing] = drone();
    vec![
        ("village-run-cups", "answer", cups()),
        ("two-printers", "answer", printers()),
        ("club-of-three-sports", "none", none),
        ("club-of-three-sports", "single", single),
        ("five-boxes", "answer", boxes()),
        ("path-around-the-bed", "answer", path()),
        ("stamp-rows", "answer", stamps()),
        ("two-mechanics", "answer", mechanics()),
        ("letters-apart", "answer", letters()),
        ("chain-of-remainders", "tenth", tenth),
        ("chain-of-remainders", "sum", sum),
        ("full-van", "worth", worth),
        ("full-van", "weight", weight),
        ("kiosk-stock", "left", left),
        ("kiosk-stock", "lost", lost),
        ("kiosk-stock", "orders", orders),
        ("drone-flight", "east", east),
        ("drone-flight", "north", north),
        ("drone-flight", "facing", facing),
        ("base-seven-crates", "answer", crates()),
    ]
}

/// All orders of some things.
pub fn orders<T: Copy>(things: &[T]) -> Vec<Vec<T>> {
    if things.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (index, first) in things.iter().enumerate() {
        let rest = [&things[..index], &things[index + 1..]].concat();
        all.extend(orders(&rest).into_iter().map(|order| [vec![*first], order].concat()));
    }
    all
}

/// The one element.
#[track_caller]
pub fn only<T>(found: impl IntoIterator<Item = T>) -> T {
    let mut found = found.into_iter();
    let first = found.next().expect("there is a solution");
    assert!(found.next().is_none(), "there is one solution");
    first
}

fn cups() -> String {
    // Cup by cup, in millilitres.
    let (mut water, mut cups) = ((0..6).map(|_| 1750).sum::<i32>(), 0);
    while water >= 250 {
        water -= 250;
        cups += 1;
    }
    assert_eq!(water, 0);
    cups.to_string()
}

fn printers() -> String {
    // A stack of 120 units: 3 and 2 units per minute.
    let (mut done, mut minute) = (0, 0);
    while done < 120 {
        done += if minute < 10 { 3 } else { 5 };
        minute += 1;
    }
    assert_eq!(done, 120);
    minute.to_string()
}

fn club() -> [String; 2] {
    // The region of each member as three bits: rows, sails, swims. All sizes of regions that fit what is told.
    let told = [(0b100, 62), (0b010, 47), (0b001, 38), (0b110, 21), (0b101, 17), (0b011, 14), (0b111, 9)];
    let mut region = [0_i32; 8];
    for wide in [3, 2, 1] {
        for (bits, members) in told.into_iter().filter(|(bits, _): &(usize, i32)| bits.count_ones() == wide) {
            let within: i32 = (0..8).filter(|other| other != &bits && other & bits == bits).map(|o| region[o]).sum();
            region[bits] = members - within;
        }
    }
    region[0] = 120 - region.iter().sum::<i32>();
    assert!(region.iter().all(|members| *members >= 0), "the story can be: {region:?}");
    for (bits, members) in told {
        assert_eq!((0..8).filter(|other| other & bits == bits).map(|other| region[other]).sum::<i32>(), members);
    }
    [region[0].to_string(), (region[0b100] + region[0b010] + region[0b001]).to_string()]
}

fn boxes() -> String {
    let mut row = vec!["red", "blue", "green", "yellow", "white"];
    let place = |row: &[&str], colour: &str| row.iter().position(|other| *other == colour).unwrap();
    row.swap(0, 3);
    row.swap(1, 4);
    let third = row.remove(2);
    row.insert(0, third);
    let (blue, red) = (place(&row, "blue"), place(&row, "red"));
    row.swap(blue, red);
    row.swap(1, 2);
    let last = row.pop().unwrap();
    row.insert(1, last);
    row.swap(0, 2);
    row[1].to_owned()
}

fn path() -> String {
    // In squares of half a metre: those within 1.5 m of the bed, but not on it.
    let on_bed = |x: i32, y: i32| (0..36).contains(&x) && (0..24).contains(&y);
    let near = |x: i32, y: i32| (-3..39).contains(&x) && (-3..27).contains(&y);
    let squares = (-10..50).flat_map(|x| (-10..40).map(move |y| (x, y)));
    let squares = squares.filter(|(x, y)| near(*x, *y) && !on_bed(*x, *y)).count();
    assert_eq!(squares % 4, 0);
    (squares / 4).to_string()
}

fn stamps() -> String {
    let fits = |n: &u32| [(7, 3), (11, 5), (13, 9), (17, 4)].into_iter().all(|(row, over)| n % row == over);
    only((0..10_000).filter(fits)).to_string()
}

fn mechanics() -> String {
    let hours: BTreeMap<char, u32> =
        [('A', 9), ('B', 2), ('C', 8), ('D', 2), ('E', 6), ('F', 7), ('G', 6)].into_iter().collect();
    let needs = BTreeMap::from([('C', "AB"), ('D', "A"), ('E', "D"), ('F', "D"), ('G', "DEF")]);
    let needs = |job: char| needs.get(&job).copied().unwrap_or("");
    // Some best plan starts the jobs in some order, each as soon as a mechanic and what it needs are there.
    let jobs: Vec<char> = hours.keys().copied().collect();
    let plan = |order: Vec<char>| {
        let mut free = [0, 0];
        let mut ends: BTreeMap<char, u32> = BTreeMap::new();
        for job in order {
            let ready = needs(job).chars().map(|need| ends.get(&need).copied()).collect::<Option<Vec<u32>>>()?;
            free.sort_unstable();
            let start = ready.into_iter().chain([free[0]]).max()?;
            free[0] = start + hours[&job];
            ends.insert(job, free[0]);
        }
        ends.into_values().max()
    };
    orders(&jobs).into_iter().filter_map(plan).min().unwrap().to_string()
}

fn letters() -> String {
    fn count(left: &mut BTreeMap<char, u32>, last: char) -> u64 {
        let letters: Vec<char> = left.iter().filter(|(_, n)| **n > 0).map(|(letter, _)| *letter).collect();
        if letters.is_empty() {
            return 1;
        }
        let mut ways = 0;
        for letter in letters.into_iter().filter(|letter| *letter != last) {
            *left.get_mut(&letter).unwrap() -= 1;
            ways += count(left, letter);
            *left.get_mut(&letter).unwrap() += 1;
        }
        ways
    }
    let mut left = BTreeMap::new();
    for letter in "PARAMETER".chars() {
        *left.entry(letter).or_insert(0) += 1;
    }
    count(&mut left, ' ').to_string()
}

fn chain() -> [String; 2] {
    let numbers: Vec<u32> = std::iter::successors(Some(17), |x| Some(x * (x + 3) % 101)).take(10).collect();
    assert_eq!(numbers[1], 37, "the example in the prompt");
    [numbers[9].to_string(), numbers.iter().sum::<u32>().to_string()]
}

fn van() -> [String; 2] {
    let tools = [(14, 92), (19, 118), (23, 149), (11, 67), (8, 55), (31, 203), (27, 171), (5, 27)];
    let loads = (0..256_usize).map(|load| {
        let taken = (0..8).filter(|tool| load >> tool & 1 == 1).map(|tool| tools[tool]);
        taken.fold((0, 0), |(worth, weight), tool| (worth + tool.1, weight + tool.0))
    });
    let loads: Vec<(i32, i32)> = loads.filter(|(_, weight)| *weight <= 70).collect();
    let best = loads.iter().map(|(worth, _)| *worth).max().unwrap();
    let weight = only(loads.iter().filter(|(worth, _)| *worth == best).map(|(_, weight)| *weight));
    [best.to_string(), weight.to_string()]
}

fn kiosk() -> [String; 3] {
    let (mut stock, mut lost, mut orders) = (48_u32, 0, 0);
    let mut due: BTreeSet<usize> = BTreeSet::new();
    for (day, wanted) in (1..).zip([17, 14, 23, 9, 26, 18, 31, 21, 12, 19]) {
        if due.remove(&day) {
            stock += 45;
        }
        let sold = stock.min(wanted);
        stock -= sold;
        lost += wanted - sold;
        if stock < 20 && due.is_empty() {
            due.insert(day + 2);
            orders += 1;
        }
    }
    [stock.to_string(), lost.to_string(), orders.to_string()]
}

fn drone() -> [String; 3] {
    // Heading as a step (east, north); a right turn sends (x, y) to (y, -x).
    let (mut at, mut nose) = ((0, 0), (0, 1));
    let orders = "forward 120; right; forward 90; right; forward 40; left; backward 30; right; forward 150; around; left; \
                  forward 210; right; backward 25; left; forward 35";
    for order in orders.split("; ") {
        let (word, metres) = order.split_once(' ').unwrap_or((order, "0"));
        let metres: i32 = metres.parse().unwrap();
        let (x, y) = nose;
        match word {
            "right" => nose = (y, -x),
            "left" => nose = (-y, x),
            "around" => nose = (-x, -y),
            "forward" => at = (at.0 + metres * x, at.1 + metres * y),
            "backward" => at = (at.0 - metres * x, at.1 - metres * y),
            _ => panic!("{word} is no order"),
        }
    }
    let facing = match nose {
        (0, 1) => "north",
        (1, 0) => "east",
        (0, -1) => "south",
        _ => "west",
    };
    [at.0.to_string(), at.1.to_string(), facing.to_owned()]
}

fn crates() -> String {
    // Counted up in base seven, digit by digit.
    let read = |text: &str| u32::from_str_radix(text, 7).unwrap();
    let mut lamps = Vec::from([0_u8]);
    for _ in 0..read("364") * read("25") - read("2635") {
        let mut digit = 0;
        loop {
            if digit == lamps.len() {
                lamps.push(0);
            }
            lamps[digit] += 1;
            if lamps[digit] < 7 {
                break;
            }
            lamps[digit] = 0;
            digit += 1;
        }
    }
    lamps.iter().rev().map(u8::to_string).collect()
}
