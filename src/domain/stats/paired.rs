//! Two runs of the same tasks, compared task by task.

use super::{DRAWS, Draws, mean, percentile};

/// Exact two-sided McNemar test: how likely a split of the discordant tasks at least this uneven is, if neither run were
/// better. `a` tasks passed only in the first run, `b` only in the second. 1 if there is no discordant task.
///
/// p = min(1, 2 · P(X ≤ min(a, b))) with X binomial over a + b fair draws. Source: Q. McNemar, Psychometrika 12 (1947), in
/// its exact binomial form.
pub fn mcnemar(a: u32, b: u32) -> f64 {
    let (n, least) = (f64::from(a) + f64::from(b), a.min(b));
    // each term from the one before it, in logarithms, so that thousands of tasks do not underflow
    let mut term = -n * std::f64::consts::LN_2;
    let mut tail = term.exp();
    for k in 1..=least {
        term += ((n - f64::from(k) + 1.0) / f64::from(k)).ln();
        tail += term.exp();
    }
    (2.0 * tail).min(1.0)
}

/// 95 % percentile bootstrap of the mean difference (second − first) over tasks that both runs have, 10,000 draws from a
/// fixed seed. Each pair holds a task's mean scores. Tasks are drawn within their stratum (suite), and the strata's means
/// are averaged, as quality is. `None` without a pair.
pub fn paired_bootstrap(strata: &[Vec<(f64, f64)>]) -> Option<(f64, f64)> {
    let strata: Vec<Vec<f64>> = strata
        .iter()
        .filter(|pairs| !pairs.is_empty())
        .map(|pairs| pairs.iter().map(|(first, second)| second - first).collect())
        .collect();
    if strata.is_empty() {
        return None;
    }
    let mut draws = Draws(0x5eed);
    let mut means = Vec::with_capacity(DRAWS);
    for _ in 0..DRAWS {
        let drawn = strata.iter().map(|differences| {
            let sum: f64 = (0..differences.len()).map(|_| differences[draws.below(differences.len())]).sum();
            sum / differences.len() as f64
        });
        means.push(mean(&drawn.collect::<Vec<_>>())?);
    }
    Some((percentile(&means, 0.025)?, percentile(&means, 0.975)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mcnemar_is_exact() {
        // computed as rational numbers: 2 · Σ C(n, i) / 2^n, i up to the smaller count
        let cases = [
            (0, 0, 1.0),
            (1, 0, 1.0),
            (5, 0, 0.0625),
            (6, 0, 0.03125),
            (9, 2, 134.0 / 2048.0),
            (2, 9, 134.0 / 2048.0),
            (12, 4, 5034.0 / 65536.0),
            (7, 7, 1.0),
            (10, 3, 756.0 / 8192.0),
        ];
        for (a, b, expected) in cases {
            let p = mcnemar(a, b);
            assert!((p - expected).abs() < 1e-12, "{a} against {b}: {p}, not {expected}");
        }
        // 2 · Σ_{i ≤ 900} C(2000, i) / 2^2000 as a rational number, rounded
        assert!((mcnemar(900, 1100) - 8.457_089_535_503_927e-6).abs() < 1e-14, "{}", mcnemar(900, 1100));
    }

    #[test]
    fn the_paired_bootstrap_meets_its_exact_distribution() {
        // four differences 0, 0, 0, 1: the mean of four draws is binomial(4, 1/4) / 4; its 2.5 % point is 0 and its
        // 97.5 % point 0.75, because P(X ≤ 2) = 0.949 and P(X ≤ 3) = 0.996
        let pairs = vec![(1.0, 1.0), (0.0, 0.0), (0.5, 0.5), (0.0, 1.0)];
        assert_eq!(paired_bootstrap(&[pairs]), Some((0.0, 0.75)));
        // 100 pairs of which 30 gain and 10 lose: mean 0.2, standard deviation 0.6, so about 0.2 ± 1.96 · 0.06
        let mut pairs = vec![(0.0, 1.0); 30];
        pairs.extend([(1.0, 0.0); 10]);
        pairs.extend([(1.0, 1.0); 60]);
        let (low, high) = paired_bootstrap(&[pairs]).unwrap();
        assert!((low - 0.0824).abs() < 0.011 && (high - 0.3176).abs() < 0.011, "{low} to {high}");
    }

    #[test]
    fn equal_runs_have_no_difference() {
        assert_eq!(paired_bootstrap(&[vec![(0.4, 0.4); 12], vec![]]), Some((0.0, 0.0)));
        assert_eq!(paired_bootstrap(&[vec![], vec![]]), None);
    }

    #[test]
    fn a_small_suite_weighs_as_much_as_a_large_one() {
        let (low, high) = paired_bootstrap(&[vec![(0.0, 1.0); 2], vec![(0.0, 0.0); 50]]).unwrap();
        assert_eq!((low, high), (0.5, 0.5));
    }
}
