//! From data to positions: scales and ticks. Charts draw in percent of their plot, so a position is a percentage.

/// A linear scale from 0 to `top`, which is a round number at or above the data.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    pub top: f64,
    step: f64,
}

impl Scale {
    /// Covers values up to `max` with four to six ticks; 0 to 1 where there is nothing above 0.
    pub fn covering(max: f64) -> Self {
        if !(max.is_finite() && max > 0.0) {
            return Self { top: 1.0, step: 0.25 };
        }
        let raw = max / 5.0;
        let magnitude = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 2.5, 5.0, 10.0].into_iter().map(|m| m * magnitude).find(|step| *step >= raw * 0.999);
        let step = step.unwrap_or(10.0 * magnitude);
        Self { top: (max / step).ceil() * step, step }
    }

    /// The ticks from 0 to the top.
    pub fn ticks(&self) -> Vec<f64> {
        let count = (self.top / self.step).round() as u32;
        (0..=count).map(|i| f64::from(i) * self.step).collect()
    }

    /// Where a value lies, 0 to 100 percent of the way to the top.
    pub fn percent(&self, value: f64) -> f64 {
        (value / self.top * 100.0).clamp(0.0, 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach_over_the_data() {
        assert_eq!(Scale::covering(71.8).ticks(), [0.0, 20.0, 40.0, 60.0, 80.0]);
        assert_eq!(Scale::covering(3120.0).ticks(), [0.0, 1000.0, 2000.0, 3000.0, 4000.0]);
        assert_eq!(Scale::covering(0.0).top, 1.0);
        assert_eq!(Scale::covering(f64::NAN).top, 1.0);
    }

    #[test]
    fn positions_are_percentages_of_the_top() {
        assert_eq!(Scale::covering(80.0).percent(40.0), 50.0);
        assert_eq!(Scale::covering(80.0).percent(1e9), 100.0);
    }
}
