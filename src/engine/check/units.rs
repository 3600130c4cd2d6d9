//! The units that people write behind a number, so that another unit is told from a remark, and `2 h 30 min` is one
//! quantity.
//!
//! Imports: `check::rational`.

use super::rational::Rational;

/// What a unit measures. Sizes compare only within one of these.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    Time,
    Length,
    Mass,
    Volume,
    Money,
    /// Sizes do not matter: no one writes these in two parts.
    Other,
}

use Measure::{Length, Mass, Money, Other, Time, Volume};

/// Spelling, measure, size in the smallest unit of that measure. One of these that a key does not list is another unit.
const KNOWN: &[(&str, Measure, i128)] = &[
    ("seconds", Time, 1),
    ("second", Time, 1),
    ("secs", Time, 1),
    ("sec", Time, 1),
    ("s", Time, 1),
    ("minutes", Time, 60),
    ("minute", Time, 60),
    ("mins", Time, 60),
    ("min", Time, 60),
    ("hours", Time, 3600),
    ("hour", Time, 3600),
    ("hrs", Time, 3600),
    ("hr", Time, 3600),
    ("h", Time, 3600),
    ("days", Time, 86_400),
    ("day", Time, 86_400),
    ("weeks", Time, 604_800),
    ("week", Time, 604_800),
    ("months", Other, 1),
    ("month", Other, 1),
    ("years", Other, 1),
    ("year", Other, 1),
    ("pm", Other, 1),
    ("p.m.", Other, 1),
    ("am", Other, 1),
    ("a.m.", Other, 1),
    ("mm", Length, 1),
    ("millimetres", Length, 1),
    ("millimeters", Length, 1),
    ("cm", Length, 10),
    ("centimetres", Length, 10),
    ("centimeters", Length, 10),
    ("m", Length, 1000),
    ("metres", Length, 1000),
    ("meters", Length, 1000),
    ("metre", Length, 1000),
    ("meter", Length, 1000),
    ("km", Length, 1_000_000),
    ("kilometres", Length, 1_000_000),
    ("kilometers", Length, 1_000_000),
    ("kilometre", Length, 1_000_000),
    ("kilometer", Length, 1_000_000),
    ("miles", Other, 1),
    ("mile", Other, 1),
    ("feet", Other, 1),
    ("ft", Other, 1),
    ("m²", Other, 1),
    ("m^2", Other, 1),
    ("m2", Other, 1),
    ("m³", Other, 1),
    ("m^3", Other, 1),
    ("cm²", Other, 1),
    ("cm^2", Other, 1),
    ("cm³", Other, 1),
    ("cm^3", Other, 1),
    ("km²", Other, 1),
    ("km^2", Other, 1),
    ("square metres", Other, 1),
    ("square meters", Other, 1),
    ("square centimetres", Other, 1),
    ("square centimeters", Other, 1),
    ("cubic metres", Other, 1),
    ("cubic meters", Other, 1),
    ("hectares", Other, 1),
    ("ha", Other, 1),
    ("km/h", Other, 1),
    ("kmh", Other, 1),
    ("kph", Other, 1),
    ("mph", Other, 1),
    ("m/s", Other, 1),
    ("m/min", Other, 1),
    ("miles per hour", Other, 1),
    ("km per hour", Other, 1),
    ("kilometres per hour", Other, 1),
    ("kilometers per hour", Other, 1),
    ("metres per second", Other, 1),
    ("meters per second", Other, 1),
    ("mg", Mass, 1),
    ("g", Mass, 1000),
    ("grams", Mass, 1000),
    ("gram", Mass, 1000),
    ("kg", Mass, 1_000_000),
    ("kilograms", Mass, 1_000_000),
    ("kilogram", Mass, 1_000_000),
    ("kilos", Mass, 1_000_000),
    ("tonnes", Mass, 1_000_000_000),
    ("tons", Other, 1),
    ("lb", Other, 1),
    ("lbs", Other, 1),
    ("pounds", Other, 1),
    ("ml", Volume, 1),
    ("millilitres", Volume, 1),
    ("milliliters", Volume, 1),
    ("cl", Volume, 10),
    ("l", Volume, 1000),
    ("litres", Volume, 1000),
    ("liters", Volume, 1000),
    ("litre", Volume, 1000),
    ("liter", Volume, 1000),
    ("gallons", Other, 1),
    ("j", Other, 1),
    ("joules", Other, 1),
    ("joule", Other, 1),
    ("kj", Other, 1),
    ("mj", Other, 1),
    ("kilojoules", Other, 1),
    ("kcal", Other, 1),
    ("w", Other, 1),
    ("watts", Other, 1),
    ("watt", Other, 1),
    ("kw", Other, 1),
    ("wh", Other, 1),
    ("kwh", Other, 1),
    ("°c", Other, 1),
    ("°f", Other, 1),
    ("degrees celsius", Other, 1),
    ("degrees fahrenheit", Other, 1),
    ("fahrenheit", Other, 1),
    ("kelvin", Other, 1),
    ("k", Other, 1),
    ("cents", Money, 1),
    ("cent", Money, 1),
    ("¢", Money, 1),
    ("pence", Money, 1),
    ("dollars", Money, 100),
    ("dollar", Money, 100),
    ("usd", Money, 100),
    ("$", Money, 100),
    ("euros", Money, 100),
    ("euro", Money, 100),
    ("eur", Money, 100),
    ("€", Money, 100),
    ("gbp", Money, 100),
    ("£", Money, 100),
    ("francs", Money, 100),
    ("chf", Money, 100),
    ("yen", Other, 1),
    ("¥", Other, 1),
    ("‰", Other, 1),
    ("per mille", Other, 1),
    ("permille", Other, 1),
    ("percentage points", Other, 1),
    ("percentage point", Other, 1),
    ("points", Other, 1),
    ("point", Other, 1),
    ("pp", Other, 1),
    ("p.p.", Other, 1),
    ("rupees", Other, 1),
    ("₹", Other, 1),
];

