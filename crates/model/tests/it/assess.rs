//! The assessment of failures.

use std::sync::Arc;

use redrive_core::{
    CaptureReason, CapturedBy, Category, Classifier, Evidence, Failure, Policy, PolicySource, Priority, RequestedRetry,
    RetryPolicy, RetryTerms, RuleSpec, Span, Strategy, Time,
};
use redrive_model::capture::{Assessment, CaptureRules, FailedWork};
use redrive_model::{CaptureContext, LetterOverrides, LetterSettings, LetterTemplate, NewLetter, Origin, Templates};
use serde_json::json;

const NOW: Time = Time::from_secs(1_800_000_000);

fn work(by: CapturedBy) -> FailedWork {
    let origin = Origin { name: "orders".into(), ..Origin::default() };
    let context = CaptureContext { origin, ..CaptureContext::default() };
    let failure = Failure::typed(Evidence::http(503));
    FailedWork { context, by, ..FailedWork::new("order-1", failure, NOW) }
}

fn settings(change: impl FnOnce(&mut LetterOverrides)) -> LetterSettings {
    let mut overrides = LetterOverrides::default();
    change(&mut overrides);
    overrides.over(&LetterSettings::default())
}

fn template() -> Templates {
    let template = LetterTemplate {
        name: "bank".to_owned(),
        when: Some("true".to_owned()),
        policy: Some(RetryPolicy::Linear),
        max_retries: Some(8),
        route: Some("bank".to_owned()),
        note: Some("call them".to_owned()),
        ..LetterTemplate::default()
    };
    Templates::default().with(template, None).unwrap()
}

/// A policy with a user rule.
fn by_rule() -> Policy {
    let rule = RuleSpec {
        name: "mine".to_owned(),
        when: Some("true".to_owned()),
        category: Some("resource".to_owned()),
        policy: Some("immediate".to_owned()),
        ..RuleSpec::default()
    };
    let classifier = Arc::new(Classifier::with_rules(&[rule]).unwrap());
    Policy::builder().classifier(classifier).build().unwrap()
}

fn assess(letters: &LetterSettings, templates: &Templates, policy: &Policy, work: &FailedWork) -> Assessment {
    let letters = &LetterSettings { templates: templates.clone(), ..letters.clone() };
    CaptureRules { letters, policy }.assess(work)
}

#[test]
fn retry_terms_come_from_the_request_then_the_template_then_a_rule_then_the_queue_then_the_category() {
    let default = settings(|letters| letters.default_policy = Some(RetryPolicy::Never));
    let (template, none) = (template(), Templates::default());
    let (rule, plain) = (by_rule(), Policy::default());
    let plain_work = work(CapturedBy::Explicit);
    let requested = RequestedRetry { policy: Some(RetryPolicy::Exponential), max_retries: Some(1) };
    let with_request = FailedWork { requested, ..plain_work.clone() };
    let with_category = FailedWork { category: Some(Category::Resource), ..plain_work.clone() };
    let explicit = PolicySource::Explicit;
    let terms = |policy, source, max_retries| RetryTerms { policy, source, max_retries };

    let of = |templates, policy, work| assess(&default, templates, policy, work).terms;
    assert_eq!(of(&template, &rule, &with_request), terms(RetryPolicy::Exponential, explicit, 1));
    assert_eq!(of(&template, &rule, &plain_work), terms(RetryPolicy::Linear, explicit, 8));
    assert_eq!(of(&none, &rule, &plain_work), terms(RetryPolicy::Immediate, explicit, 3));
    assert_eq!(of(&none, &plain, &plain_work), terms(RetryPolicy::Never, PolicySource::Default, 3));
    // With an explicit category, or with an automatic capture, the category determines the policy.
    let derived = Category::Resource.derived_policy();
    assert_eq!(of(&none, &plain, &with_category), terms(derived, PolicySource::Derived, 3));
    let automatic = work(CapturedBy::Automatic);
    let derived = Category::Transient.derived_policy();
    assert_eq!(of(&none, &plain, &automatic), terms(derived, PolicySource::Derived, 3));
    let seven = settings(|letters| letters.max_retries = Some(7));
    assert_eq!(assess(&seven, &none, &plain, &automatic).terms.max_retries, 7);
}

