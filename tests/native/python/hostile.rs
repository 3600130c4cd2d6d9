//! Programs that try to get out, to be taken for right, or to bring the host down. Each is a file in `hostile/`, asked for
//! `f(x)` that gives `x + 3`. Its first line says how many of the six cases it gets and words of a reason; a second line
//! `# fuel N` gives it N billions of fuel, 20 being the limit of real runs.

use std::{
    fmt::Write,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use benchloop::engine::{clock, python::Limits};

use super::{coding, judge, programs};

/// Billions of fuel for programs that use it up.
const FUEL: u64 = 2;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_hostile_program_is_taken_for_right_and_the_host_lives_on() {
    let coding =
        coding("f", &[("f(2)", "5"), ("f(3)", "6"), ("f(10)", "13"), ("f(0)", "3"), ("f(-3)", "0"), ("f(4)", "7")]);
    // a timer on the same threads, which a blocked one would stop
    let (over, latest) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
    let ticking = tokio::spawn({
        let (over, latest) = (over.clone(), latest.clone());
        async move {
            while !over.load(Ordering::Relaxed) {
                let begun = clock::now();
                tokio::time::sleep(Duration::from_millis(50)).await;
                latest.fetch_max(clock::now().ms_since(begun) as u64, Ordering::Relaxed);
            }
        }
    });
    let (mut faults, mut told) = (String::new(), String::new());
    let programs = programs("hostile");

    for (name, text) in &programs {
        let mut lines = text.lines();
        let (right, words) = lines.next().unwrap().trim_start_matches("# ").split_once("/6").unwrap();
        let fuel =
            lines.next().and_then(|line| line.strip_prefix("# fuel ")).map_or(FUEL, |fuel| fuel.parse().unwrap());
        let limits = Limits { fuel: fuel * 1_000_000_000, ..Limits::default() };
        let begun = clock::now();
        let (verdict, outcome) = judge(&coding, &format!("```python\n{text}\n```"), limits).await;
        let found = verdict.parts.iter().take(6).filter(|part| part.score >= 1.0).count();
        let reasons: Vec<&str> = verdict.parts.iter().take(6).map(|part| part.why.as_str()).collect();
        if found.to_string() != right || !reasons.iter().any(|why| why.contains(words.trim())) {
            let _ = writeln!(faults, "{name}: {found}/6, expected {right}/6 and {:?}: {reasons:#?}", words.trim());
        }
        let fuel = outcome.map_or(0.0, |outcome| outcome.fuel_used as f64 / 1e9);
        let _ = writeln!(
            told,
            "{name}: {:.2} s, {fuel:.2} G, {found}/6 {}",
            clock::now().ms_since(begun) / 1000.0,
            reasons[0]
        );
    }

    over.store(true, Ordering::Relaxed);
    ticking.await.unwrap();
    println!("{told}");
    assert!(programs.len() >= 40, "{} programs", programs.len());
    assert!(faults.is_empty(), "{faults}");
    assert!(latest.load(Ordering::Relaxed) < 5_000, "a timer came {} ms late", latest.load(Ordering::Relaxed));
}
