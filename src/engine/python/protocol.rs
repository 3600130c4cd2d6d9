//! What the driver reads and writes: tasks as Python literals, results as lines, each in its place. A line that is
//! unknown, out of order or there twice means that the program wrote into the results, and nothing of it counts.
//!
//! ```text
//! T<n>                     program n is compiled next
//! X<n> <class> <message> <bases>   it does not compile
//! N                        there is no program
//! P<n>,<n>                 these are loaded, in this order
//! L<class> <message> <bases>       loading raised
//! M                        they do not define the name
//! D                        they do
//! C<n>                     case n begins
//! S<n> <class> <message> <bases>   its set-up raised
//! E<n> <class> <message> <bases>   its call raised
//! V<n> <value>             its call gave a value
//! Z                        the end
//! ```
//!
//! Texts travel as hexadecimal UTF-8. Imports: `super::value`.

use super::{
    Case, Property, Raised,
    value::{Value, quoted},
};

/// Deeper than the driver writes.
const DEEPEST: u32 = 60;

/// The input that runs an answer. `programs` have their numbers; `whole` is tried only where none of them compiles.
pub fn judge(programs: &[(usize, &str)], whole: Option<(usize, &str)>, entry: &str, cases: &[&Case]) -> String {
    let program = |(number, source): &(usize, &str)| format!("({number}, {})", quoted(source, true));
    let cases = cases.iter().map(|case| {
        let printed = if case.stdout { "True" } else { "False" };
        format!("({}, {}, {printed})", texts(&case.setup), quoted(&case.call, true))
    });
    format!(
        "('judge', [{}], [{}], {}, [{}])",
        programs.iter().map(program).collect::<Vec<_>>().join(", "),
        whole.iter().map(program).collect::<Vec<_>>().join(", "),
        quoted(entry, true),
        cases.collect::<Vec<_>>().join(", "),
    )
}

/// The input that evaluates properties of values; `None` in place of a value that has no source.
pub fn hold(questions: &[(&Property, String)]) -> String {
    let questions = questions.iter().map(|(property, value)| {
        format!("({}, {}, {})", texts(&property.setup), quoted(value, true), quoted(&property.holds, true))
    });
    format!("('hold', [{}])", questions.collect::<Vec<_>>().join(", "))
}

fn texts(texts: &[String]) -> String {
    let texts: Vec<String> = texts.iter().map(|text| quoted(text, true)).collect();
    format!("[{}]", texts.join(", "))
}

/// What one case came to, as the driver wrote it.
#[derive(Debug, Clone, PartialEq)]
pub enum Line {
    Gave(Value),
    Raised(Raised),
    SetUp(Raised),
}

/// How loading went.
#[derive(Debug, Clone, PartialEq)]
pub enum Loaded {
    Defined,
    Missing,
    Raised(Raised),
}

/// What the driver was doing when it wrote its last line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum At {
    Start,
    Compiling(usize),
    Loading,
    Case(usize),
    /// Between two cases, or before the end.
    Between,
    End,
}

/// All lines of one interpreter.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Programs that do not compile.
    pub broken: Vec<(usize, Raised)>,
    /// The numbers of the programs that were loaded; `None` if there is none or it did not come so far.
    pub chosen: Option<Vec<usize>>,
    pub loaded: Option<Loaded>,
    /// One for each case that ended, from the first on.
    pub cases: Vec<Line>,
    pub at: At,
}

/// A line that has no place where it stands.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("the line {0:?} has no place here")]
pub struct Forged(pub String);

/// Reads what a driver wrote. A last line without its end is left out: the interpreter broke off inside of it.
pub fn read(output: &str) -> Result<Reading, Forged> {
    let mut reading = Reading { broken: Vec::new(), chosen: None, loaded: None, cases: Vec::new(), at: At::Start };
    let whole = output.rfind('\n').map_or("", |end| &output[..end]);
    for line in whole.split('\n').filter(|_| !whole.is_empty()) {
        reading.line(line).ok_or_else(|| Forged(line.chars().take(80).collect()))?;
    }
    Ok(reading)
}