#[test]
fn the_delay_hint_has_the_delay_of_a_rule_unless_a_policy_is_named_and_the_retry_after_of_the_destination() {
    let rule = RuleSpec {
        name: "mine".to_owned(),
        when: Some("true".to_owned()),
        delay: Some("7s".to_owned()),
        ..RuleSpec::default()
    };
    let policy = Policy::builder().classifier(Arc::new(Classifier::with_rules(&[rule]).unwrap())).build().unwrap();
    let (letters, none) = (LetterSettings::default(), Templates::default());
    let mut plain_work = work(CapturedBy::Explicit);
    plain_work.failure.retry_after = Some(Span::from_secs(9));
    let requested = RequestedRetry { policy: Some(RetryPolicy::Linear), max_retries: None };
    let with_request = FailedWork { requested, ..plain_work.clone() };
    let of = |work: &FailedWork| {
        let assessed = assess(&letters, &none, &policy, work);
        (assessed.terms.source, assessed.hint.delay, NewLetter::new(work, &assessed).hint.retry_after)
    };
    let (delay, wait) = (Some(Span::from_secs(7)), Some(Span::from_secs(9)));
    assert_eq!(of(&plain_work), (PolicySource::Derived, delay, wait), "the rule precedes the default of the queue");
    assert_eq!(of(&with_request), (PolicySource::Explicit, None, wait));
}

#[test]
fn a_category_comes_from_the_request_the_template_or_a_rule_and_disables_the_default_of_the_queue() {
    let default = settings(|letters| letters.default_policy = Some(RetryPolicy::Never));
    let template = LetterTemplate {
        name: "bank".to_owned(),
        when: Some("true".to_owned()),
        category: Some(Category::Network),
        ..LetterTemplate::default()
    };
    let template = Templates::default().with(template, None).unwrap();
    let rule = RuleSpec {
        name: "mine".to_owned(),
        when: Some("true".to_owned()),
        category: Some("resource".to_owned()),
        ..RuleSpec::default()
    };
    let rule = Policy::builder().classifier(Arc::new(Classifier::with_rules(&[rule]).unwrap())).build().unwrap();
    let (none, plain) = (Templates::default(), Policy::default());
    let plain_work = work(CapturedBy::Explicit);
    let with_category = FailedWork { category: Some(Category::Permission), ..plain_work.clone() };
    let of = |templates, policy, work| {
        let assessed = assess(&default, templates, policy, work);
        (assessed.category, assessed.attempt.rule.unwrap(), assessed.terms.policy, assessed.terms.source)
    };
    let derived =
        |category: Category, rule: &str| (category, rule.to_owned(), category.derived_policy(), PolicySource::Derived);
    assert_eq!(of(&template, &rule, &with_category), derived(Category::Permission, "user:bank"));
    assert_eq!(of(&template, &rule, &plain_work), derived(Category::Network, "user:bank"));
    assert_eq!(of(&none, &rule, &plain_work), derived(Category::Resource, "user:mine"));
    let by_default = (Category::Transient, "http:503".to_owned(), RetryPolicy::Never, PolicySource::Default);
    assert_eq!(of(&none, &plain, &plain_work), by_default);
}

#[test]
fn a_destination_comes_from_the_request_the_route_of_a_template_or_the_origin() {
    let (letters, policy) = (LetterSettings::default(), Policy::default());
    let named = FailedWork { destination: Some("ledger".into()), ..work(CapturedBy::Automatic) };
    let of = |templates: &Templates, work: &FailedWork| assess(&letters, templates, &policy, work).destination;
    assert_eq!(&*of(&template(), &named), "ledger");
    assert_eq!(&*of(&template(), &work(CapturedBy::Automatic)), "bank");
    assert_eq!(&*of(&Templates::default(), &work(CapturedBy::Automatic)), "orders");
}

