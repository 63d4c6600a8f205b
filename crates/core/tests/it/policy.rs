//! The order of decisions, one rule at a time.

use redrive_core::{
    Answer, AttemptLimit, Attempts, Backoff, CapturedBy, Category, Classifier, DeadReason, Decision, DropReason,
    ErrorMatcher, Evidence, Failure, Jitter, LetterDelays, LetterTerms, Policy, PolicyBuilder, RetryPolicy, RuleSpec,
    Span, Strategy, Template, Time,
};
use std::sync::Arc;

const NOW: Time = Time::from_secs(1_800_000_000);
const CYCLE: Span = Span::from_secs(30);

fn in_span(span: Span) -> Time {
    NOW.saturating_add(span)
}

fn decide(policy: &Policy, failure: &Failure, attempts: u32) -> Decision {
    policy.decide(failure, Attempts::charged(attempts, NOW), NOW, 0).decision
}

fn decide_letter(policy: &Policy, terms: LetterTerms<'_>, failure: &Failure, attempts: u32) -> Decision {
    policy.decide_letter(failure, terms, Attempts::charged(attempts, NOW), NOW, 0).decision
}

fn http(status: u16) -> Failure {
    Failure::typed(Evidence::http(status))
}

fn matcher(text: &str) -> ErrorMatcher {
    text.parse().unwrap()
}

fn build(builder: PolicyBuilder) -> Policy {
    builder.build().unwrap()
}

#[track_caller]
fn assert_dead(decision: &Decision, label: &str) {
    let Decision::DeadLetter { reason } = decision else { panic!("not a dead letter: {decision}") };
    assert_eq!(reason.label(), label, "{reason}");
}

#[test]
fn the_last_attempt_exhausts_and_the_one_before_does_not() {
    let policy = build(Policy::builder().max_attempts(3));
    assert!(matches!(decide(&policy, &http(503), 2), Decision::Retry { charged: true, .. }));
    assert_dead(&decide(&policy, &http(503), 3), "exhausted");
    assert_dead(&decide(&policy, &http(503), 4), "exhausted");
}

#[test]
fn a_spent_budget_comes_before_never() {
    let policy = build(Policy::builder().limit(AttemptLimit::of_letter(0).unwrap()));
    assert_dead(&decide(&policy, &http(404), 1), "exhausted");
    let policy = build(Policy::builder());
    assert_dead(&decide(&policy, &http(404), 1), "permanent");
}

#[test]
fn each_category_has_its_backoff() {
    let policy = build(Policy::builder());
    let after = |status: u16, attempts: u32| decide(&policy, &http(status), attempts);
    assert_eq!(after(503, 2), Decision::Retry { at: in_span(Span::from_mins(2)), charged: true });
    assert_eq!(after(504, 2), Decision::Retry { at: in_span(Span::from_mins(2)), charged: true });
    assert_eq!(after(507, 2), Decision::Retry { at: in_span(Span::from_mins(10)), charged: true });
    for status in [401, 422, 404] {
        assert_dead(&after(status, 2), "permanent");
    }
}

#[test]
fn a_default_backoff_serves_the_categories_that_are_retried() {
    let second = Backoff::fixed(Span::from_secs(1));
    let policy = build(Policy::builder().backoff(second.clone()).backoff_for(Category::Resource, Backoff::IMMEDIATE));
    assert_eq!(decide(&policy, &http(503), 1), Decision::Retry { at: in_span(Span::from_secs(1)), charged: true });
    assert_eq!(decide(&policy, &http(507), 1), Decision::Retry { at: NOW, charged: true });
    assert_dead(&decide(&policy, &http(404), 1), "permanent");
    let policy = build(Policy::builder().backoff_for_all(second));
    assert!(matches!(decide(&policy, &http(404), 1), Decision::Retry { .. }));
}