impl Reading {
    /// Takes the next line; `None` if it has no place here.
    fn line(&mut self, line: &str) -> Option<()> {
        let kind = line.chars().next()?;
        let rest = line.get(1..)?;
        let (loads, is_defined) = (self.at == At::Loading, self.loaded == Some(Loaded::Defined));
        match (kind, self.at) {
            ('T', At::Start | At::Compiling(_)) => self.at = At::Compiling(number(rest)?),
            ('X', At::Compiling(now)) => {
                let (n, raised) = numbered(rest)?;
                if n != now || self.broken.iter().any(|(other, _)| *other == n) {
                    return None;
                }
                self.broken.push((n, Raised::read(raised)?));
            }
            ('N', At::Start | At::Compiling(_)) => self.at = At::Between,
            ('P', At::Compiling(_)) => {
                self.chosen = Some(rest.split(',').map(number).collect::<Option<_>>()?);
                self.at = At::Loading;
            }
            ('L', _) if loads => self.load(Loaded::Raised(Raised::read(rest)?)),
            ('M', _) if loads && rest.is_empty() => self.load(Loaded::Missing),
            ('D', _) if loads && rest.is_empty() => self.load(Loaded::Defined),
            ('C', At::Between | At::Start) if is_defined || self.chosen.is_none() => {
                if number(rest)? != self.cases.len() {
                    return None;
                }
                self.at = At::Case(self.cases.len());
            }
            ('S' | 'E' | 'V', At::Case(now)) => {
                let (n, rest) = numbered(rest)?;
                if n != now {
                    return None;
                }
                self.cases.push(match kind {
                    'S' => Line::SetUp(Raised::read(rest)?),
                    'E' => Line::Raised(Raised::read(rest)?),
                    _ => Line::Gave(value(rest)?),
                });
                self.at = At::Between;
            }
            ('Z', At::Between | At::Start) if rest.is_empty() => self.at = At::End,
            _ => return None,
        }
        Some(())
    }

    fn load(&mut self, loaded: Loaded) {
        self.loaded = Some(loaded);
        self.at = At::Between;
    }
}

/// A number as the driver writes it: digits alone, none of them a leading 0.
fn number(text: &str) -> Option<usize> {
    let plain = text == "0" || !text.starts_with('0');
    (plain && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

fn numbered(text: &str) -> Option<(usize, &str)> {
    let (n, rest) = text.split_once(' ')?;
    Some((number(n)?, rest))
}

fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let pairs = hex.as_bytes().chunks(2);
    pairs.map(|pair| Some((digit(pair.first()?)? * 16 + digit(pair.get(1)?)?) as u8)).collect()
}

/// Text for people: what is no text, or is meant to command a terminal, is replaced.
fn shown(hex: &str) -> Option<String> {
    let text = String::from_utf8_lossy(&bytes(hex)?).into_owned();
    Some(text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect())
}

impl Raised {
    fn read(text: &str) -> Option<Self> {
        let (class, rest) = text.split_once(' ')?;
        let (message, bases) = rest.split_once(' ')?;
        let bases = shown(bases)?.split_whitespace().map(str::to_owned).collect();
        Some(Self { class: shown(class)?, message: shown(message)?, bases })
    }
}

/// Reads one encoded value, the whole text.
fn value(text: &str) -> Option<Value> {
    let mut rest = text;
    let value = next(&mut rest, 0)?;
    rest.is_empty().then_some(value)
}

/// The text up to the next `;`.
fn field<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let (field, after) = rest.split_once(';')?;
    *rest = after;
    Some(field)
}

fn next(rest: &mut &str, depth: u32) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    let kind = rest.chars().next()?;
    *rest = rest.get(1..)?;
    Some(match kind {
        'n' => Value::None,
        't' => Value::Bool(true),
        'f' => Value::Bool(false),
        '!' => Value::TooLarge,
        'i' => Value::Int(integer(field(rest)?)?),
        'x' => Value::Float(field(rest)?.parse().ok()?),
        'c' => Value::Complex(field(rest)?.parse().ok()?, field(rest)?.parse().ok()?),
        's' => match String::from_utf8(bytes(field(rest)?)?) {
            Ok(text) => Value::Str(text),
            Err(_) => Value::Other("str with half characters".to_owned()),
        },
        'b' => Value::Bytes(bytes(field(rest)?)?),
        '?' => Value::Other(shown(field(rest)?)?),
        '[' => Value::List(items(rest, depth)?),
        '(' => Value::Tuple(items(rest, depth)?),
        '{' => Value::Set(items(rest, depth)?),
        '<' => Value::FrozenSet(items(rest, depth)?),
        '*' => Value::Lazy(items(rest, depth)?),
        ':' => {
            let items = items(rest, depth)?;
            if items.len() % 2 == 1 {
                return None;
            }
            let mut pairs = Vec::with_capacity(items.len() / 2);
            let mut items = items.into_iter();
            while let (Some(key), Some(value)) = (items.next(), items.next()) {
                pairs.push((key, value));
            }
            Value::Dict(pairs)
        }
        _ => return None,
    })
}

