//! Which call made was meant for which call expected: the assignment that earns most, each call used once. Pure and
//! deterministic.
//!
//! Imports: std.

/// The most calls that a plan may expect; the work doubles with each.
pub const MOST: usize = 8;

/// For each expected call, the index of the call taken for it. `fits[expected][made]` is what the pair earns, 0 to 1, or
/// `None` if they are of different tools. Of equal assignments, the one with the earlier calls.
pub fn best(fits: &[Vec<Option<f64>>]) -> Vec<Option<usize>> {
    let made = fits.first().map_or(0, Vec::len);
    let all = 1_usize << fits.len().min(MOST);
    // per set of expected calls that have theirs: points, and who has which
    let mut reached: Vec<Option<(f64, Vec<Option<usize>>)>> = vec![None; all];
    reached[0] = Some((0.0, vec![None; fits.len()]));
    for call in 0..made {
        let before = reached.clone();
        for (set, state) in before.iter().enumerate() {
            let Some((points, taken)) = state else { continue };
            for (expected, row) in fits.iter().enumerate().take(MOST) {
                let with = set | (1 << expected);
                let Some(earned) = row.get(call).copied().flatten().filter(|_| with != set) else { continue };
                // a call of the right tool that earns nothing is still the attempt, and no other call
                let points = points + earned + 1e-6;
                if reached[with].as_ref().is_none_or(|(most, _)| points > *most + 1e-9) {
                    let mut taken = taken.clone();
                    taken[expected] = Some(call);
                    reached[with] = Some((points, taken));
                }
            }
        }
    }
    let mut best: (f64, Vec<Option<usize>>) = (0.0, vec![None; fits.len()]);
    for (points, taken) in reached.into_iter().flatten() {
        if points > best.0 + 1e-9 {
            best = (points, taken);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_pairs_win_over_the_first() {
        let fits = [vec![Some(0.5), Some(1.0), None], vec![Some(0.0), Some(1.0), None]];
        assert_eq!(best(&fits), [Some(0), Some(1)]);
        let crossed = [vec![Some(0.5), Some(1.0)], vec![Some(1.0), Some(0.5)]];
        assert_eq!(best(&crossed), [Some(1), Some(0)]);
    }

    #[test]
    fn a_call_serves_once_and_the_earlier_of_equals_is_taken() {
        assert_eq!(best(&[vec![Some(1.0), Some(1.0)]]), [Some(0)]);
        assert_eq!(best(&[vec![Some(1.0)], vec![Some(1.0)]]).iter().flatten().count(), 1);
        assert_eq!(best(&[vec![None], vec![Some(0.0)]]), [None, Some(0)]);
        assert_eq!(best(&[vec![], vec![]]), [None, None]);
    }
}
