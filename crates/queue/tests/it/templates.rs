//! What a queue does with failures of known kinds.

use redrive_core::{Evidence, Failure, Problem, QueueName, RetryPolicy, Time};
use redrive_model::{CreateQueue, LetterOverrides, LetterTemplate, OpContext, QueueSettings, Rejection, Templates};
use redrive_queue::{Apply, Facts, State};

fn template(name: &str, regex: &str) -> LetterTemplate {
    LetterTemplate {
        name: name.to_owned(),
        regex: Some(regex.to_owned()),
        max_retries: Some(7),
        ..LetterTemplate::default()
    }
}

fn names(templates: &Templates) -> Vec<&str> {
    templates.list().iter().map(|template| template.name.as_str()).collect()
}

fn matched<'t>(templates: &'t Templates, failure: &Failure) -> Option<&'t str> {
    templates.matched(failure, 1).template.map(|template| template.name.as_str())
}

#[test]
fn the_first_template_that_matches_holds() {
    let none = Templates::default();
    assert_eq!(matched(&none, &Failure::new("bank")), None);
    let some = none.with(template("any", "."), None).unwrap().with(template("bank", "bank"), None).unwrap();
    assert_eq!((names(&some), matched(&some, &Failure::new("bank"))), (vec!["any", "bank"], Some("any")));
    let moved = some.with(template("bank", "bank"), Some(1)).unwrap();
    assert_eq!((names(&moved), matched(&moved, &Failure::new("bank"))), (vec!["bank", "any"], Some("bank")));
    assert_eq!(matched(&moved, &Failure::new("")), None);
    let by_status = LetterTemplate {
        regex: None,
        when: Some("http == 503 && metadata.tenant == 'acme'".to_owned()),
        ..template("acme", "")
    };
    let moved = moved.with(by_status, Some(1)).unwrap();
    let mut failure = Failure::typed(Evidence::http(503));
    assert_eq!(matched(&moved, &failure), None, "a condition that cannot be evaluated does not hold");
    failure.metadata.insert("tenant".to_owned(), "acme".to_owned());
    assert_eq!(matched(&moved, &failure), Some("acme"));
}

#[test]
fn every_change_is_a_version() {
    let one = Templates::default().with(template("a", "a"), None).unwrap();
    let two = one.with(template("b", "b"), None).unwrap().with(template("a", "x"), None).unwrap();
    let versions: Vec<String> = two.list().iter().map(ToString::to_string).collect();
    assert_eq!((two.version(), versions), (3, vec!["a@3".to_owned(), "b@2".to_owned()]), "it keeps its place");
    let three = two.without("b").unwrap();
    assert_eq!((three.version(), names(&three)), (4, vec!["a"]));
    assert!(three.without("b").is_none());
    assert_eq!((one.version(), names(&one)), (1, vec!["a"]), "what somebody looks at does not change");
}

#[test]
fn templates_are_read_again_as_they_were() {
    let templates = Templates::default().with(template("bank", "bank .* down"), None).unwrap();
    let settings = LetterOverrides { templates, ..LetterOverrides::default() };
    let text = serde_json::to_string(&settings).unwrap();
    let read: LetterOverrides = serde_json::from_str(&text).unwrap();
    assert_eq!(read, settings);
    assert_eq!(matched(&read.templates, &Failure::new("the bank is down")), Some("bank"));
    let before: LetterOverrides = serde_json::from_str("{}").unwrap();
    assert_eq!(before.templates, Templates::default(), "settings of an older version have none");
}

#[test]
fn a_template_that_makes_no_sense_is_refused_with_the_field() {
    let refused = |template: LetterTemplate| Templates::default().with(template, None).unwrap_err();
    let long = |bytes: usize| Some("x".repeat(bytes));
    for (wrong, field) in [
        (template("a b", "x"), "template.name"),
        (template("a", "("), "template.regex"),
        (LetterTemplate { regex: long(1_025), ..template("a", "") }, "template.regex"),
        (LetterTemplate { regex: None, ..template("a", "") }, "template"),
        (LetterTemplate { when: Some("true".into()), ..template("a", "x") }, "template"),
        (LetterTemplate { regex: None, when: Some("1 + 1".into()), ..template("a", "") }, "template.when"),
        (LetterTemplate { field: Some("colour".into()), ..template("a", "x") }, "template.field"),
        (LetterTemplate { max_retries: Some(101), ..template("a", "x") }, "template.max_retries"),
        (LetterTemplate { max_retries: None, ..template("a", "x") }, "template"),
        (LetterTemplate { route: long(1_025), ..template("a", "x") }, "template.route"),
        (LetterTemplate { note: long(1_025), ..template("a", "x") }, "template.note"),
    ] {
        let told = refused(wrong);
        assert_eq!(told.field, field, "{told}");
    }
    let mut full = Templates::default();
    for number in 0..Templates::MAX {
        full = full.with(template(&format!("t{number}"), "x"), None).unwrap();
    }
    assert_eq!(full.with(template("more", "x"), None).unwrap_err().problem, Problem::OutOfRange);
    assert!(full.with(template("t0", "y"), None).is_ok(), "one more of the same name is no more");
}

#[test]
fn a_template_gives_no_delays_that_the_queue_does_not_have() {
    let custom = LetterTemplate { policy: Some(RetryPolicy::Custom), ..template("a", "x") };
    let templates = Templates::default().with(custom, None).unwrap();
    let mut settings = QueueSettings::new(QueueName::new("dead").unwrap());
    settings.letters.templates = templates;
    let op = OpContext { now: Time::from_secs(1_800_000_000), random: 7 };
    let create =
        |settings: QueueSettings| CreateQueue { settings }.apply(&mut State::new(), op, &mut Facts::new()).map(|_| ());
    assert_eq!(create(settings.clone()), Err(Rejection::NoCustomBackoff));
    settings.letters.custom_backoff = Some("list 1s".parse().unwrap());
    assert_eq!(create(settings), Ok(()));
}

/// What was written by a version that understood more must not keep a store from being opened.
#[test]
fn a_template_that_is_no_longer_understood_matches_nothing() {
    let some = Templates::default().with(template("odd", "odd"), None).unwrap();
    let some = some.with(template("bank", "bank"), None).unwrap();
    let letters = LetterOverrides { templates: some, ..LetterOverrides::default() };
    let kept = serde_json::to_string(&letters).unwrap().replace("\"regex\":\"odd\"", "\"regex\":\"(\"");
    let read: LetterOverrides = serde_json::from_str(&kept).unwrap();
    assert_eq!(names(&read.templates), ["odd", "bank"]);
    assert_eq!(matched(&read.templates, &Failure::new("odd")), None);
    assert_eq!(matched(&read.templates, &Failure::new("the bank")), Some("bank"));
}
