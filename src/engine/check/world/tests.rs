//! Messages as people write them.

use super::{
    message::{Message, says},
    replay::Replay,
};

fn replay(message: Option<&str>) -> Replay<'_> {
    Replay::saying(message, "delivered | 2026-01-09 | within 30 days | ")
}

fn finds(message: &Message, said: &str) -> bool {
    message.find(&replay(Some(said))).met
}

#[test]
fn dates_and_times_are_read_as_people_write_them() {
    let message = Message { dates: vec!["2026-03-09".into()], times: vec!["14:30".into()], ..Message::default() };
    for said in [
        "It is on 2026-03-09 at 14:30.",
        "**9 March 2026**, 14:30–15:00",
        "March 9th at 2:30 PM",
        "Mar. 9, 2:30pm",
        "on the 9th of March from 2:30 to 3:00 pm",
        "09.03.2026 um 14.30 Uhr",
        "3/9/2026, 2:30 p.m.",
        "2026‑03‑09T14:30:00",
    ] {
        assert!(finds(&message, said), "{said}");
    }
    for said in [
        "It is on 2026-03-19 at 14:30.",
        "on March 9th at 2:30",
        "March 9th at 2:30 am",
        "2026-03-09 at 15:30",
        "2026-03-09 at 14:35",
        "19 March, 14:30",
        "9 May, 14:30",
    ] {
        assert!(!finds(&message, said), "{said}");
    }
}

#[test]
fn an_hour_on_the_hour_needs_no_minutes() {
    let message = Message { times: vec!["16:00".into()], ..Message::default() };
    for (said, met) in
        [("4 pm", true), ("4PM sharp", true), ("16:00", true), ("4:00 PM", true), ("14 pm", false), ("4 am", false)]
    {
        assert_eq!(finds(&message, said), met, "{said}");
    }
}

#[test]
fn numbers_count_by_value_and_never_inside_another() {
    let message = Message { numbers: vec!["64.50".into()], ..Message::default() };
    for said in ["64.50", "€64.5", "**64,50 EUR**", "(64.50)", "a total of $64.50.", "-64.50"] {
        assert!(finds(&message, said), "{said}");
    }
    for said in ["64", "164.50", "64.505", "6450", "64.51"] {
        assert!(!finds(&message, said), "{said}");
    }
}

#[test]
fn a_refusal_needs_words_and_its_reason() {
    let message =
        Message { words: vec!["30|thirty".into()], declines: true, seen: vec!["30 days".into()], ..Message::default() };
    for said in [
        "I'm sorry, but I can't refund this: the limit is 30 days.",
        "It can’t be done, as thirty days have passed.",
        "Unfortunately the 30-day window is over.",
        "The return falls beyond our 30 days.",
    ] {
        assert!(finds(&message, said), "{said}");
    }
    for said in ["I can't do that.", "I paid it back within 30 days.", "", "…", "Can 300 days"] {
        assert!(!finds(&message, said), "{said}");
    }
}

#[test]
fn a_message_that_never_came_says_so() {
    let message = Message { words: vec!["x".into()], ..Message::default() };
    assert!(message.find(&replay(None)).why.contains("still called tools"));
    let unseen = Message { words: vec!["x".into()], seen: vec!["90 days".into()], ..Message::default() };
    assert!(unseen.find(&replay(Some("x"))).why.contains("without looking"));
}

#[test]
fn what_must_not_be_said_is_found_as_a_whole_word() {
    let message = Message { words: vec!["nook".into()], excludes: vec!["hall|halls".into()], ..Message::default() };
    assert!(finds(&message, "In the nook, not in Hallstatt."));
    assert!(!finds(&message, "In the nook and the halls."));
    assert!(says("It isn’t so", "isn't"));
}
