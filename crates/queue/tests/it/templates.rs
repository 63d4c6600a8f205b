//! The templates of a dead queue.

use redrive_core::{
    Category, Classifier, Evidence, Failure, Overrides, Problem, QueueName, RetryPolicy, RuleSpec, Span, Time,
};
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
fn the_first_matching_template_applies() {
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
    failure.metadata.insert("tenant".to_owned(), "acme".into());
    assert_eq!(matched(&moved, &failure), Some("acme"));
}

#[test]
fn a_template_with_a_category_or_a_delay_takes_precedence_over_the_rules_of_a_classifier() {
    let rule = RuleSpec {
        name: "rule".to_owned(),
        when: Some("true".to_owned()),
        category: Some("network".to_owned()),
        policy: Some("immediate".to_owned()),
        max_retries: Some("9".to_owned()),
        ..RuleSpec::default()
    };
    let classifier = Classifier::with_rules(&[rule]).unwrap();
    let bank = LetterTemplate { category: Some(Category::Resource), ..template("bank", "bank") };
    let late = LetterTemplate { delay: Some(Span::from_secs(7)), ..template("late", "late") };
    let templates = [template("plain", "plain"), bank, late];
    let templates = templates.into_iter().fold(Templates::default(), |all, one| all.with(one, None).unwrap());
    let of = |text: &str| {
        let failure = Failure::new(text).with_retry_after(Span::from_secs(3));
        let classified = templates.classify(&classifier, &failure, 1);
        let found = classified.found;
        assert_eq!(found.retry_after, Some(Span::from_secs(3)));
        let matched = classified.matched.template.map(|template| template.name.clone());
        (matched.unwrap_or_default(), found.rule.to_string(), found.category, found.overrides)
    };
    let by_rule = Overrides {
        category: Some(Category::Network),
        policy: Some(RetryPolicy::Immediate),
        max_retries: Some(9),
        delay: None,
    };
    let rule = || "user:rule".to_owned();
    assert_eq!(of("x"), (String::new(), rule(), Category::Network, by_rule));
    assert_eq!(
        of("plain bank"),
        ("plain".to_owned(), rule(), Category::Network, by_rule),
        "the first matching template applies"
    );
    let named = Overrides { category: Some(Category::Resource), ..Overrides::default() };
    assert_eq!(of("bank"), ("bank".to_owned(), "user:bank".to_owned(), Category::Resource, named));
    let delayed = Overrides { policy: None, delay: Some(Span::from_secs(7)), ..by_rule };
    assert_eq!(of("late"), ("late".to_owned(), rule(), Category::Network, delayed));

    let refused = Failure::refused(None);
    let found = templates.classify(&classifier, &refused, 1).found;
    assert_eq!(found.rule.to_string(), "breaker", "work that was not attempted is not a failure");
}

#[test]
fn every_change_increments_the_version() {
    let one = Templates::default().with(template("a", "a"), None).unwrap();
    let two = one.with(template("b", "b"), None).unwrap().with(template("a", "x"), None).unwrap();
    let versions: Vec<String> = two.list().iter().map(ToString::to_string).collect();
    assert_eq!((two.version(), versions), (3, vec!["a@3".to_owned(), "b@2".to_owned()]), "it keeps its position");
    let three = two.without("b").unwrap();
    assert_eq!((three.version(), names(&three)), (4, vec!["a"]));
    assert!(three.without("b").is_none());
    assert_eq!((one.version(), names(&one)), (1, vec!["a"]), "existing copies do not change");
}

#[test]
fn templates_survive_serialisation() {
    let templates = Templates::default().with(template("bank", "bank .* down"), None).unwrap();
    let settings = LetterOverrides { templates, ..LetterOverrides::default() };
    let text = serde_json::to_string(&settings).unwrap();
    let read: LetterOverrides = serde_json::from_str(&text).unwrap();
    assert_eq!(read, settings);
    assert_eq!(matched(&read.templates, &Failure::new("the bank is down")), Some("bank"));
    let older =
        r#"{"templates":{"version":1,"list":[{"name":"bank","regex":"bank .* down","max_retries":7,"version":1}]}}"#;
    assert_eq!(serde_json::from_str::<LetterOverrides>(older).unwrap(), settings, "the stored form without categories");
    let before: LetterOverrides = serde_json::from_str("{}").unwrap();
    assert_eq!(before.templates, Templates::default(), "settings of an older version have no templates");
}

#[test]
fn an_invalid_template_is_rejected_with_the_field() {
    let rejection = |template: LetterTemplate| Templates::default().with(template, None).unwrap_err();
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
        (LetterTemplate { delay: Some(Span::from_hours(721)), ..template("a", "x") }, "template.delay"),
        (
            LetterTemplate { policy: Some(RetryPolicy::Never), delay: Some(Span::from_secs(1)), ..template("a", "x") },
            "template.retry_policy",
        ),
        (LetterTemplate { route: long(1_025), ..template("a", "x") }, "template.route"),
        (LetterTemplate { note: long(1_025), ..template("a", "x") }, "template.note"),
    ] {
        let error = rejection(wrong);
        assert_eq!(error.field, field, "{error}");
    }
    let mut full = Templates::default();
    for number in 0..Templates::MAX {
        full = full.with(template(&format!("t{number}"), "x"), None).unwrap();
    }
    assert_eq!(full.with(template("more", "x"), None).unwrap_err().problem, Problem::OutOfRange);
    assert!(full.with(template("t0", "y"), None).is_ok(), "replacing a template does not exceed the limit");
}

#[test]
fn a_template_with_the_policy_custom_needs_custom_delays() {
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

/// A template of a version that supported more must not prevent a store from opening.
#[test]
fn a_stored_template_that_does_not_compile_matches_nothing() {
    let some = Templates::default().with(template("odd", "odd"), None).unwrap();
    let some = some.with(template("bank", "bank"), None).unwrap();
    let letters = LetterOverrides { templates: some, ..LetterOverrides::default() };
    let json = serde_json::to_string(&letters).unwrap().replace("\"regex\":\"odd\"", "\"regex\":\"(\"");
    let read: LetterOverrides = serde_json::from_str(&json).unwrap();
    assert_eq!(names(&read.templates), ["odd", "bank"]);
    assert_eq!(matched(&read.templates, &Failure::new("odd")), None);
    assert_eq!(matched(&read.templates, &Failure::new("the bank")), Some("bank"));
}