#[test]
fn excluded_errors_are_retried_for_free_for_ever() {
    let policy =
        build(Policy::builder().max_attempts(1).exclude([matcher("rate_limit"), matcher("category:validation")]));
    let attempts = Attempts { charged: 900, deliveries: 3, since: NOW };
    let decision = policy.decide(&http(429), attempts, NOW, 0).decision;
    assert_eq!(decision, Decision::Retry { at: in_span(Span::from_mins(4)), charged: false });
    // A category whose own backoff is never gets the default one: it must come back some time.
    let decision = policy.decide(&http(422), attempts, NOW, 0).decision;
    assert!(matches!(decision, Decision::Retry { charged: false, at } if at > NOW));
    assert_dead(&decide(&policy, &http(503), 1), "exhausted");
}

#[test]
fn included_errors_die_at_once() {
    let policy = build(Policy::builder().limit(AttemptLimit::Unlimited).include([matcher("rule:http:503")]));
    assert_dead(&decide(&policy, &http(503), 1), "included");
    assert!(matches!(decide(&policy, &http(502), 1), Decision::Retry { .. }));
}

#[test]
fn exclusion_wins_over_inclusion() {
    let policy = build(Policy::builder().include([matcher("connection")]).exclude([matcher("connection.reset")]));
    let failure = |kind: &str| Failure::of_kind(kind.parse().unwrap(), "");
    assert!(matches!(decide(&policy, &failure("connection.reset"), 9), Decision::Retry { charged: false, .. }));
    assert_dead(&decide(&policy, &failure("connection.refused"), 1), "included");
}

#[test]
fn lists_match_by_kind_and_its_parents_wherever_in_the_chain() {
    let dies = |entry: &str, failure: &Failure| {
        let policy = build(Policy::builder().limit(AttemptLimit::Unlimited).include([matcher(entry)]));
        matches!(decide(&policy, failure, 1), Decision::DeadLetter { reason: DeadReason::Included { .. } })
    };
    let reset = Failure::of_kind("connection.reset".parse().unwrap(), "");
    assert!(dies("connection", &reset));
    assert!(dies("Connection.Reset", &reset));
    assert!(!dies("connection.reset.hard", &reset));
    assert!(!dies("connectio", &reset));
    assert!(dies("connection", &Failure::new("outer").caused_by(reset)));

    let mut subclass = Failure::of_kind("ConnectionResetError".parse().unwrap(), "");
    subclass.error.parents = ["ConnectionError", "OSError"].map(|parent| parent.parse().unwrap()).to_vec();
    assert!(dies("OSError", &subclass));
    assert!(!dies("ValueError", &subclass));

    // Evidence has a kind, too, the same for every protocol that says it.
    assert!(dies("timeout", &http(504)));
    assert!(dies("timeout", &Failure::from_error(&std::io::Error::from(std::io::ErrorKind::TimedOut))));
    assert!(dies("network", &http(504)), "the name of a category means the category");
    assert!(dies("rule:http", &http(504)));
    assert!(!dies("rule:http:50", &http(504)));
    assert!(dies("rule:phrase:timed out", &Failure::new("timed out")));
    assert!(dies("Category:Network", &http(504)));
    assert!(dies("quota", &http(507)));
    assert!(dies("connection.eof", &Failure::from_error(&std::io::Error::from(std::io::ErrorKind::UnexpectedEof))));
    assert!(dies("std::io::Error", &Failure::of_kind("std::io::Error".parse().unwrap(), "")));
}

#[test]
fn the_predicate_is_asked_first_and_may_abstain() {
    let policy = build(Policy::builder().max_attempts(2).exclude([matcher("rate_limit")]).predicate(|question| {
        match question.failure.error.message.as_str() {
            "kill" => Some(Answer::DeadLetter),
            "spare" => Some(Answer::Retry),
            _ => None,
        }
    }));
    let with = |message: &str| Failure::new(message).with_evidence(Evidence::http(429));
    assert_dead(&decide(&policy, &with("kill"), 1), "predicate");
    assert!(matches!(decide(&policy, &with("spare"), 99), Decision::Retry { charged: false, .. }));
    assert!(matches!(decide(&policy, &with("other"), 99), Decision::Retry { charged: false, .. }));
    assert_dead(&decide(&policy, &http(503), 2), "exhausted");
}

