//! Every key of reasonmath, worked out from the problem's own data and compared with the task file.

mod counting;
mod stories;

use std::collections::BTreeMap;

use benchloop::{
    domain::id::SuiteId,
    engine::{check::Check, suite},
};
use chrono::{Datelike, Days, NaiveDate};

/// Task, part and right answer, as the task file writes it.
type Key = (&'static str, &'static str, String);

/// Task and part → right answer, as the task file writes it.
fn computed() -> BTreeMap<(&'static str, String), String> {
    let mut keys = BTreeMap::new();
    let mut one = |task, key: String| keys.insert((task, "answer".to_owned()), key);
    one("market-eggs", (14 * 5 - 46).to_string());
    one("notebook-change", cents(1000 - (3 * 235 + 120)));
    one("shortest-friend", shortest_friend());
    one("cycling-pupils", (14 * 100 / 40).to_string());
    one("leaking-tank", ((480 - 60) / (18 - 4)).to_string());
    one("bicycle-discounts", bicycle());
    one("same-colour-marbles", marbles());
    one("missing-ring", missing_ring());
    one("loan-balance", loan());
    one("coin-ways", coin_ways(100, &[5, 10, 20, 50]).to_string());
    for (part, key) in two_trains() {
        keys.insert(("two-trains", part.to_owned()), key);
    }
    for (part, key) in pump() {
        keys.insert(("pump-service", part.to_owned()), key);
    }
    for (task, part, key) in counting::keys().into_iter().chain(stories::keys()) {
        keys.insert((task, part.to_owned()), key);
    }
    keys
}

fn cents(amount: i64) -> String {
    format!("{}.{:02}", amount / 100, amount % 100)
}

fn shortest_friend() -> String {
    let names = ["Mara", "Ivo", "Petra", "Jonas"];
    // All orders of heights, kept where the three statements hold.
    let mut shortest = Vec::new();
    for code in 0..256_u32 {
        let height: Vec<u32> = (0..4).map(|i| code >> (2 * i) & 3).collect();
        let different = (0..4).all(|i| (0..i).all(|j| height[i] != height[j]));
        if different && height[0] > height[1] && height[2] < height[1] && height[3] > height[0] {
            shortest.extend((0..4).min_by_key(|i| height[*i]));
        }
    }
    assert_eq!(shortest.len(), 1);
    names[shortest[0]].to_owned()
}

fn bicycle() -> String {
    // In hundred-thousandths of a dollar, so that nothing is rounded before the end.
    let exact = 64_000_i64 * 85 * 90 * 108;
    cents((exact + 500_000) / 1_000_000)
}

fn marbles() -> String {
    let bag: Vec<u8> = [vec![0; 5], vec![1; 3], vec![2; 2]].concat();
    let pairs = || (0..bag.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
    let same = pairs().filter(|(i, j)| bag[*i] == bag[*j]).count();
    format!("{same}/{}", pairs().count())
}

fn missing_ring() -> String {
    let names = ["Ana", "Ben", "Carla", "Dan", "Emil"];
    let three_true = |thief: &&str| {
        let ana = ["Ben", "Carla"].contains(thief);
        let ben = !["Emil", "Ben"].contains(thief);
        let carla = !ana && !ben;
        let dan = ["Ana", "Emil"].contains(thief);
        let emil = ana != ben;
        [ana, ben, carla, dan, emil].into_iter().filter(|is_true| *is_true).count() == 3
    };
    let thieves: Vec<&str> = names.into_iter().filter(three_true).collect();
    assert_eq!(thieves.len(), 1, "the puzzle has one solution");
    thieves[0].to_owned()
}

fn loan() -> String {
    let mut balance = 627_000_i64;
    for _ in 0..8 {
        let thousandths = balance * 15;
        assert_ne!(thousandths % 1000, 500, "no half cent, which could be rounded either way");
        balance += (thousandths + 500) / 1000 - 64_000;
    }
    cents(balance)
}

fn coin_ways(amount: usize, coins: &[usize]) -> u64 {
    let mut ways = vec![0; amount + 1];
    ways[0] = 1;
    for coin in coins {
        for sum in *coin..=amount {
            ways[sum] += ways[sum - coin];
        }
    }
    ways[amount]
}

fn two_trains() -> Vec<(&'static str, String)> {
    // Minute by minute, in sixtieths of a kilometre.
    let minute = (0..600).find(|minute| 80 * minute + 100 * (minute - 30).max(0) >= 310 * 60).unwrap();
    assert_eq!(80 * minute + 100 * (minute - 30), 310 * 60, "they meet on the full minute");
    vec![("minutes", minute.to_string()), ("km", (80 * minute / 60).to_string())]
}

fn pump() -> Vec<(&'static str, String)> {
    let first = NaiveDate::from_ymd_opt(2028, 2, 14).unwrap();
    assert_eq!(first.weekday(), chrono::Weekday::Mon);
    let ninth = first + Days::new(45 * 8);
    let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    vec![
        ("weekday", names[ninth.weekday().num_days_from_monday() as usize].to_owned()),
        ("day", ninth.day().to_string()),
        ("month", ninth.month().to_string()),
        ("year", ninth.year().to_string()),
    ]
}

#[test]
fn every_key_is_the_computed_one() {
    let suites = suite::load().unwrap();
    let mut written = BTreeMap::new();
    for task in &suites.suite(SuiteId::Reasonmath).unwrap().tasks {
        let mut add = |part: &str, key: &str| written.insert((task.id.as_str(), part.to_owned()), key.to_owned());
        match task.check().unwrap() {
            Check::Number(key) => drop(add("answer", &key.expected)),
            Check::Choice(key) => drop(add("answer", &key.expected)),
            Check::Values(fields) => {
                for field in fields {
                    let number = field.number.as_ref().map(|key| &key.expected);
                    let choice = field.choice.as_ref().map(|key| &key.expected);
                    add(&field.key, number.or(choice).unwrap());
                }
            }
            _ => panic!("{} is no reasoning task", task.id),
        }
    }
    assert_eq!(written, computed());
}
