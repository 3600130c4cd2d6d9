//! How the program is found in an answer, and how each kind of case is judged.

use benchloop::{
    domain::{
        id::{Profile, SuiteId},
        plan::RunPlan,
        verdict::{PartKind, Verdict},
    },
    engine::{
        Engine, EngineErrorKind,
        check::{
            Judged, Said,
            python::{Case, Coding},
        },
        grade::grade,
        python::{Limits, Python, value::Compare},
        suite,
    },
    server::script::demo,
};

use super::{
    super::support::{
        home::{form, home},
        python,
    },
    coding, judge,
};

const SIX: [(&str, &str); 6] =
    [("f(2)", "5"), ("f(3)", "6"), ("f(10)", "13"), ("f(0)", "3"), ("f(-3)", "0"), ("f(4)", "7")];

fn right(verdict: &Verdict) -> usize {
    verdict.parts.iter().filter(|part| part.kind == PartKind::Correctness && part.score >= 1.0).count()
}

fn reasons(verdict: &Verdict) -> String {
    verdict.parts.iter().map(|part| part.why.as_str()).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn the_program_is_found_as_models_write_it() {
    let coding = coding("f", &SIX);
    let good = "def f(x):\n    return x + 3\n";
    let bad = "def f(x):\n    return x\n";
    let mut faults = Vec::new();
    for (name, answer, cases, in_block, words) in [
        ("one block", format!("Sure:\n```python\n{good}```\nIt adds 3."), 6, true, "f(2) gave 5"),
        ("no language", format!("```\n{good}```"), 6, true, "gave 5"),
        ("an indented block", format!("1. Do this:\n\n   ```py\n   {}   ```", good.replace('\n', "\n   ")), 6, true, "5"),
        ("no block at all", good.to_owned(), 6, false, "no fenced block"),
        ("prose without a program", "f(x) is x + 3.".to_owned(), 0, false, "no code block"),
        ("the last of two", format!("```python\n{bad}```\nBetter:\n```python\n{good}```"), 6, true, "gave 5"),
        ("the last of two, wrong", format!("```python\n{good}```\nor\n```python\n{bad}```"), 0, true, "gave 2, not 5"),
        ("usage behind it", format!("```python\n{good}```\n```python\nprint(f(1))\n```"), 6, true, "gave 5"),
        ("usage that fails behind it", format!("```python\n{good}```\n```python\nf(None)\n```"), 6, true, "gave 5"),
        ("output behind it", format!("```python\n{good}```\nOutput:\n```text\n4\n```"), 6, true, "gave 5"),
        ("a shell before it", format!("```bash\npip install nothing\n```\n```python\n{good}```"), 6, true, "gave 5"),
        ("text that is a program", format!("```\nDone\n```\n```python\n{good}```"), 6, true, "gave 5"),
        (
            "a helper in a block before",
            "```python\ndef add(x):\n    return x + N\n```\nand\n```python\nN = 3\n```\n```python\ndef f(x):\n    return add(x)\n```"
                .to_owned(),
            6,
            true,
            "gave 5",
        ),
        (
            "a helper in a block behind",
            "```python\ndef f(x):\n    return add(x)\n```\nwith\n```python\ndef add(x):\n    return x + 3\n```".to_owned(),
            6,
            true,
            "gave 5",
        ),
        (
            "an import in a block before",
            "```python\nimport operator\n```\n```python\ndef f(x):\n    return operator.add(x, 3)\n```".to_owned(),
            6,
            true,
            "gave 5",
        ),
        (
            "a base class in a block before",
            "```python\nclass Base:\n    n = 3\n```\n```python\nclass C(Base): pass\n\ndef f(x): return x + C.n\n```".to_owned(),
            6,
            true,
            "gave 5",
        ),
        (
            "an older helper is not taken",
            "```python\ndef add(x): return x\n```\n```python\ndef add(x): return x + 3\n```\n```python\ndef f(x): return add(x)\n```"
                .to_owned(),
            6,
            true,
            "gave 5",
        ),
        ("no code but the name", "The function f(x) should add 3 to x.".to_owned(), 0, false, "no code block"),
        ("a block that does not compile", "```python\ndef f(x)\n    return x\n```".to_owned(), 0, false, "line 1: expected ':'"),
        ("a class around it", format!("```python\nclass S:\n    {}\n```", good.replace('\n', "\n    ")), 0, true, "does not define f"),
        ("a main block", format!("```python\n{good}\nif __name__ == '__main__':\n    raise SystemExit(f(1))\n```"), 6, true, "gave 5"),
        ("a call of main", format!("```python\n{good}\ndef main():\n    print(f(int('3')))\n\nmain()\n```"), 6, true, "gave 5"),
        ("input at the top", format!("```python\n{good}\nprint(f(int(input())))\n```"), 0, true, "loading the code raised EOFError"),
        ("a lambda", "```python\nf = lambda x: x + 3\n```".to_owned(), 6, true, "gave 5"),
        ("an imported name", "```python\nfrom operator import pos as f\n```".to_owned(), 0, true, "gave 2, not 5"),
        ("an async function", "```python\nasync def f(x):\n    return x + 3\n```".to_owned(), 0, true, "object of class coroutine"),
        ("floats", "```python\ndef f(x):\n    return x + 3.0\n```".to_owned(), 0, true, "gave 5.0, not 5"),
        ("windows lines", format!("```python\n{good}```").replace('\n', "\r\n"), 6, true, "gave 5"),
        ("tabs", "```python\ndef f(x):\n\treturn x + 3\n```".to_owned(), 6, true, "gave 5"),
        ("a block without its end", format!("```python\n{good}"), 6, true, "gave 5"),
        ("markdown around all", format!("```markdown\nHere:\n```python\n{good}```\n```"), 6, true, "gave 5"),
    ] {
        let (verdict, outcome) = judge(&coding, &answer, Limits::default()).await;
        let format = verdict.parts.last().unwrap();
        if (right(&verdict), format.score >= 1.0) != (cases, in_block) || !reasons(&verdict).contains(words) {
            faults.push(format!("{name}: {}/6, block {}\n{}\n{outcome:?}", right(&verdict), format.score, reasons(&verdict)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[tokio::test]
async fn a_cut_answer_is_judged_by_the_blocks_that_are_whole() {
    let coding = coding("f", &SIX);
    let cut = async |answer: &str| {
        let judged = Judged { answer, truncated: true, ..Judged::default() };
        let outcome = match coding.job(&judged, Limits::default()) {
            Ok(job) => Ok(python().run(job).await.unwrap()),
            Err(why) => Err(why),
        };
        coding.judge(&Judged { ran: Some(outcome.as_ref().map_err(String::as_str)), ..judged })
    };

    let whole = cut("```python\ndef f(x): return x + 3\n```\nFor example, f(2) is").await;
    let inside = cut("Here:\n```python\ndef f(x):\n    return x + 3\n\nprint(f(").await;
    let second = cut("```python\ndef f(x): return x\n```\nBetter:\n```python\ndef f(x): return x +").await;

    assert_eq!(whole.score, 1.0, "{}", reasons(&whole));
    assert_eq!(inside.score, 0.0);
    assert!(inside.why().contains("no answer within the budget"), "{}", inside.why());
    assert!(second.parts[0].why.contains("gave 2, not 5"), "{}", second.why());
}

/// One case of each kind beside five plain ones.
async fn one(case: Case, program: &str) -> (f64, String) {
    let mut coding = coding("f", &SIX[..5]);
    coding.cases.insert(0, Case { name: "it".into(), ..case });
    let (verdict, _) = judge(&coding, &format!("```python\n{program}\n```"), Limits::default()).await;
    (verdict.parts[0].score, verdict.parts[0].why.clone())
}

#[tokio::test]
async fn an_exception_is_asked_for_by_its_name_and_a_kind_of_it_is_one() {
    let raises = |classes: &[&str]| Case {
        call: "f(None)".into(),
        raises: classes.iter().map(|class| (*class).to_owned()).collect(),
        ..Case::default()
    };
    for (classes, program, score, words) in [
        (vec!["ValueError"], "def f(x): raise ValueError('no')", 1.0, "f(None) raised ValueError"),
        (vec!["KeyError", "ValueError"], "def f(x): raise ValueError", 1.0, "raised ValueError"),
        (vec!["Full"], "class Full(Exception): pass\ndef f(x): raise Full", 1.0, "raised Full"),
        (vec!["ValueError"], "def f(x): return x + 3", 0.0, "raised TypeError: unsupported operand"),
        (vec!["ValueError"], "def f(x): return x", 0.0, "gave None, not an exception, ValueError"),
        (vec!["Exception"], "def f(x): raise ValueError", 1.0, "raised ValueError"),
        (vec!["ValueError"], "class Odd(ValueError): pass\ndef f(x): raise Odd('no')", 1.0, "raised Odd"),
        (vec!["ValueError"], "def f(x): raise UnicodeError", 1.0, "raised UnicodeError"),
        (vec!["ValueError"], "class ValueErrors(KeyError): pass\ndef f(x): raise ValueErrors", 0.0, "not ValueError"),
        (vec!["KeyError"], "def f(x): raise LookupError", 0.0, "raised LookupError, not KeyError"),
        (vec!["ValueError"], "def f(x):\n    raise ValueError\n    yield", 1.0, "raised ValueError"),
        (vec!["RecursionError"], "def f(x): return f(x)", 1.0, "raised RecursionError"),
    ] {
        let (found, why) = one(raises(&classes), program).await;
        assert!(found == score && why.contains(words), "{program}: {found} {why}");
    }
}

#[tokio::test]
async fn a_property_is_judged_where_the_answer_never_was() {
    let holds = |property: &str| Case {
        setup: vec!["import math".into(), "items = [3, 1, 2]".into(), "made = f(items)".into()],
        call: "f(items)".into(),
        holds: Some(property.into()),
        ..Case::default()
    };
    let sorts = "def f(x): return sorted(x) if isinstance(x, list) else x + 3";
    for (property, program, score, words) in [
        ("result == sorted(given.items)", sorts, 1.0, "as asked"),
        ("result == sorted(given.items)", "def f(x): return x", 0.0, "does not hold"),
        ("all(a <= b for a, b in zip(result, result[1:])) and len(result) == 3", sorts, 1.0, "as asked"),
        ("math.isclose(sum(result), 6)", sorts, 0.0, "raised NameError"),
        ("given.math.isclose(sum(result), 6)", sorts, 1.0, "as asked"),
        ("len(result) == 3", "def f(x): return None", 0.0, "for which `len(result) == 3` raised TypeError"),
        ("given.made == result", sorts, 0.0, "raised AttributeError"),
        ("list(result) == [1, 2, 3]", "def f(x): return iter(sorted(x))", 1.0, "an iterator over [1, 2, 3]"),
        ("True or result", "class Own: pass\ndef f(x): return Own()", 0.0, "an object of class Own"),
        // the answer changes what it can, elsewhere
        (
            "result == 'x' or len(result) == 3",
            "import builtins\nbuiltins.len = lambda x: 3\ndef f(x): return []",
            0.0,
            "does not hold",
        ),
        ("result == 1.5 and result is not None", "def f(x): return 1.5", 1.0, "gave 1.5"),
        ("result == {'a': (1, None)}", "def f(x): return {'a': (1, None)}", 1.0, "gave {'a': (1, None)}"),
        ("result == float('-inf')", "def f(x): return float('-inf')", 1.0, "gave -inf"),
        ("result == 'é\\n\\'\"'", "def f(x): return 'é\\n\\'\"'", 1.0, "as asked"),
    ] {
        let (found, why) = one(holds(property), program).await;
        assert!(found == score && why.contains(words), "{property}: {found} {why}");
    }
}

#[tokio::test]
async fn what_is_printed_is_a_value_where_the_case_asks_for_it() {
    let prints = |expect: &str| Case {
        setup: vec!["print('from the set-up')".into()],
        call: "f(2)".into(),
        expect: Some(expect.into()),
        stdout: true,
        ..Case::default()
    };
    for (expect, program, score, words) in [
        ("'a 2\\n'", "def f(x): print('a', x)", 1.0, "f(2) printed 'a 2\\n'"),
        ("'a 2\\n'", "print('loaded')\ndef f(x): print('a', x)", 1.0, "printed"),
        ("'a 2\\n'", "def f(x): return 'a 2\\n'", 0.0, "f(2) printed '', not 'a 2\\n'"),
        ("'é'", "import sys\ndef f(x): sys.stdout.write('é')", 1.0, "printed"),
        ("'b'", "import sys\ndef f(x): sys.stdout.buffer.write(b'b')", 1.0, "printed"),
        ("'a\\r\\n'", "def f(x): print('a', end='\\r\\n')", 1.0, "printed"),
        ("'1\\n'", "def f(x, print=print): print(1)", 1.0, "printed"),
    ] {
        let (found, why) = one(prints(expect), program).await;
        assert!(found == score && why.contains(words), "{program}: {found} {why}");
    }
}

#[tokio::test]
async fn values_travel_by_exact_type() {
    for (expect, program, compare, close, score) in [
        (
            "{'a': 2, 'b': 1}",
            "from collections import Counter\ndef f(x): return Counter('aba')",
            Compare::Exact,
            None,
            1.0,
        ),
        (
            "{'a': [1]}",
            "from collections import defaultdict as d\ndef f(x):\n    r = d(list)\n    r['a'].append(1)\n    return r",
            Compare::Exact,
            None,
            1.0,
        ),
        (
            "{2: 1, 1: 2}",
            "from collections import OrderedDict as O\ndef f(x): return O([(1, 2), (2, 1)])",
            Compare::Exact,
            None,
            1.0,
        ),
        ("[1, 2]", "from collections import deque\ndef f(x): return deque([1, 2])", Compare::Exact, None, 0.0),
        (
            "(1, 2)",
            "from collections import namedtuple as n\nP = n('P', 'a b')\ndef f(x): return P(1, 2)",
            Compare::Exact,
            None,
            0.0,
        ),
        ("[0, 1]", "def f(x):\n    yield 0\n    yield 1", Compare::Exact, None, 0.0),
        ("[0, 1]", "def f(x):\n    yield 0\n    yield 1", Compare::Items, None, 1.0),
        ("[0, 1]", "def f(x): return range(2)", Compare::Items, None, 1.0),
        ("[0, 1]", "def f(x): return map(int, '01')", Compare::Items, None, 1.0),
        ("[0, 1]", "def f(x): return {0: 1, 1: 2}.keys()", Compare::Items, None, 1.0),
        (
            "[0, 1]",
            "import itertools\ndef f(x): return itertools.islice(itertools.count(), 2)",
            Compare::Items,
            None,
            1.0,
        ),
        ("[[0, 1], [1, 2]]", "def f(x): return list(zip([0, 1], [1, 2]))", Compare::Items, None, 1.0),
        ("[0, 1]", "def f(x): return {0, 1}", Compare::Items, None, 0.0),
        ("[1, 2, 2]", "def f(x): return [2, 1, 2]", Compare::Unordered, None, 1.0),
        ("0.3", "def f(x): return 0.1 + 0.2", Compare::Exact, None, 0.0),
        ("0.3", "def f(x): return 0.1 + 0.2", Compare::Exact, Some(1e-9), 1.0),
        ("1e300", "def f(x): return 1e300", Compare::Exact, None, 1.0),
        ("nan", "def f(x): return float('nan')", Compare::Exact, None, 1.0),
        ("2j", "def f(x): return 2j", Compare::Exact, None, 1.0),
        ("1267650600228229401496703205376", "def f(x): return 2 ** 100", Compare::Exact, None, 1.0),
        ("-1267650600228229401496703205376", "def f(x): return -2 ** 100", Compare::Exact, None, 1.0),
        ("'\\u00e9\\U0001f600\\x00'", "def f(x): return '\\u00e9\\U0001f600\\x00'", Compare::Exact, None, 1.0),
        ("b'\\xff'", "def f(x): return b'\\xff'", Compare::Exact, None, 1.0),
        ("''", "def f(x): return '\\ud800'", Compare::Exact, None, 0.0),
        ("frozenset({1})", "def f(x): return frozenset([1])", Compare::Exact, None, 1.0),
        ("[None, True, (), {}, set()]", "def f(x): return [None, True, (), {}, set()]", Compare::Exact, None, 1.0),
        ("1", "import enum\nclass E(enum.IntEnum):\n    A = 1\ndef f(x): return E.A", Compare::Exact, None, 0.0),
    ] {
        let case = Case { call: "f(2)".into(), expect: Some(expect.into()), compare, close, ..Case::default() };
        let (found, why) = one(case, program).await;
        assert_eq!(found, score, "{program}: {why}");
    }
}

#[test]
fn a_check_that_a_guess_can_meet_is_refused() {
    let of = |cases: &[(&str, &str)]| coding("f", cases);
    let with = |change: fn(&mut Coding)| {
        let mut coding = of(&SIX);
        change(&mut coding);
        coding.validate()
    };
    assert_eq!(of(&SIX).validate(), Ok(()));
    for (found, field, words) in [
        (of(&SIX[..5]).validate(), "cases", "has 5; write at least 6"),
        (with(|coding| coding.entry = "f x".into()), "entry", "no Python name"),
        (with(|coding| coding.entry = "class".into()), "entry", "no Python name"),
        (with(|coding| coding.cases[1].name = "f(2)".into()), "cases[1].name", "there twice"),
        (with(|coding| coding.cases[1].name = "code_block".into()), "cases[1].name", "its own name"),
        (with(|coding| coding.cases[2].expect = Some("g(1)".into())), "cases[2].expect", "\"g\" is no literal"),
        (with(|coding| coding.cases[2].expect = None), "cases[2].expect", "exactly one of"),
        (with(|coding| coding.cases[2].raises = vec!["E".into()]), "cases[2].expect", "exactly one of"),
        (with(|coding| coding.cases[2].close = Some(0.0)), "cases[2].close", "above 0"),
        (with(|coding| coding.cases[2].stdout = true), "cases[2].expect", "text literal"),
        (with(|coding| coding.cases[2].call = "a\nb".into()), "cases[2].call", "one line"),
        (
            with(|coding| coding.cases.iter_mut().for_each(|case| case.expect = Some("1".into()))),
            "cases",
            "all cases expect the same",
        ),
        (
            with(|coding| {
                for (n, case) in coding.cases.iter_mut().enumerate() {
                    case.expect = Some(if n % 2 == 0 { "True" } else { "False" }.into());
                }
            }),
            "cases",
            "only True and False",
        ),
    ] {
        let (found_field, why) = found.unwrap_err();
        assert!(found_field == field && why.contains(words), "{field}: {found_field} {why}");
    }
}

#[tokio::test]
async fn a_build_without_the_module_refuses_the_suite_and_judges_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let engine = Engine::open_with(folder.path(), Python::unavailable()).unwrap();
    let server = demo::start("127.0.0.1:0".parse().unwrap(), suite::load().unwrap().into()).await.unwrap();

    let error = engine.start(RunPlan::new(form(&server, "demo-steady", "coding")).unwrap()).await.unwrap_err();

    assert_eq!((error.kind(), error.field()), (EngineErrorKind::Invalid, Some("suites")));
    assert!(error.to_string().contains("coding is not available in this build"), "{error}");
    let cards = engine.suite_cards();
    for card in cards {
        assert_eq!(card.missing.is_some(), card.suite == SuiteId::Coding, "{card:?}");
    }
    let suites = suite::load().unwrap();
    let task = &suites.suite(SuiteId::Coding).unwrap().tasks[0];
    let why = grade(task, &[Said::text("no code")], false, &Python::unavailable()).await.unwrap_err();
    assert!(why.contains("no Python module"), "{why}");
}

#[tokio::test]
async fn a_run_of_the_coding_suite_judges_what_the_model_wrote() {
    let (home, suites) = (home(), suite::load().unwrap());
    let server = demo::start("127.0.0.1:0".parse().unwrap(), suites.clone().into()).await.unwrap();
    let model = demo::MODELS.iter().find(|model| model.name == "demo-hasty").unwrap();

    let run = home.engine.start(RunPlan::new(form(&server, model.name, "coding")).unwrap()).await.unwrap();
    let view = home.engine.finished(&run).await.unwrap();

    let (mut expected, tasks) = (0.0, suites.chosen(SuiteId::Coding, Profile::Quick));
    for task in &tasks {
        let said: Vec<Said> = demo::chosen(model, task, 1).unwrap().iter().map(|turn| turn.said()).collect();
        expected += grade(task, &said, false, python()).await.unwrap().score;
    }
    let expected = expected * 100.0 / tasks.len() as f64;
    let score = view.suites()[0].score.value.unwrap();
    assert!((score - expected).abs() < 1e-9, "{score}, not {expected}");
}
