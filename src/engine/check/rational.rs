//! Exact fractions, so that 1/3 is 1/3 and 0.1 + 0.2 is 0.3. Every operation that could overflow says so.

use std::{cmp::Ordering, fmt};

/// A reduced fraction with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rational {
    numerator: i128,
    denominator: i128,
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Rational {
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };

    /// `None` if the denominator is 0 or the value is out of range.
    pub fn new(numerator: i128, denominator: i128) -> Option<Self> {
        if denominator == 0 {
            return None;
        }
        let divisor = i128::try_from(gcd(numerator.unsigned_abs(), denominator.unsigned_abs())).ok()?.max(1);
        let (numerator, denominator) = (numerator / divisor, denominator / divisor);
        if denominator < 0 {
            return Some(Self { numerator: numerator.checked_neg()?, denominator: denominator.checked_neg()? });
        }
        Some(Self { numerator, denominator })
    }

    /// 10 to a power from -30 to 30.
    pub fn power_of_ten(exponent: i32) -> Option<Self> {
        let power = 10_i128.checked_pow(exponent.unsigned_abs()).filter(|_| exponent.abs() <= 30)?;
        if exponent < 0 { Self::new(1, power) } else { Self::new(power, 1) }
    }

    pub fn times(self, other: Self) -> Option<Self> {
        let numerator = self.numerator.checked_mul(other.numerator)?;
        Self::new(numerator, self.denominator.checked_mul(other.denominator)?)
    }

    pub fn plus(self, other: Self) -> Option<Self> {
        let left = self.numerator.checked_mul(other.denominator)?;
        let right = other.numerator.checked_mul(self.denominator)?;
        Self::new(left.checked_add(right)?, self.denominator.checked_mul(other.denominator)?)
    }

    pub fn negated(self) -> Self {
        Self { numerator: self.numerator.saturating_neg(), ..self }
    }

    /// Whether the two differ by at most `tolerance`; exact wherever the numbers fit, else by floating point.
    pub fn within(self, other: Self, tolerance: Self) -> bool {
        let exact = || {
            let gap = self.plus(other.negated())?;
            let gap = Self { numerator: gap.numerator.checked_abs()?, ..gap };
            let left = gap.numerator.checked_mul(tolerance.denominator)?;
            Some(left.cmp(&tolerance.numerator.checked_mul(gap.denominator)?) != Ordering::Greater)
        };
        exact().unwrap_or_else(|| (self.as_f64() - other.as_f64()).abs() <= tolerance.as_f64())
    }

    /// Whether this is less than another; exact wherever the numbers fit, else by floating point.
    pub fn below(self, other: Self) -> bool {
        other.plus(self.negated()).map_or_else(|| self.as_f64() < other.as_f64(), |gap| gap.numerator > 0)
    }

    pub fn as_f64(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            return write!(f, "{}", self.numerator);
        }
        write!(f, "{}/{}", self.numerator, self.denominator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_third_is_not_its_decimals() {
        let third = Rational::new(1, 3).unwrap();
        let decimals = Rational::new(333, 1000).unwrap();
        assert!(!third.within(decimals, Rational::ZERO));
        assert!(third.within(decimals, Rational::new(1, 1000).unwrap()));
        assert_eq!(Rational::new(-2, -6), Some(third));
        assert!(decimals.below(third) && !third.below(decimals) && !third.below(third));
    }

    #[test]
    fn what_does_not_fit_says_so() {
        assert_eq!(Rational::new(1, 0), None);
        assert_eq!(Rational::power_of_ten(31), None);
        let big = Rational::new(i128::MAX, 1).unwrap();
        assert_eq!(big.times(big), None);
        assert!(!big.within(Rational::ZERO, Rational::ZERO));
        assert_eq!(Rational::new(i128::MIN, i128::MIN), None, "cannot be reduced within the range");
    }
}