#[test]
fn the_deadline_counts_from_the_beginning_and_looks_ahead() {
    let policy = build(Policy::builder().limit(AttemptLimit::Unlimited).deadline(Span::from_mins(10)));
    let at =
        |since: Time, attempts: u32| policy.decide(&http(503), Attempts::charged(attempts, since), NOW, 0).decision;
    assert!(matches!(at(NOW, 4), Decision::Retry { .. }), "8 minutes fit");
    assert_dead(&at(NOW, 5), "deadline");
    assert!(matches!(at(NOW.saturating_sub(Span::from_mins(8)), 2), Decision::Retry { .. }), "8 + 2 just fit");
    assert_dead(&at(NOW.saturating_sub(Span::from_mins(9)), 2), "deadline");
}

#[test]
fn a_hint_is_a_lower_bound() {
    let policy = build(Policy::builder());
    let hinted = |hint: Span| decide(&policy, &http(503).with_retry_after(hint), 1);
    assert_eq!(hinted(Span::from_secs(5)), Decision::Retry { at: in_span(Span::from_mins(1)), charged: true });
    assert_eq!(hinted(Span::from_mins(7)), Decision::Retry { at: in_span(Span::from_mins(7)), charged: true });
}

#[test]
fn refused_work_is_deferred_to_when_it_may_be_asked_again() {
    let policy = build(Policy::builder().max_attempts(1).include([matcher("refused")]));
    let later = in_span(Span::from_secs(10));
    assert_eq!(decide(&policy, &Failure::refused(Some(later)), 5), Decision::Defer { until: later });
    assert_eq!(decide(&policy, &Failure::refused(Some(Time::EPOCH)), 5), Decision::Defer { until: NOW });
    assert_eq!(decide(&policy, &Failure::refused(None), 5), Decision::Defer { until: in_span(Span::from_mins(1)) });
}

#[test]
fn a_drop_needs_a_strategy_that_skips() {
    let final_decision = |strategy: Strategy, status: u16| {
        decide(&build(Policy::builder().max_attempts(1).strategy(strategy)), &http(status), 1)
    };
    let why = |decision: &Decision| match decision {
        Decision::Drop { why, .. } => Some(*why),
        _ => None,
    };
    for status in [503, 504, 507, 401, 422, 404] {
        let passing = status >= 503;
        assert_eq!(why(&final_decision(Strategy::Automatic, status)), None);
        let selective = (!passing).then_some(DropReason::SkippedByStrategy);
        assert_eq!(why(&final_decision(Strategy::Selective, status)), selective, "{status}");
        assert_eq!(why(&final_decision(Strategy::Manual, status)), Some(DropReason::SkippedByStrategy));
        assert_eq!(why(&final_decision(Strategy::Disabled, status)), Some(DropReason::Disabled));
    }
    // A strategy says what becomes of the final failure; it never ends the attempts early.
    let policy = build(Policy::builder().strategy(Strategy::Disabled));
    assert!(matches!(decide(&policy, &http(503), 1), Decision::Retry { .. }));
    for category in Category::ALL.iter().copied() {
        let explicit = |strategy: Strategy| strategy.refuses(CapturedBy::Explicit, category);
        assert_eq!(explicit(Strategy::Disabled), Some(DropReason::Disabled));
        assert_eq!((explicit(Strategy::Manual), explicit(Strategy::Selective)), (None, None));
        assert_eq!(Strategy::Selective.refuses(CapturedBy::Automatic, category), Strategy::Selective.skips(category));
    }
}