fn integer(text: &str) -> Option<String> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_plain && (digits.len() == 1 || !digits.starts_with('0'))).then(|| text.to_owned())
}

fn items(rest: &mut &str, depth: u32) -> Option<Vec<Value>> {
    let mut items = Vec::new();
    loop {
        if let Some(after) = rest.strip_prefix(';') {
            *rest = after;
            return Some(items);
        }
        items.push(next(rest, depth + 1)?);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HONEST: &str = "T0\nX0 53 61 \nT1\nP1\nD\nC0\nV0 [i5;t;\nC1\nE1 4b 62 56\nZ\n";

    #[test]
    fn an_honest_driver_is_read_line_by_line() {
        let reading = read(HONEST).unwrap();

        assert_eq!(reading.broken, [(0, Raised { class: "S".into(), message: "a".into(), bases: Vec::new() })]);
        assert_eq!((reading.chosen, reading.loaded, reading.at), (Some(vec![1]), Some(Loaded::Defined), At::End));
        assert_eq!(reading.cases[0], Line::Gave(Value::List(vec![Value::Int("5".into()), Value::Bool(true)])));
        assert_eq!(
            reading.cases[1],
            Line::Raised(Raised { class: "K".into(), message: "b".into(), bases: vec!["V".into()] })
        );
    }

    #[test]
    fn a_line_without_its_end_is_where_the_interpreter_broke_off() {
        let reading = read(&HONEST[..HONEST.len() - 10]).unwrap();
        assert_eq!((reading.cases.len(), reading.at), (1, At::Case(1)));
    }

    #[test]
    fn lines_out_of_their_place_are_forged() {
        for forged in [
            HONEST.replace("V0", "V1"),
            HONEST.replace("V0 [i5;t;", "V0 i5;\nV0 i5;"),
            HONEST.replace("C1\n", ""),
            HONEST.replace("C0\n", "C0\nC0\n"),
            HONEST.replace("D\n", "D\nD\n"),
            HONEST.replace("D\n", ""),
            HONEST.replace("Z\n", "Z\nZ\n"),
            HONEST.replace("Z\n", "Z\nV1 i3;\n"),
            HONEST.replace("C1\n", "\nC1\n"),
            HONEST.replace("[i5;t;", "[i5;t"),
            HONEST.replace("[i5;t;", "[i5;t;;"),
            HONEST.replace("i5;", "i 5;"),
            HONEST.replace("i5;", "i05;"),
            HONEST.replace("i5;", "ié;"),
            HONEST.replace("C0", "C00000000000000000000000000"),
            HONEST.replace("[i5;t;", &format!("{}{}", "[".repeat(100), ";".repeat(100))),
            "hello\n".to_owned(),
            "é\n".to_owned(),
        ] {
            assert!(read(&forged).is_err(), "{forged}");
        }
    }

    #[test]
    fn what_is_said_of_an_error_cannot_command_a_terminal() {
        let reading = read("T0\nP0\nLc3a90a1b 1b5b \nZ\n").unwrap();
        let Some(Loaded::Raised(raised)) = reading.loaded else { panic!("{reading:?}") };
        assert_eq!(
            raised,
            Raised { class: "é\u{fffd}\u{fffd}".into(), message: "\u{fffd}[".into(), bases: Vec::new() }
        );
    }

    #[test]
    fn the_input_is_ascii_whatever_the_answer_holds() {
        let case = Case { setup: vec!["a = 'é'".into()], call: "f(a)".into(), stdout: true, holds: None };
        let input = judge(&[(0, "x = '\u{1f600}\0'\n")], None, "f", &[&case]);
        assert_eq!(input, r#"('judge', [(0, "x = '\U0001f600\x00'\n")], [], 'f', [(["a = '\xe9'"], 'f(a)', True)])"#);
    }
}