/// Both the policy of the reporter and the queue must accept the failure.
#[test]
fn a_failure_is_captured_if_policy_and_queue_accept_it() {
    use CaptureReason::{Disabled, SkippedByPolicy, SkippedByStrategy};
    use Strategy::{Automatic, Manual, Selective};
    let policy = |strategy| Policy::builder().strategy(strategy).build().unwrap();
    let excluding = Policy::builder().exclude(["category:transient".parse().unwrap()]).build().unwrap();
    let skipped = |policy: &Policy, queue, by, category| {
        let letters = settings(|letters| letters.strategy = Some(queue));
        let work = FailedWork { category: Some(category), ..work(by) };
        assess(&letters, &Templates::default(), policy, &work).skipped
    };
    let (automatic, explicit) = (CapturedBy::Automatic, CapturedBy::Explicit);
    let (passing, lasting) = (Category::Transient, Category::Permanent);
    assert_eq!(skipped(&policy(Automatic), Automatic, automatic, lasting), None);
    assert_eq!(skipped(&policy(Selective), Automatic, automatic, lasting), Some(SkippedByStrategy));
    assert_eq!(skipped(&policy(Automatic), Selective, automatic, lasting), Some(SkippedByStrategy));
    assert_eq!(skipped(&policy(Selective), Selective, automatic, passing), None);
    assert_eq!(skipped(&policy(Automatic), Manual, automatic, passing), Some(SkippedByStrategy));
    assert_eq!(skipped(&policy(Manual), Manual, explicit, lasting), None);
    for (own, queue) in [(Strategy::Disabled, Automatic), (Automatic, Strategy::Disabled)] {
        assert_eq!(skipped(&policy(own), queue, explicit, passing), Some(Disabled));
    }
    assert_eq!(skipped(&excluding, Automatic, automatic, passing), Some(SkippedByPolicy));
    assert_eq!(skipped(&excluding, Automatic, explicit, passing), None, "an explicit capture ignores the exclude list");
}

#[test]
fn a_capture_overwrites_reserved_metadata_keys_of_the_caller() {
    let mut work = work(CapturedBy::Explicit);
    let forged = [(CaptureContext::MATCHED_TEMPLATE, "forged@9"), (CaptureContext::BROKEN_TEMPLATE, "forged")];
    work.context.metadata.extend(forged.map(|(key, value)| (key.to_owned(), value.into())));
    let assessed = assess(&LetterSettings::default(), &template(), &Policy::default(), &work);
    let letter = NewLetter::new(&work, &assessed);
    let noted = |key: &str| letter.context.metadata.get(key).and_then(|value| value.as_str());
    assert_eq!(noted(CaptureContext::MATCHED_TEMPLATE), Some("bank@1"));
    assert_eq!(noted(CaptureContext::BROKEN_TEMPLATE), None);
    assert_eq!(noted(CaptureContext::ENQUEUED_BY), Some("manual"));
    assert_eq!(letter.context.note.as_deref(), Some("call them"));
    assert_eq!((letter.attempt.rule.as_deref(), letter.attempt.ended_at), (Some("http:503"), Some(NOW)));
    assert_eq!((letter.category, letter.fingerprint), (Category::Transient, assessed.fingerprint));
}

#[test]
fn the_priority_comes_from_the_request_then_the_metadata_then_is_medium() {
    let of = |requested: Option<Priority>, in_metadata| {
        let mut work = FailedWork { priority: requested, ..work(CapturedBy::Automatic) };
        work.context.metadata.insert(CaptureContext::PRIORITY.to_owned(), in_metadata);
        let assessed = assess(&LetterSettings::default(), &Templates::default(), &Policy::default(), &work);
        let letter = NewLetter::new(&work, &assessed);
        assert_eq!(
            letter.context.metadata.get("priority"),
            work.context.metadata.get("priority"),
            "the metadata is unchanged"
        );
        letter.priority
    };
    assert_eq!(of(None, json!("high")), Priority::High);
    assert_eq!(of(None, json!("Low")), Priority::Low);
    assert_eq!(of(Some(Priority::Low), json!("high")), Priority::Low);
    // The key belongs to the caller, who may use it for something else.
    for own in [json!("urgent"), json!(1), json!(null), json!({ "level": "high" }), json!(["high"]), json!("")] {
        assert_eq!(of(None, own.clone()), Priority::Medium, "{own}");
    }
}