#[test]
fn a_users_rule_sets_backoff_and_limit_unless_the_letter_has_its_own() {
    let rule = |spec: RuleSpec| {
        let spec = RuleSpec { name: "r".into(), regex: Some("x".into()), category: Some("permanent".into()), ..spec };
        build(Policy::builder().classifier(Arc::new(Classifier::with_rules(&[spec]).unwrap())))
    };
    let failure = Failure::new("x");
    let delayed = rule(RuleSpec { delay: Some("9s".into()), ..RuleSpec::default() });
    assert_eq!(decide(&delayed, &failure, 1), Decision::Retry { at: in_span(Span::from_secs(9)), charged: true });
    let linear = rule(RuleSpec { policy: Some("linear".into()), max_retries: Some("9".into()), ..RuleSpec::default() });
    assert_eq!(decide(&linear, &failure, 9), Decision::Retry { at: in_span(Span::from_mins(45)), charged: true });
    assert_dead(&decide(&linear, &failure, 10), "exhausted");
    assert_eq!(linear.max_attempts(), AttemptLimit::at_most(10).unwrap(), "what a queue must allow");
    let fewer = rule(RuleSpec { max_retries: Some("1".into()), delay: Some("1s".into()), ..RuleSpec::default() });
    assert_dead(&decide(&fewer, &failure, 2), "exhausted");
    assert_eq!(fewer.max_attempts(), AttemptLimit::at_most(4).unwrap(), "other failures get more");
    let attempts = Attempts { charged: 2, deliveries: 9, since: NOW };
    let decided = linear.decide(&failure, attempts, NOW, 0);
    assert_eq!(decided.decision, Decision::Retry { at: in_span(Span::from_mins(10)), charged: true });

    let limit = AttemptLimit::of_letter(1).unwrap();
    let explicit =
        LetterTerms { delays: LetterDelays::named(RetryPolicy::Immediate, None), limit, retry_interval: CYCLE };
    assert_eq!(decide_letter(&linear, explicit, &failure, 1), Decision::Retry { at: NOW, charged: true });
    assert_dead(&decide_letter(&linear, explicit, &failure, 2), "exhausted");
    // A letter that follows its failures still has its own limit.
    let derived = LetterTerms { delays: LetterDelays::ByCategory, limit, retry_interval: CYCLE };
    let in_five_minutes = Decision::Retry { at: in_span(Span::from_mins(5)), charged: true };
    assert_eq!(decide_letter(&linear, derived, &failure, 1), in_five_minutes);
    assert_dead(&decide_letter(&linear, derived, &failure, 2), "exhausted");
}

#[test]
fn an_immediate_letter_is_retried_at_once_and_then_once_a_cycle() {
    let excluding = build(Policy::builder().exclude(["category:permission".parse().unwrap()]));
    let by_rule =
        RuleSpec { name: "r".into(), regex: Some("x".into()), policy: Some("immediate".into()), ..RuleSpec::default() };
    let by_rule = build(Policy::builder().classifier(Arc::new(Classifier::with_rules(&[by_rule]).unwrap())));
    let by_category = build(Policy::builder().backoff(Backoff::IMMEDIATE));
    let limit = AttemptLimit::of_letter(2).unwrap();
    let own = LetterTerms { delays: LetterDelays::named(RetryPolicy::Immediate, None), limit, retry_interval: CYCLE };
    let derived = LetterTerms { delays: LetterDelays::ByCategory, ..own };
    for (policy, terms, failure) in
        [(&excluding, own, http(503)), (&by_rule, derived, Failure::new("x")), (&by_category, derived, http(503))]
    {
        assert_eq!(decide_letter(policy, terms, &failure, 1), Decision::Retry { at: NOW, charged: true });
        assert_eq!(decide_letter(policy, terms, &failure, 2), Decision::Retry { at: in_span(CYCLE), charged: true });
        assert_dead(&decide_letter(policy, terms, &failure, 3), "exhausted");
    }
    // What costs no attempt would otherwise go round as fast as it fails.
    let free = Decision::Retry { at: in_span(CYCLE), charged: false };
    assert_eq!(decide_letter(&excluding, own, &http(401), 2), free);
    let refused = decide_letter(&excluding, own, &Failure::refused(None), 2);
    assert_eq!(refused, Decision::Defer { until: in_span(CYCLE) });
    assert_eq!(decide(&by_category, &http(503), 2), Decision::Retry { at: NOW, charged: true }, "no letter");
}

