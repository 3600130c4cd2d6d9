//! Spread and intervals. Every function says what it needs and answers `None` where that is missing. Intervals of one
//! run are here, two runs side by side in [`paired`], several trials of a task in [`trials`].

pub mod paired;
pub mod trials;

/// The middle value; the mean of the two middle ones for an even count. Ignores what is not finite.
pub fn median(values: &[f64]) -> Option<f64> {
    percentile(values, 0.5)
}

/// Linear interpolation between order statistics at `(n − 1)·q`, as numpy's default. `q` from 0 to 1.
pub fn percentile(values: &[f64], q: f64) -> Option<f64> {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    if sorted.is_empty() {
        return None;
    }
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() - 1) as f64 * q.clamp(0.0, 1.0);
    let (low, high) = (rank.floor() as usize, rank.ceil() as usize);
    Some(sorted[low] + (sorted[high] - sorted[low]) * (rank - low as f64))
}

/// Median absolute deviation from the median, unscaled.
pub fn mad(values: &[f64]) -> Option<f64> {
    let middle = median(values)?;
    let away: Vec<f64> = values.iter().filter(|v| v.is_finite()).map(|v| (v - middle).abs()).collect();
    median(&away)
}

pub fn mean(values: &[f64]) -> Option<f64> {
    if values.is_empty() { None } else { Some(values.iter().sum::<f64>() / values.len() as f64) }
}

/// The 97.5 % point of the normal distribution, which makes two-sided 95 % intervals.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's 95 % score interval for a share, as (low, high) from 0 to 1. `hits` may be fractional: a sum of scores.
///
/// Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
pub fn wilson(hits: f64, n: usize) -> Option<(f64, f64)> {
    if n == 0 || !hits.is_finite() {
        return None;
    }
    let n = n as f64;
    let p = (hits / n).clamp(0.0, 1.0);
    let z2 = Z * Z;
    let middle = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    Some(((middle - half).max(0.0), (middle + half).min(1.0)))
}

/// A small generator with a fixed start, so that an interval is the same wherever it is computed (SplitMix64).
struct Draws(u64);

impl Draws {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        ((u128::from(z) * n as u128) >> 64) as usize
    }
}

/// Draws of the bootstrap over tasks.
pub const DRAWS: usize = 10_000;
/// Draws of the bootstrap of a median, whose every draw is sorted.
const MEDIAN_DRAWS: usize = 1_000;

/// 95 % percentile bootstrap of the mean of means: each stratum (a suite) is resampled by its tasks, and the strata's
/// means are averaged. A stratum holds one value per task, 0 to 1, already averaged over its trials. Strata without
/// variance contribute their mean; if no stratum has any, the answer is Wilson's interval over all tasks.
pub fn stratified_bootstrap(strata: &[Vec<f64>]) -> Option<(f64, f64)> {
    let strata: Vec<&Vec<f64>> = strata.iter().filter(|values| !values.is_empty()).collect();
    if strata.is_empty() {
        return None;
    }
    let varies = |values: &[f64]| values.iter().any(|v| (v - values[0]).abs() > 1e-12);
    if !strata.iter().any(|values| varies(values)) {
        let n = strata.iter().map(|values| values.len()).sum();
        return wilson(strata.iter().flat_map(|values| values.iter()).sum(), n);
    }
    let mut draws = Draws(0x5eed);
    let mut means = Vec::with_capacity(DRAWS);
    for _ in 0..DRAWS {
        let mut total = 0.0;
        for values in &strata {
            let sum: f64 = (0..values.len()).map(|_| values[draws.below(values.len())]).sum();
            total += sum / values.len() as f64;
        }
        means.push(total / strata.len() as f64);
    }
    Some((percentile(&means, 0.025)?, percentile(&means, 0.975)?))
}

/// 95 % percentile bootstrap of the median of single measurements, 1,000 draws; `None` below five.
pub fn bootstrap_median(values: &[f64]) -> Option<(f64, f64)> {
    let values: Vec<f64> = values.iter().copied().filter(|v| v.is_finite()).collect();
    if values.len() < 5 {
        return None;
    }
    let mut draws = Draws(0x5eed);
    let mut sample = vec![0.0; values.len()];
    let medians: Vec<f64> = (0..MEDIAN_DRAWS)
        .filter_map(|_| {
            sample.fill_with(|| values[draws.below(values.len())]);
            median(&sample)
        })
        .collect();
    Some((percentile(&medians, 0.025)?, percentile(&medians, 0.975)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: Option<f64>, b: f64) {
        assert!(a.is_some_and(|a| (a - b).abs() < 5e-4), "{a:?} is not {b}");
    }

    #[test]
    fn percentiles_are_those_of_the_existing_product() {
        near(percentile(&[10.0, 20.0, 30.0], 0.95), 29.0);
        near(percentile(&[10.0], 0.95), 10.0);
        near(percentile(&[10.0, 20.0, 30.0, 40.0], 0.95), 38.5);
        near(percentile(&[40.0, 10.0, 30.0, 20.0], 0.5), 25.0);
        assert_eq!(percentile(&[], 0.95), None);
        assert_eq!(percentile(&[f64::NAN], 0.5), None);
    }

    #[test]
    fn mad_of_a_textbook_list() {
        // 1 1 2 2 4 6 9: median 2, deviations 1 1 0 0 2 4 7, their median 1
        near(mad(&[1.0, 1.0, 2.0, 2.0, 4.0, 6.0, 9.0]), 1.0);
    }

    #[test]
    fn wilson_matches_published_values() {
        // 81 of 263: Newcombe, Statistics in Medicine 17 (1998), table I, method 3
        let (low, high) = wilson(81.0, 263).unwrap();
        near(Some(low), 0.2553);
        near(Some(high), 0.3662);
        // 0 of 20 and 1 of 29, same table
        near(Some(wilson(0.0, 20).unwrap().1), 0.1611);
        near(Some(wilson(1.0, 29).unwrap().0), 0.0061);
        near(Some(wilson(1.0, 29).unwrap().1), 0.1718);
    }

    #[test]
    fn a_suite_without_variance_takes_wilson_bounds() {
        let all_passed = stratified_bootstrap(&[vec![1.0; 10]]).unwrap();
        assert_eq!(all_passed, wilson(10.0, 10).unwrap());
        assert!(all_passed.0 < 1.0);
    }

    #[test]
    fn the_interval_of_a_median_is_narrower_than_the_range() {
        let speeds = [72.7, 73.3, 74.1, 74.2, 74.4, 74.8, 75.9, 77.4, 77.8, 77.8, 77.9, 78.2, 78.4, 78.7, 81.2];
        let (low, high) = bootstrap_median(&speeds).unwrap();
        assert!(72.7 < low && low < 77.4 && 77.4 < high && high < 81.2, "{low} to {high}");
        assert_eq!(bootstrap_median(&speeds[..4]), None);
    }

    #[test]
    fn the_bootstrap_is_repeatable_and_holds_the_mean() {
        let tasks = vec![1.0, 0.0, 1.0, 1.0, 0.9, 0.0, 1.0, 1.0];
        let mean = mean(&tasks).unwrap();
        let first = stratified_bootstrap(std::slice::from_ref(&tasks)).unwrap();
        assert_eq!(Some(first), stratified_bootstrap(&[tasks]));
        assert!(first.0 < mean && mean < first.1);
    }
}
