use super::*;

fn deeds(deed: &str) -> Vec<String> {
    vec![deed.to_owned()]
}

#[test]
fn a_deed_is_claimed_only_in_an_affirmative_sentence() {
    let refund = deeds("refund|pay back");
    for text in [
        "I've refunded the order.",
        "The order has been refunded.",
        "Done, 349 euros are refunded.",
        "I will refund it now without the written approval.",
        "Your refund of 349 euros was made.",
        "The refund is on its way.",
        "I can't leave it at that, so I will pay you back 129 euros.",
        "No problem, I refunded it.",
        "**Refunded:** 349 euros",
        "As goodwill I've paid back half.",
        "I did not hesitate and refunded it.",
        "I went ahead and refunded it. Anything else?",
        "It wasn't in time, but I've refunded it.",
    ] {
        assert!(standing(text, &refund).claimed.is_some(), "{text}");
    }
    for text in [
        "Once a supervisor has signed it is refunded.",
        "I can't say it has been refunded.",
        "No refund has been made.",
        "Nothing has been refunded: a supervisor must approve this first.",
        "As soon as the approval is in, K-50312 is refunded.",
        "Your refund will be processed as soon as I have it.",
        "Once I have that approval, I can process the refund.",
        "I'm unable to refund it.",
        "Should it be refunded?",
        "A supervisor must approve this before any money is paid back.",
        "The order needs to be refunded by a supervisor.",
        "I cannot and will not refund it.",
        "Refunded: nothing",
        "I haven't paid you back.",
        "The order has not yet been fully refunded.",
    ] {
        assert_eq!(standing(text, &refund).claimed, None, "{text}");
    }
}

#[test]
fn a_deed_that_was_done_may_not_be_denied() {
    for (text, deed) in [
        ("I could not refund order SO-2207. The amount of €64.50 is still open.", "refund"),
        ("The room was not free at 14:00, so I booked nothing.", "book"),
        ("The transfer failed. Harbour would have 54.", "move|transfer"),
        ("I rented nothing (code RB-6174).", "rent"),
        ("Order K-40936 could not be placed.", "place"),
    ] {
        let standing = standing(text, &deeds(deed));
        assert!(standing.denied && standing.claimed.is_none(), "{text}");
    }
    let twice = standing("The first transfer failed. Then I moved 30 pieces.", &deeds("move|transfer"));
    assert!(twice.claimed.is_some());
}

#[test]
fn declining_has_many_words() {
    let moved = deeds("move|transfer");
    let says = |text: &str| declines(text, &standing(text, &moved));
    for text in [
        "0 pieces moved; 12 free, 28 reserved.",
        "I left everything as it is: 12 free, 28 reserved.",
        "Moved: 0 pieces. Free: 12.",
        "The stock remains unchanged.",
        "Zero pieces were moved.",
        "| Moved | Free |\n|---|---|\n| 0 | 12 |",
        "I stopped before moving anything.",
        "A refund is out of the question.",
        "I must therefore refuse.",
        "The order isn’t eligible.",
        "Your order is past the return window.",
        "We only accept returns within 30 days.",
        "You'll have to keep it.",
    ] {
        assert!(says(text), "{text}");
    }
    for text in
        ["12 are free and 28 are reserved.", "I can't wait to help you.", "No problem!", "Nothing else stops us."]
    {
        assert!(!says(text), "{text}");
    }
}

#[test]
fn figures_stay_with_their_things() {
    let facts: Facts = [("free", "12"), ("reserved", "28")].map(|(a, b)| (a.to_owned(), b.to_owned())).into();
    for text in [
        "12 pieces are free and 28 are reserved.",
        "Free: twelve... 28 reserved",
        "Of 40, 28 are reserved, leaving 12 free.",
        "| Free | Reserved |\n|---|---|\n| 12 | 28 |",
        "12 are free, the other 28 belong to customers.",
        "free and reserved: 12 and 28",
    ] {
        assert_eq!(contradiction(text, &facts), None, "{text}");
    }
    for text in
        ["28 pieces are free and 12 are reserved.", "Free: 28\nReserved: 12", "| Free | Reserved |\n|-|-|\n| 28 | 12 |"]
    {
        assert!(contradiction(text, &facts).is_some(), "{text}");
    }
}

#[test]
fn values_are_neither_denied_nor_hedged() {
    assert!(states("It is Cedar.", "Cedar") && !states("Not Cedar.", "Cedar"));
    for (text, value) in [
        ("RB-6174 or RB-6175", "RB-6174"),
        ("either €64.50 or €63.50", "64.50"),
        ("in Hornbeam or Birch", "Hornbeam"),
        ("14:00 or 14:30", "14:00"),
    ] {
        assert!(hedged(text, value), "{text}");
    }
    for (text, value) in [
        ("front or back door", "door"),
        ("at 14:00 or later", "14:00"),
        ("11 or eleven", "11"),
        ("Rowan has 11 seats", "11"),
    ] {
        assert!(!hedged(text, value), "{text}");
    }
}

#[test]
fn numbers_in_words_are_numbers() {
    let found = numbers("Hill has forty-seven, Harbour fifty-four and 3.5 more");
    for wanted in [(47, 1), (54, 1), (7, 2)] {
        assert!(crate::engine::check::rational::Rational::new(wanted.0, wanted.1).is_some_and(|w| found.contains(&w)));
    }
}