#[test]
fn a_letter_is_retried_by_the_delays_of_its_queue_whatever_failed() {
    let policy = build(Policy::builder());
    let limit = AttemptLimit::of_letter(2).unwrap();
    let delays = Backoff::list([7, 9].map(Span::from_secs)).unwrap();
    let custom =
        LetterTerms { delays: LetterDelays::named(RetryPolicy::Custom, Some(&delays)), limit, retry_interval: CYCLE };
    let retry = |secs: u64| Decision::Retry { at: in_span(Span::from_secs(secs)), charged: true };
    assert_eq!(decide_letter(&policy, custom, &http(401), 1), retry(7));
    assert_eq!(decide_letter(&policy, custom, &http(503), 2), retry(9));
    assert_dead(&decide_letter(&policy, custom, &http(503), 3), "exhausted");
    let without = LetterTerms { delays: LetterDelays::named(RetryPolicy::Custom, None), limit, retry_interval: CYCLE };
    assert_dead(&decide_letter(&policy, without, &http(503), 1), "permanent");
}

#[test]
fn a_letter_is_never_dropped_and_keeps_the_deadline() {
    for strategy in Strategy::ALL {
        let policy = build(Policy::builder().strategy(*strategy).deadline(Span::from_mins(10)));
        let delays = LetterDelays::named(RetryPolicy::Linear, None);
        let letter = LetterTerms { delays, limit: AttemptLimit::of_letter(3).unwrap(), retry_interval: CYCLE };
        assert_dead(&decide_letter(&policy, letter, &http(401), 4), "exhausted");
        assert_dead(&decide_letter(&policy, letter, &http(503), 3), "deadline");
    }
}

#[test]
fn a_letter_is_exhausted_only_when_its_attempts_are_spent() {
    use redrive_core::Status;
    let policy = build(
        Policy::builder()
            .max_attempts(2)
            .include([matcher("not_found")])
            .predicate(|question| (question.failure.error.message == "kill").then_some(Answer::DeadLetter)),
    );
    let status = |failure: &Failure, attempts: u32| match decide(&policy, failure, attempts) {
        Decision::DeadLetter { reason } => reason.letter_status(),
        other => panic!("{other}"),
    };
    let killed = Failure::new("kill");
    for failure in [http(404), http(422), killed] {
        assert_eq!((status(&failure, 1), status(&failure, 2)), (Status::Pending, Status::Exhausted), "{failure:?}");
    }
}

#[test]
fn an_error_that_says_a_breaker_refused_it_spends_no_attempt() {
    let policy = build(Policy::builder().max_attempts(1));
    for message in ["CircuitBreakerOpenError: request denied", "circuit open", "the breaker is open"] {
        let decision = decide(&policy, &Failure::new(message), 9);
        assert!(matches!(decision, Decision::Retry { charged: false, at } if at > NOW), "{message}: {decision}");
    }
}

#[test]
fn nothing_is_retried_at_once_for_want_of_a_backoff() {
    let never = Policy::builder().backoff(Backoff::NEVER).predicate(|_| Some(Answer::Retry));
    let policy = build(never);
    assert!(matches!(decide(&policy, &http(503), 1), Decision::Retry { charged: false, at } if at > NOW));
    assert!(matches!(decide(&policy, &Failure::refused(None), 1), Decision::Defer { until } if until > NOW));
}

#[test]
fn free_retries_have_jitter_too() {
    let jittered = Backoff::fixed(Span::from_secs(10)).with_jitter(redrive_core::Jitter::Full);
    let policy = build(Policy::builder().backoff(jittered).exclude([matcher("rate_limit")]));
    let at = |random: u64| policy.decide(&http(429), Attempts::charged(1, NOW), NOW, random).decision;
    assert_ne!(at(0), at(u64::MAX));
}

