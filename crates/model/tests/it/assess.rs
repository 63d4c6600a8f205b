//! What a failure means for its queue.

use std::sync::Arc;

use redrive_core::{
    CaptureReason, CapturedBy, Category, Classifier, Evidence, Failure, Policy, PolicySource, RequestedRetry,
    RetryPolicy, RetryTerms, RuleSpec, Strategy, Time,
};
use redrive_model::capture::{Assessment, CaptureRules, FailedWork};
use redrive_model::{CaptureContext, LetterOverrides, LetterSettings, LetterTemplate, NewLetter, Origin, Templates};

const NOW: Time = Time::from_secs(1_800_000_000);

fn work(by: CapturedBy) -> FailedWork {
    let origin = Origin { name: "orders".to_owned(), ..Origin::default() };
    let context = CaptureContext { origin, ..CaptureContext::default() };
    let failure = Failure::typed(Evidence::http(503));
    FailedWork { context, by, ..FailedWork::new("order-1", failure, NOW) }
}

fn settings(change: impl FnOnce(&mut LetterOverrides)) -> LetterSettings {
    let mut own = LetterOverrides::default();
    change(&mut own);
    own.over(&LetterSettings::default())
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

/// A rule of the user's own.
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
    CaptureRules { letters, templates, policy }.assess(work)
}

#[test]
fn what_its_owner_asks_for_goes_before_the_template_that_before_a_rule_that_before_the_queue_that_before_the_category()
{
    let default = settings(|letters| letters.default_policy = Some(RetryPolicy::Never));
    let (template, none) = (template(), Templates::default());
    let (rule, plain) = (by_rule(), Policy::default());
    let open = work(CapturedBy::Explicit);
    let requested = RequestedRetry { policy: Some(RetryPolicy::Exponential), max_retries: Some(1) };
    let asking = FailedWork { requested, ..open.clone() };
    let named = FailedWork { category: Some(Category::Resource), ..open.clone() };
    let explicit = PolicySource::Explicit;
    let terms = |policy, source, max_retries| RetryTerms { policy, source, max_retries };

    let of = |templates, policy, work| assess(&default, templates, policy, work).terms;
    assert_eq!(of(&template, &rule, &asking), terms(RetryPolicy::Exponential, explicit, 1));
    assert_eq!(of(&template, &rule, &open), terms(RetryPolicy::Linear, explicit, 8));
    assert_eq!(of(&none, &rule, &open), terms(RetryPolicy::Immediate, explicit, 3));
    assert_eq!(of(&none, &plain, &open), terms(RetryPolicy::Never, PolicySource::Default, 3));
    // Who names a category, or reports every failure, gets what the category suggests.
    let derived = Category::Resource.derived_policy();
    assert_eq!(of(&none, &plain, &named), terms(derived, PolicySource::Derived, 3));
    let automatic = work(CapturedBy::Automatic);
    let derived = Category::Transient.derived_policy();
    assert_eq!(of(&none, &plain, &automatic), terms(derived, PolicySource::Derived, 3));
    let seven = settings(|letters| letters.max_retries = Some(7));
    assert_eq!(assess(&seven, &none, &plain, &automatic).terms.max_retries, 7);
}

#[test]
fn a_destination_is_named_or_routed_or_the_origin() {
    let (letters, policy) = (LetterSettings::default(), Policy::default());
    let named = FailedWork { destination: Some("ledger".into()), ..work(CapturedBy::Automatic) };
    let of = |templates: &Templates, work: &FailedWork| assess(&letters, templates, &policy, work).destination;
    assert_eq!(&*of(&template(), &named), "ledger");
    assert_eq!(&*of(&template(), &work(CapturedBy::Automatic)), "bank");
    assert_eq!(&*of(&Templates::default(), &work(CapturedBy::Automatic)), "orders");
}

/// The policy of whoever reports a failure and its queue must agree.
#[test]
fn a_failure_is_captured_where_policy_and_queue_agree() {
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
    assert_eq!(skipped(&excluding, Automatic, explicit, passing), None, "somebody wants it");
}

#[test]
fn a_letter_says_by_what_it_was_made_whatever_its_owner_says() {
    let mut work = work(CapturedBy::Explicit);
    let claimed = [(CaptureContext::MATCHED_TEMPLATE, "forged@9"), (CaptureContext::BROKEN_TEMPLATE, "forged")];
    work.context.metadata.extend(claimed.map(|(key, value)| (key.to_owned(), value.to_owned())));
    let assessed = assess(&LetterSettings::default(), &template(), &Policy::default(), &work);
    let letter = NewLetter::new(&work, &assessed);
    let noted = |key: &str| letter.context.metadata.get(key).map(String::as_str);
    assert_eq!(noted(CaptureContext::MATCHED_TEMPLATE), Some("bank@1"));
    assert_eq!(noted(CaptureContext::BROKEN_TEMPLATE), None);
    assert_eq!(noted(CaptureContext::ENQUEUED_BY), Some("manual"));
    assert_eq!(letter.context.note.as_deref(), Some("call them"));
    assert_eq!((letter.attempt.rule.as_deref(), letter.attempt.ended_at), (Some("http:503"), Some(NOW)));
    assert_eq!((letter.category, letter.fingerprint), (Category::Transient, assessed.fingerprint));
}