/// A unit at the start of a text.
#[derive(Debug, PartialEq)]
pub(super) struct Unit<'a> {
    /// As the key or the table spells it, with what makes another unit of it: `eggs/day`.
    pub name: String,
    /// Whether the key lists it.
    pub own: bool,
    pub after: &'a str,
}

/// What follows a unit at the start of a text, in any case; `None` where the text starts with another word.
pub(super) fn without<'a>(text: &'a str, unit: &str) -> Option<&'a str> {
    let head = text.get(..unit.len())?;
    let after = &text[unit.len()..];
    // `cmx` is no `cm`, and the `$` in `$5` belongs to what follows.
    let ends = if unit.ends_with(char::is_alphanumeric) {
        !after.starts_with(char::is_alphanumeric)
    } else {
        !after.starts_with(|c: char| c.is_ascii_digit())
    };
    (head.to_lowercase() == unit.to_lowercase() && ends).then_some(after)
}

/// The longest unit at the start of a text, among the key's own and the known ones. A unit that goes on, as in `m/s` or
/// `litres per minute`, is another unit.
pub(super) fn read<'a>(text: &'a str, own: &[String]) -> Option<Unit<'a>> {
    let ours = own.iter().filter_map(|unit| Some((unit.as_str(), true, without(text, unit)?)));
    let others = KNOWN.iter().filter_map(|(unit, ..)| Some((*unit, false, without(text, unit)?)));
    let (name, own, after) = ours.chain(others).max_by_key(|(name, own, _)| (name.len(), *own))?;
    let Some((rate, rest)) = rate(after) else { return Some(Unit { name: name.to_owned(), own, after }) };
    Some(Unit { name: format!("{name}{rate}"), own: false, after: rest })
}

/// `/day`, `²`, `^3` or ` per day` behind a unit, and what follows it.
fn rate(after: &str) -> Option<(&str, &str)> {
    if after.starts_with(['²', '³', '^']) || after.starts_with('/') && after[1..].starts_with(char::is_alphabetic) {
        let end = after.find(|c: char| c.is_whitespace() || ",;.".contains(c)).unwrap_or(after.len());
        return Some(after.split_at(end));
    }
    let word = after.strip_prefix(" per ")?;
    let length = word.find(|c: char| !c.is_alphabetic()).unwrap_or(word.len());
    (length > 0).then(|| after.split_at(" per ".len() + length))
}

fn measure(unit: &str) -> Option<(Measure, i128)> {
    let unit = unit.to_lowercase();
    KNOWN.iter().find(|(known, ..)| *known == unit).map(|(_, measure, size)| (*measure, *size))
}

/// How many of `whole` one `part` is, where `part` is a smaller unit of the same measure.
pub(super) fn share(whole: &str, part: &str) -> Option<Rational> {
    let ((measure_of_whole, whole), (measure_of_part, part)) = (measure(whole)?, measure(part)?);
    if measure_of_whole != measure_of_part || measure_of_whole == Other || part >= whole {
        return None;
    }
    Rational::new(part, whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_unit_counts_and_a_rate_is_another_unit() {
        let own = ["m".to_owned(), "degrees".to_owned(), "kg per tree".to_owned(), "eggs".to_owned()];
        for (text, name, is_own) in [
            ("m long", "m", true),
            ("M", "m", true),
            ("m²", "m²", false),
            ("m/s", "m/s", false),
            ("m/day", "m/day", false),
            ("metres", "metres", false),
            ("degrees", "degrees", true),
            ("degrees Fahrenheit", "degrees fahrenheit", false),
            ("kg per tree", "kg per tree", true),
            ("eggs per day", "eggs per day", false),
            ("eggs per basket", "eggs per basket", false),
            ("eggs/day", "eggs/day", false),
        ] {
            let unit = read(text, &own).unwrap();
            assert_eq!((unit.name.as_str(), unit.own), (name, is_own), "{text}");
        }
        assert_eq!(read("more", &own), None);
    }

    #[test]
    fn a_part_is_smaller_than_its_whole() {
        assert_eq!(share("h", "minutes"), Rational::new(1, 60));
        assert_eq!(share("EUR", "cents"), Rational::new(1, 100));
        assert_eq!(share("minutes", "hours"), None);
        assert_eq!(share("hours", "cm"), None);
        assert_eq!(share("eggs", "cm"), None);
    }
}
