//! The steps of a decision and their order.

use redrive_core::{
    Answer, AttemptLimit, Attempts, Backoff, CapturedBy, Category, Classifier, DeadReason, Decision, DelayHint,
    DropReason, ErrorMatcher, Evidence, Failure, Jitter, LetterDelays, LetterTerms, Policy, PolicyBuilder, RetryPolicy,
    RuleSpec, Span, Strategy, Template, Time,
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
    let found = policy.classifier().classify(failure, attempts);
    policy.decide_letter(failure, found, terms, Attempts::charged(attempts, NOW), NOW, 0).decision
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
fn exhausted_takes_precedence_over_never() {
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
fn a_default_backoff_applies_to_the_categories_that_are_retried() {
    let second = Backoff::fixed(Span::from_secs(1));
    let policy = build(Policy::builder().backoff(second.clone()).backoff_for(Category::Resource, Backoff::IMMEDIATE));
    assert_eq!(decide(&policy, &http(503), 1), Decision::Retry { at: in_span(Span::from_secs(1)), charged: true });
    assert_eq!(decide(&policy, &http(507), 1), Decision::Retry { at: NOW, charged: true });
    assert_dead(&decide(&policy, &http(404), 1), "permanent");
    let policy = build(Policy::builder().backoff_for_all(second));
    assert!(matches!(decide(&policy, &http(404), 1), Decision::Retry { .. }));
}

#[test]
fn excluded_errors_are_retried_without_charge_and_without_limit() {
    let policy =
        build(Policy::builder().max_attempts(1).exclude([matcher("rate_limit"), matcher("category:validation")]));
    let attempts = Attempts { charged: 900, deliveries: 3, since: NOW };
    let decision = policy.decide(&http(429), attempts, NOW, 0).decision;
    assert_eq!(decision, Decision::Retry { at: in_span(Span::from_mins(4)), charged: false });
    // A category whose backoff is never uses the fallback: the work must be retried eventually.
    let decision = policy.decide(&http(422), attempts, NOW, 0).decision;
    assert!(matches!(decision, Decision::Retry { charged: false, at } if at > NOW));
    assert_dead(&decide(&policy, &http(503), 1), "exhausted");
}

#[test]
fn included_errors_are_dead_lettered_immediately() {
    let policy = build(Policy::builder().limit(AttemptLimit::Unlimited).include([matcher("rule:http:503")]));
    assert_dead(&decide(&policy, &http(503), 1), "included");
    assert!(matches!(decide(&policy, &http(502), 1), Decision::Retry { .. }));
}

#[test]
fn exclude_takes_precedence_over_include() {
    let policy = build(Policy::builder().include([matcher("connection")]).exclude([matcher("connection.reset")]));
    let failure = |kind: &str| Failure::of_kind(kind.parse().unwrap(), "");
    assert!(matches!(decide(&policy, &failure("connection.reset"), 9), Decision::Retry { charged: false, .. }));
    assert_dead(&decide(&policy, &failure("connection.refused"), 1), "included");
}

#[test]
fn lists_match_a_kind_and_its_parents_anywhere_in_the_chain() {
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

    // Evidence has a kind, too, the same for every protocol.
    assert!(dies("timeout", &http(504)));
    assert!(dies("timeout", &Failure::from_error(&std::io::Error::from(std::io::ErrorKind::TimedOut))));
    assert!(dies("network", &http(504)), "the name of a category matches the category");
    assert!(dies("rule:http", &http(504)));
    assert!(!dies("rule:http:50", &http(504)));
    assert!(dies("rule:phrase:timed out", &Failure::new("timed out")));
    assert!(dies("Category:Network", &http(504)));
    assert!(dies("quota", &http(507)));
    assert!(dies("connection.eof", &Failure::from_error(&std::io::Error::from(std::io::ErrorKind::UnexpectedEof))));
    #[derive(Debug, thiserror::Error)]
    #[error("outer")]
    struct Outer(#[source] Failure);
    let inner = Failure::of_kind("validation.schema".parse().unwrap(), "inner");
    let wrapped = Failure::from_error(&Outer(inner.caused_by(http(504))));
    assert!(dies("validation", &wrapped), "a failure among the sources keeps its kind");
    assert!(dies("timeout", &wrapped), "and its causes");
    assert!(dies("std::io::Error", &Failure::of_kind("std::io::Error".parse().unwrap(), "")));
}

#[test]
fn the_predicate_is_evaluated_first_and_may_return_no_answer() {
    let policy = build(Policy::builder().max_attempts(2).exclude([matcher("rate_limit")]).predicate(|input| {
        match input.failure.error.message.as_str() {
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
fn the_deadline_counts_from_the_first_due_time_and_limits_the_next_attempt() {
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
fn work_that_a_breaker_refused_is_deferred_until_it_admits_work() {
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
    // A strategy applies to the final failure only; it never ends the attempts early.
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
fn a_user_rule_sets_backoff_and_limit_unless_the_letter_has_its_own() {
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
    assert_eq!(linear.max_attempts(), AttemptLimit::at_most(10).unwrap(), "the limit of a queue must not be lower");
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
    // A letter whose policy is derived still has its own limit.
    let derived = LetterTerms { delays: LetterDelays::ByCategory, limit, retry_interval: CYCLE };
    let in_five_minutes = Decision::Retry { at: in_span(Span::from_mins(5)), charged: true };
    assert_eq!(decide_letter(&linear, derived, &failure, 1), in_five_minutes);
    assert_dead(&decide_letter(&linear, derived, &failure, 2), "exhausted");
}

#[test]
fn an_immediate_letter_is_retried_immediately_and_then_once_per_cycle() {
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
    // Retries without charge would otherwise run in a busy loop.
    let free = Decision::Retry { at: in_span(CYCLE), charged: false };
    assert_eq!(decide_letter(&excluding, own, &http(401), 2), free);
    let refused = decide_letter(&excluding, own, &Failure::refused(None), 2);
    assert_eq!(refused, Decision::Defer { until: in_span(CYCLE) });
    assert_eq!(decide(&by_category, &http(503), 2), Decision::Retry { at: NOW, charged: true }, "not a letter");
}

#[test]
fn the_custom_delays_of_a_queue_apply_to_every_category() {
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
fn a_letter_whose_failure_is_unknown_is_scheduled_by_the_delay_hint() {
    let policy = build(Policy::builder());
    let terms = |named| LetterTerms {
        delays: LetterDelays::named(named, None),
        limit: AttemptLimit::of_letter(1).unwrap(),
        retry_interval: CYCLE,
    };
    let decide =
        |named, hint, attempts| policy.decide_unseen(terms(named), hint, Attempts::charged(attempts, NOW), NOW, 0);
    let retry = |span: Span| Decision::Retry { at: in_span(span), charged: true };
    let (seconds, hour) = (Span::from_secs(7), Span::from_hours(1));
    assert_eq!(decide(RetryPolicy::Exponential, DelayHint::NONE, 1), retry(Span::from_mins(1)));
    let delay = DelayHint { delay: Some(seconds), ..DelayHint::NONE };
    assert_eq!(decide(RetryPolicy::Exponential, delay, 1), retry(seconds), "shorter than the policy's");
    assert_eq!(decide(RetryPolicy::Never, delay, 1), retry(seconds), "where the category would not be retried");
    assert_dead(&decide(RetryPolicy::Never, delay, 2), "exhausted");

    let later = DelayHint { retry_after: Some(hour), ..DelayHint::NONE };
    assert_eq!(decide(RetryPolicy::Exponential, later, 1), retry(hour), "never before the retry_after");
    let sooner = DelayHint { retry_after: Some(seconds), ..DelayHint::NONE };
    assert_eq!(decide(RetryPolicy::Exponential, sooner, 1), retry(Span::from_mins(1)), "not before the policy's delay");
    assert_dead(&decide(RetryPolicy::Never, later, 1), "permanent");
    let for_ever = DelayHint { retry_after: Some(Span::from_days(400)), ..DelayHint::NONE };
    assert_eq!(decide(RetryPolicy::Exponential, for_ever, 1), retry(Span::from_hours(24)));
}

#[test]
fn a_letter_is_never_dropped_and_the_deadline_applies_to_it() {
    for strategy in Strategy::ALL {
        let policy = build(Policy::builder().strategy(*strategy).deadline(Span::from_mins(10)));
        let delays = LetterDelays::named(RetryPolicy::Linear, None);
        let letter = LetterTerms { delays, limit: AttemptLimit::of_letter(3).unwrap(), retry_interval: CYCLE };
        assert_dead(&decide_letter(&policy, letter, &http(401), 4), "exhausted");
        assert_dead(&decide_letter(&policy, letter, &http(503), 3), "deadline");
    }
}

#[test]
fn a_letter_is_exhausted_only_if_no_attempts_are_left() {
    use redrive_core::Status;
    let policy = build(
        Policy::builder()
            .max_attempts(2)
            .include([matcher("not_found")])
            .predicate(|input| (input.failure.error.message == "kill").then_some(Answer::DeadLetter)),
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
fn an_error_text_that_names_an_open_breaker_spends_no_attempt() {
    let policy = build(Policy::builder().max_attempts(1));
    for message in ["CircuitBreakerOpenError: request denied", "circuit open", "the breaker is open"] {
        let decision = decide(&policy, &Failure::new(message), 9);
        assert!(matches!(decision, Decision::Retry { charged: false, at } if at > NOW), "{message}: {decision}");
    }
}

/// When the work is retried if its destination is to blame.
fn spared(policy: &Policy, failure: &Failure, attempts: Attempts) -> Option<Time> {
    policy.decide(failure, attempts, NOW, 0).spared_until
}

#[test]
fn a_failure_that_may_pass_can_be_spared_whatever_it_costs_the_work() {
    let mortal = Policy::builder().max_attempts(3).deadline(Span::from_secs(1)).include([matcher("provider")]);
    let never = Policy::builder().max_attempts(3).backoff(Backoff::NEVER);
    let passing = [http(503), http(504), http(507), Failure::new("connection reset by peer")];
    // These show that the destination answers: the work itself failed.
    let lasting = [http(400), http(401), http(403), http(404), http(422), Failure::new("no such order")];
    for policy in [mortal, never, Policy::builder().max_attempts(3)].map(build) {
        for charged in [1, 2, 3, 9] {
            let attempts = Attempts::charged(charged, NOW);
            for failure in &passing {
                let until = spared(&policy, failure, attempts);
                assert!(until.is_some_and(|until| until > NOW), "{failure:?}, {charged}: {until:?}");
            }
            for failure in &lasting {
                assert_eq!(spared(&policy, failure, attempts), None, "{failure:?}, {charged}");
            }
        }
    }
}

/// The destination being to blame is an opinion of the caller: the decision is the one about the work.
#[test]
fn a_failure_that_can_be_spared_is_decided_as_that_of_the_work() {
    let policy = build(Policy::builder().max_attempts(3).deadline(Span::from_hours(1)).include([matcher("timeout")]));
    let decided = |failure: &Failure, charged: u32, since: Time| {
        let decided = policy.decide(failure, Attempts::charged(charged, since), NOW, 0);
        assert!(decided.spared_until.is_some(), "{failure:?}");
        decided.decision
    };
    let retry = Decision::Retry { at: in_span(Span::from_mins(1)), charged: true };
    assert_eq!(decided(&http(503), 1, NOW), retry);
    assert_dead(&decided(&http(503), 3, NOW), "exhausted");
    assert_dead(&decided(&http(504), 1, NOW), "included");
    assert_dead(&decided(&http(503), 1, NOW.saturating_sub(Span::from_hours(1))), "deadline");
    let never = build(Policy::builder().backoff(Backoff::NEVER));
    assert_dead(&decide(&never, &http(503), 1), "permanent");
}

/// The time is that of a retry without a charge: by deliveries, by the fallback, and not before the hint.
#[test]
fn spared_work_is_retried_like_excluded_work() {
    let minutes = |minutes: u64| in_span(Span::from_mins(minutes));
    let policy = build(Policy::builder().max_attempts(1));
    let attempts = |charged: u32, deliveries: u32| Attempts { charged, deliveries, since: NOW };
    for (charged, deliveries, expected) in [(1, 1, 1), (1, 3, 4), (900, 3, 4), (1, 4, 8)] {
        let until = spared(&policy, &http(503), attempts(charged, deliveries));
        assert_eq!(until, Some(minutes(expected)), "{charged}, {deliveries}");
    }
    let hinted = http(503).with_retry_after(Span::from_mins(7));
    assert_eq!(spared(&policy, &hinted, attempts(1, 1)), Some(minutes(7)));

    let rule = RuleSpec {
        name: "r".into(),
        regex: Some("later".into()),
        category: Some("transient".into()),
        delay: Some("9h".into()),
        ..RuleSpec::default()
    };
    let rules = || Arc::new(Classifier::with_rules(std::slice::from_ref(&rule)).unwrap());
    let builders: [fn() -> PolicyBuilder; 4] = [
        Policy::builder,
        || Policy::builder().backoff_for(Category::Transient, Backoff::NEVER),
        || Policy::builder().backoff_for(Category::Network, Backoff::fixed(Span::from_secs(3))),
        || Policy::builder().jitter(Jitter::additive_percent(50).unwrap()),
    ];
    for builder in builders {
        let plain = build(builder().classifier(rules()));
        let excluding = build(builder().classifier(rules()).exclude(["transient", "network", "resource"].map(matcher)));
        for failure in [http(503), http(504), http(507), hinted.clone(), Failure::new("later")] {
            for (attempts, random) in [(attempts(1, 1), 0), (attempts(9, 2), 5), (attempts(2, 9), u64::MAX)] {
                let free = excluding.decide(&failure, attempts, NOW, random).decision;
                let until = plain.decide(&failure, attempts, NOW, random).spared_until;
                assert_eq!(until.map(|at| Decision::Retry { at, charged: false }), Some(free), "{failure:?}");
            }
        }
    }
}

#[test]
fn a_letter_is_spared_by_its_own_backoff() {
    let policy = build(Policy::builder());
    let limit = AttemptLimit::of_letter(0).unwrap();
    let delays = Backoff::list([7, 9].map(Span::from_secs)).unwrap();
    let own =
        LetterTerms { delays: LetterDelays::named(RetryPolicy::Custom, Some(&delays)), limit, retry_interval: CYCLE };
    let at_once = LetterTerms { delays: LetterDelays::named(RetryPolicy::Immediate, None), ..own };
    let derived = LetterTerms { delays: LetterDelays::ByCategory, ..own };
    let spared = |terms: LetterTerms<'_>, failure: &Failure, attempts: u32| {
        let found = policy.classifier().classify(failure, attempts);
        policy.decide_letter(failure, found, terms, Attempts::charged(attempts, NOW), NOW, 0).spared_until
    };
    assert_eq!(spared(own, &http(503), 2), Some(in_span(Span::from_secs(9))));
    assert_eq!(spared(at_once, &http(503), 2), Some(in_span(CYCLE)), "not in a busy loop");
    assert_eq!(spared(derived, &http(503), 2), Some(in_span(Span::from_mins(2))));
    assert_eq!(spared(own, &http(422), 2), None);
}

/// The caller knows the work: its answer decides, whatever else explains the failure.
#[test]
fn an_answer_of_the_caller_precedes_the_lists_and_the_limit() {
    let lists = Policy::builder().max_attempts(3).exclude([matcher("timeout")]).include([matcher("provider")]);
    let policy = build(lists.predicate(|_| panic!("the caller has answered")));
    for charged in [1, 3, 9] {
        let attempts = Attempts::charged(charged, NOW);
        for failure in [http(503), http(504), http(422)] {
            let decided = |answer| policy.decide_answered(Some(answer), &failure, attempts, NOW, 0).decision;
            let reason = if charged >= 3 { "exhausted" } else { "predicate" };
            assert_dead(&decided(Answer::DeadLetter), reason);
            let retried = decided(Answer::Retry);
            assert!(matches!(retried, Decision::Retry { charged: false, at } if at > NOW), "{failure:?}: {retried}");
        }
    }
    // A call that was refused says nothing about the work, about which the caller was asked.
    let refused = Failure::refused(Some(NOW));
    let attempts = Attempts::charged(1, NOW);
    let decision = policy.decide_answered(Some(Answer::DeadLetter), &refused, attempts, NOW, 0).decision;
    assert!(matches!(decision, Decision::Defer { .. }), "{decision}");
}

#[test]
fn what_is_decided_whoever_is_to_blame_is_not_spared() {
    let policy = build(Policy::builder().max_attempts(3));
    let lenient = build(Policy::builder().max_attempts(3).exclude([matcher("category:transient")]));
    let asking =
        build(Policy::builder().max_attempts(3).predicate(|input| match input.failure.error.message.as_str() {
            "kill" => Some(Answer::DeadLetter),
            "spare" => Some(Answer::Retry),
            _ => None,
        }));
    let said = |message: &str| Failure::new(message).with_evidence(Evidence::http(503));
    let cases = [
        (&policy, None, http(503), true),
        (&lenient, None, http(504), true),
        (&asking, None, http(503), true),
        // The caller or the predicate has answered.
        (&policy, Some(Answer::Retry), http(503), false),
        (&policy, Some(Answer::DeadLetter), http(503), false),
        (&asking, None, said("spare"), false),
        (&asking, None, said("kill"), false),
        // It is retried without a charge anyway.
        (&policy, None, Failure::new("circuit open"), false),
        (&lenient, None, http(503), false),
        // It was not attempted.
        (&policy, None, Failure::refused(None), false),
        (&policy, None, Failure::refused(Some(in_span(CYCLE))), false),
    ];
    for (policy, answer, failure, expected) in cases {
        for charged in [1, 3] {
            let decided = policy.decide_answered(answer, &failure, Attempts::charged(charged, NOW), NOW, 0);
            assert_eq!(decided.spared_until.is_some(), expected, "{failure:?}, {charged}: {}", decided.decision);
        }
    }
}

#[test]
fn work_without_a_backoff_is_not_retried_immediately() {
    let never = Policy::builder().backoff(Backoff::NEVER).predicate(|_| Some(Answer::Retry));
    let policy = build(never);
    assert!(matches!(decide(&policy, &http(503), 1), Decision::Retry { charged: false, at } if at > NOW));
    assert!(matches!(decide(&policy, &Failure::refused(None), 1), Decision::Defer { until } if until > NOW));
}

#[test]
fn uncharged_retries_have_jitter_too() {
    let jittered = Backoff::fixed(Span::from_secs(10)).with_jitter(redrive_core::Jitter::Full);
    let policy = build(Policy::builder().backoff(jittered).exclude([matcher("rate_limit")]));
    let at = |random: u64| policy.decide(&http(429), Attempts::charged(1, NOW), NOW, random).decision;
    assert_ne!(at(0), at(u64::MAX));
}

#[test]
fn fields_of_a_configuration_override_its_template() {
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
fn every_form_of_throttling_has_the_same_kind() {
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
    assert_eq!(text(422, 1), "dead-letter: failed as validation (rule http:422), which is not retried automatically");
    assert_eq!(text(404, 1), "dead-letter: failed as permanent (rule http:404); 'not_found' is dead-lettered at once");
}

#[test]
fn every_template_builds_and_has_a_note() {
    for template in Template::ALL {
        let policy = template.builder().unwrap().build().unwrap();
        assert!(!template.note.is_empty());
        assert!(template.version >= 1);
        let decided = policy.decide(&http(503), Attempts::charged(1, NOW), NOW, 0).decision;
        assert_eq!(matches!(decided, Decision::DeadLetter { .. }), template.name == "poison", "{}", template.name);
    }
}

#[test]
fn jitter_applies_to_every_delay_and_never_precedes_a_hint() {
    let policy = build(Policy::builder().jitter(Jitter::additive_percent(50).unwrap()));
    let delays = LetterDelays::named(RetryPolicy::Linear, None);
    let named = LetterTerms { delays, limit: AttemptLimit::of_letter(3).unwrap(), retry_interval: CYCLE };
    let at = |policy: &Policy, failure: &Failure, random: u64| {
        policy.decide(failure, Attempts::charged(1, NOW), NOW, random).decision
    };
    let of_letter = |random: u64| {
        let failure = http(503);
        let found = policy.classifier().classify(&failure, 1);
        policy.decide_letter(&failure, found, named, Attempts::charged(1, NOW), NOW, random).decision
    };
    let retry = |span: Span| Decision::Retry { at: in_span(span), charged: true };
    assert_eq!(at(&policy, &http(503), 0), retry(Span::from_secs(60)));
    assert_eq!(at(&policy, &http(503), u64::MAX), retry(Span::from_secs(90)), "by category");
    assert_eq!(of_letter(u64::MAX), retry(Span::from_secs(450)), "by the letter's own policy");
    let hint = http(503).with_retry_after(Span::from_secs(80));
    assert_eq!(at(&policy, &hint, 0), retry(Span::from_secs(80)));
    assert_eq!(at(&policy, &hint, u64::MAX), retry(Span::from_secs(90)));
}