#[test]
fn a_file_changes_what_its_template_says() {
    let build = |json: &str| serde_json::from_str::<redrive_core::PolicySpec>(json).unwrap().build().unwrap();
    let delay = |policy: &Policy, status: u16| match decide(policy, &http(status), 1) {
        Decision::Retry { at, .. } => at.since(NOW),
        other => panic!("{other}"),
    };
    let policy = build(r#"{"template":"mailbox","backoff":{"network":{"curve":"fixed","first":"7s"}}}"#);
    assert_eq!((delay(&policy, 504), delay(&policy, 404)), (Span::from_secs(7), Span::from_mins(1)));
    let policy = build(r#"{"template":"mailbox","backoff":{"default":{"curve":"fixed","first":"7s"}}}"#);
    assert_eq!((delay(&policy, 504), delay(&policy, 404)), (Span::from_secs(7), Span::from_secs(7)));
    let policy = build(r#"{"template":"mailbox","rules":[{"name":"r","when":"http == 504","policy":"never"}]}"#);
    assert_dead(&decide(&policy, &http(504), 1), "permanent");
}

#[test]
fn throttling_is_one_kind_whoever_says_it() {
    let policy =
        build(Policy::builder().max_attempts(1).exclude([matcher("rate_limit")]).include([matcher("permission")]));
    let throttled = [
        http(429),
        Failure::new("HTTP 429 Too Many Requests"),
        Failure::typed(Evidence::Http { status: 403, rate_limited: true }),
        Failure::new("secondary rate limit").with_evidence(Evidence::http(403)),
        Failure::new("HTTP 500 from upstream")
            .with_evidence(Evidence::http(403))
            .caused_by(Failure::new("rate limit exceeded")),
    ];
    for failure in throttled {
        let decision = decide(&policy, &failure, 1);
        assert!(matches!(decision, Decision::Retry { charged: false, .. }), "{failure:?}: {decision}");
    }
    assert_dead(&decide(&build(Policy::builder().include([matcher("permission")])), &http(403), 1), "included");
}

#[test]
fn reasons_are_sentences() {
    let policy = build(Policy::builder().max_attempts(3).include([matcher("not_found")]));
    let text = |status: u16, attempts: u32| decide(&policy, &http(status), attempts).to_string();
    assert_eq!(text(503, 3), "dead-letter: attempt 3 of 3 failed, the last one as transient (rule http:503)");
    assert_eq!(text(422, 1), "dead-letter: failed as validation (rule http:422), which is not retried by itself");
    assert_eq!(text(404, 1), "dead-letter: failed as permanent (rule http:404); 'not_found' is dead-lettered at once");
}

#[test]
fn every_template_builds_and_says_what_it_is_for() {
    for template in Template::ALL {
        let policy = template.builder().unwrap().build().unwrap();
        assert!(!template.note.is_empty());
        assert!(template.version >= 1);
        let decided = policy.decide(&http(503), Attempts::charged(1, NOW), NOW, 0).decision;
        assert_eq!(matches!(decided, Decision::DeadLetter { .. }), template.name == "poison", "{}", template.name);
    }
}

#[test]
fn jitter_adds_to_every_delay_and_never_comes_before_a_hint() {
    let policy = build(Policy::builder().jitter(Jitter::additive_percent(50).unwrap()));
    let delays = LetterDelays::named(RetryPolicy::Linear, None);
    let named = LetterTerms { delays, limit: AttemptLimit::of_letter(3).unwrap(), retry_interval: CYCLE };
    let at = |policy: &Policy, failure: &Failure, random: u64| {
        policy.decide(failure, Attempts::charged(1, NOW), NOW, random).decision
    };
    let of_letter =
        |random: u64| policy.decide_letter(&http(503), named, Attempts::charged(1, NOW), NOW, random).decision;
    let retry = |span: Span| Decision::Retry { at: in_span(span), charged: true };
    assert_eq!(at(&policy, &http(503), 0), retry(Span::from_secs(60)));
    assert_eq!(at(&policy, &http(503), u64::MAX), retry(Span::from_secs(90)), "by category");
    assert_eq!(of_letter(u64::MAX), retry(Span::from_secs(450)), "by the letter's own policy");
    let hint = http(503).with_retry_after(Span::from_secs(80));
    assert_eq!(at(&policy, &hint, 0), retry(Span::from_secs(80)));
    assert_eq!(at(&policy, &hint, u64::MAX), retry(Span::from_secs(90)));
}
