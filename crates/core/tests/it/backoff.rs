//! Delays compared with literal tables.

use proptest::prelude::*;
use redrive_core::{Backoff, Category, CustomBackoff, Formula, Jitter, RetryPolicy, Span, Template};

fn delays(backoff: &Backoff, count: u32) -> Vec<String> {
    (1..=count).map(|failed| backoff.delay(failed, 0).map_or("never".into(), |delay| delay.to_string())).collect()
}

#[test]
fn the_named_policies_have_their_documented_delays() {
    let of = |policy: RetryPolicy| delays(policy.backoff().unwrap(), 9);
    assert_eq!(of(RetryPolicy::Never), ["never"; 9]);
    assert_eq!(of(RetryPolicy::Immediate), ["0s"; 9]);
    assert_eq!(
        of(RetryPolicy::Linear),
        ["5m0s", "10m0s", "15m0s", "20m0s", "25m0s", "30m0s", "35m0s", "40m0s", "45m0s"]
    );
    assert_eq!(
        of(RetryPolicy::Exponential),
        ["1m0s", "2m0s", "4m0s", "8m0s", "16m0s", "32m0s", "1h0m0s", "1h0m0s", "1h0m0s"],
    );
    assert_eq!(RetryPolicy::Custom.backoff(), None);
}

/// The first delays of each template, with minimum and maximum jitter.
#[test]
fn templates_have_their_documented_delays() {
    let policy = |name: &str| Template::named(name).unwrap().builder().unwrap().build().unwrap();
    let of = |name: &str, random: u64| -> Vec<String> {
        let policy = policy(name);
        let backoff = policy.backoff(Category::Transient);
        (1..=7).map(|failed| backoff.delay(failed, random).unwrap().to_string()).collect()
    };
    assert_eq!(of("kafka-consumer", 0), ["1s", "2s", "4s", "8s", "16s", "30s", "30s"]);
    assert_eq!(of("kafka-consumer", u64::MAX), ["1.2s", "2.2s", "4.2s", "8.2s", "16.2s", "30.2s", "30.2s"]);
    assert_eq!(of("pipeline-module", 0), ["50ms", "100ms", "200ms", "400ms", "800ms", "1s", "1s"]);
    assert_eq!(of("pipeline-module", u64::MAX), ["150ms", "300ms", "600ms", "1.2s", "2s", "2s", "2s"]);
    // min(60 n, 900) seconds for every category.
    let mailbox = policy("mailbox");
    for category in Category::ALL {
        let delay = |failed: u32| mailbox.backoff(*category).delay(failed, u64::MAX).unwrap();
        assert_eq!([1, 2, 14, 15, 16, 1000].map(delay), [1, 2, 14, 15, 15, 15].map(Span::from_mins));
    }
    assert_eq!(of("database", 0)[..3], ["0s", "0s", "0s"]);
    assert_eq!(of("database", u64::MAX), ["20ms", "40ms", "80ms", "160ms", "320ms", "640ms", "1.28s"]);
    assert_eq!(of("lease-queue", 0), ["0s"; 7]);
    assert_eq!(of("long-outage", u64::MAX)[6..], ["1h0m0s"]);
}

#[test]
fn templates_have_their_documented_limits() {
    let limits: Vec<String> = Template::ALL
        .iter()
        .map(|template| {
            let policy = template.builder().unwrap().build().unwrap();
            let deadline = policy.deadline().map_or("-".into(), |deadline| deadline.to_string());
            format!("{} {} {deadline}", template.name, policy.max_attempts())
        })
        .collect();
    assert_eq!(
        limits,
        [
            "http-api 8 24h0m0s",
            "database 6 -",
            "long-outage unlimited 168h0m0s",
            "quota unlimited 24h0m0s",
            "poison 1 -",
            "letters 4 -",
            "kafka-consumer 3 -",
            "mailbox 5 -",
            "pipeline-module 3 -",
            "lease-queue unlimited -",
        ],
    );
}

#[test]
fn a_curve_has_a_name() {
    let second = Span::from_secs(1);
    let curves = [
        Backoff::NEVER,
        Backoff::IMMEDIATE,
        Backoff::fixed(second),
        Backoff::linear(second, second),
        Backoff::exponential(second, 2.0).unwrap(),
        Backoff::list([second]).unwrap(),
        Backoff::formula(Formula::new("n").unwrap()),
        Backoff::custom("mine", |_| Span::ZERO),
    ];
    let names: Vec<_> = curves.iter().map(|backoff| backoff.curve().name()).collect();
    assert_eq!(names, ["never", "immediate", "fixed", "linear", "exponential", "list", "cel", "custom"]);
}

#[test]
fn factors_may_be_fractional() {
    let tenth = Backoff::exponential(Span::from_secs(1), 1.1).unwrap();
    assert_eq!(delays(&tenth, 3), ["1s", "1.1s", "1.21s"]);
    let backoff = Backoff::exponential(Span::from_secs(8), 1.5).unwrap();
    assert_eq!(delays(&backoff, 5), ["8s", "12s", "18s", "27s", "40.5s"]);
    let slow = Backoff::exponential(Span::from_micros(1), 1.001).unwrap();
    assert!(slow.delay(20_000, 0) > slow.delay(10_000, 0), "rounding must not stop the growth");
    let constant = Backoff::exponential(Span::from_secs(3), 1.0).unwrap();
    assert_eq!(constant.delay(4_000_000_000, 0), Some(Span::from_secs(3)));
}

#[test]
fn a_list_repeats_its_last_delay() {
    let backoff = Backoff::list([1, 5, 30].map(Span::from_secs)).unwrap();
    assert_eq!(delays(&backoff, 5), ["1s", "5s", "30s", "30s", "30s"]);
}

#[test]
fn a_custom_function_is_bounded() {
    let backoff = Backoff::custom("squares", |failed| Span::from_days(u64::from(failed) * u64::from(failed)));
    assert_eq!(delays(&backoff, 3), ["24h0m0s", "96h0m0s", "216h0m0s"]);
    assert_eq!(backoff.delay(6, 0), Some(Backoff::DELAY_MAX));
}

#[test]
fn custom_delays_are_parsed_from_text() {
    let of = |text: &str| delays(text.parse::<CustomBackoff>().unwrap().backoff(), 4);
    assert_eq!(of("list 1s 5s 1m"), ["1s", "5s", "1m0s", "1m0s"]);
    assert_eq!(of("  LIST  0s   720h "), ["0s", "720h0m0s", "720h0m0s", "720h0m0s"]);
    assert_eq!(of("linear base=5m cap=12m"), ["5m0s", "10m0s", "12m0s", "12m0s"]);
    assert_eq!(of("linear base=1s step=1m"), ["1s", "1m1s", "2m1s", "3m1s"]);
    assert_eq!(of("exponential base=1m"), ["1m0s", "2m0s", "4m0s", "8m0s"]);
    assert_eq!(of("exponential cap=1h factor=10 base=1m"), ["1m0s", "10m0s", "1h0m0s", "1h0m0s"]);
    assert_eq!(of("cel n < 2 ? 10 : 60 * n"), ["10s", "10s", "2m0s", "3m0s"]);
    assert_eq!(of("cel double(n) * 1.5"), ["0s", "1.5s", "3s", "4.5s"]);
    let text = "cel  n == 0 ? 1 : 2";
    assert_eq!(text.parse::<CustomBackoff>().unwrap().to_string(), text, "the display form is the source text");
}

#[test]
fn no_custom_delay_is_longer_than_thirty_days() {
    for text in
        ["linear base=29h", "exponential base=1h factor=1000", "cel n * n * 1000000000", "cel 1e300", "list 720h"]
    {
        let custom: CustomBackoff = text.parse().unwrap();
        assert_eq!(custom.backoff().delay(u32::MAX, 0), Some(Backoff::DELAY_MAX), "{text}");
    }
}

#[test]
fn invalid_custom_delays_are_rejected_with_the_allowed_forms() {
    let rejection = |text: &str| text.parse::<CustomBackoff>().unwrap_err().to_string();
    let lists = ["list", "list 1", "list 721h", "list 1s,5s", "list 1s cap=5s"];
    let lines = ["linear", "linear 5m", "linear base=5m factor=2", "linear base=721h", "linear base=5m cap=1m"];
    let powers = ["exponential base=1m factor=0.5", "exponential base=1m factor=x", "exponential base=1m cap=1000h"];
    let others = ["", "never", "immediate", "fixed base=1m", "quadratic base=1m", "exponential base=1m base=2m"];
    let formulas = ["cel", "cel n -", "cel n - 1", "cel 'a'", "cel m", "cel 10 / (7 - n)", "cel n > 3", "cel -1.0"];
    let long = format!("list {}", "1s ".repeat(400));
    let all = [&lists[..], &lines[..], &powers[..], &others[..], &formulas[..], &[long.as_str()]].concat();
    for text in all {
        let error = rejection(text);
        assert!(error.starts_with("custom_backoff is ") && error.contains("allowed: "), "{text}: {error}");
    }
    assert!(
        rejection("cel 10 / (7 - n)").contains("n = 7"),
        "an expression that fails for some n is rejected on configuration"
    );
    let costly = format!("cel {}", vec!["n"; 20].join(" + "));
    assert!(rejection(&costly).contains("cost"), "{}", rejection(&costly));
}

#[test]
fn custom_delays_survive_serialisation() {
    let custom: CustomBackoff = "exponential base=1m factor=1.5 cap=1h".parse().unwrap();
    let read: CustomBackoff = serde_json::from_str(&serde_json::to_string(&custom).unwrap()).unwrap();
    assert_eq!((&read, read.has_text_form()), (&custom, true));
    let formula: CustomBackoff = "cel n * n".parse().unwrap();
    let json = serde_json::to_string(&formula).unwrap();
    let read: CustomBackoff = serde_json::from_str(&json).unwrap();
    assert_eq!((&read, read.has_text_form(), read.as_str()), (&formula, true, "cel n * n"));
    let unknown: CustomBackoff = serde_json::from_str(&json.replace("n * n", "no longer understood")).unwrap();
    assert_eq!(unknown.backoff(), formula.backoff(), "the computed delays are stored with the expression");
    let function = CustomBackoff::function("squares", |failed| Span::from_secs(u64::from(failed) * u64::from(failed)));
    assert_eq!(delays(function.backoff(), 3), ["1s", "4s", "9s"]);
    assert_eq!(function.backoff().delay(u32::MAX, 0), Some(Span::from_secs(10_000)), "no letter has more retries");
    assert_eq!((function.as_str(), function.has_text_form()), ("function squares", false));
    assert!("function squares".parse::<CustomBackoff>().is_err());
}

#[test]
fn four_billion_attempts_do_not_overflow() {
    let second = Span::from_secs(1);
    let cap = Span::from_hours(1);
    let far = 4_000_000_000;
    assert_eq!(Backoff::linear(second, second).delay(far, 0), Some(Span::from_secs(4_000_000_000)));
    assert_eq!(Backoff::exponential(second, 2.0).unwrap().delay(far, 0), Some(Span::MAX));
    assert_eq!(Backoff::exponential(second, 2.0).unwrap().capped(cap).unwrap().delay(far, 0), Some(cap));
    assert_eq!(Backoff::linear(Span::MAX, Span::MAX).delay(u32::MAX, 0), Some(Span::MAX));
    let jittered = Backoff::linear(Span::MAX, Span::MAX).with_jitter(Jitter::Additive(Span::MAX));
    assert_eq!(jittered.delay(u32::MAX, u64::MAX), Some(Span::MAX));
}

#[test]
fn jitter_reaches_both_ends_of_its_range() {
    let ten = Backoff::fixed(Span::from_secs(10));
    let range = |jitter: Jitter| {
        let backoff = ten.clone().with_jitter(jitter);
        [0, u64::MAX].map(|random| backoff.delay(1, random).unwrap().to_string())
    };
    assert_eq!(range(Jitter::None), ["10s", "10s"]);
    assert_eq!(range(Jitter::Additive(Span::from_secs(3))), ["10s", "13s"]);
    assert_eq!(range(Jitter::AdditivePercent(20)), ["10s", "12s"]);
    assert_eq!(range(Jitter::Full), ["0s", "10s"]);
    assert_eq!(range(Jitter::Equal), ["10s", "5s"]);
    assert_eq!(range(Jitter::Spread(25)), ["7.5s", "12.5s"]);
    let capped = ten.capped(Span::from_secs(11)).unwrap().with_jitter(Jitter::Spread(25));
    assert_eq!(capped.delay(1, u64::MAX), Some(Span::from_secs(11)), "clamped to the cap");
}

fn any_jitter() -> impl Strategy<Value = Jitter> {
    prop_oneof![
        Just(Jitter::None),
        any::<u64>().prop_map(|most| Jitter::Additive(Span::from_micros(most))),
        (0..=100u8).prop_map(Jitter::AdditivePercent),
        Just(Jitter::Full),
        Just(Jitter::Equal),
        (0..=100u8).prop_map(Jitter::Spread),
    ]
}

proptest! {
    #[test]
    fn jitter_stays_within_its_range(
        first in any::<u64>(), step in any::<u64>(), failed in any::<u32>(), random in any::<u64>(), jitter in any_jitter(),
        room in any::<u64>(),
    ) {
        let plain = Backoff::linear(Span::from_micros(first), Span::from_micros(step));
        let cap = Span::from_micros(first.saturating_add(room));
        let plain = plain.capped(cap).unwrap();
        let delay = plain.delay(failed, 0).unwrap();
        let varied = plain.with_jitter(jitter).delay(failed, random).unwrap();
        match jitter {
            Jitter::None => prop_assert_eq!(varied, delay),
            Jitter::Additive(most) => prop_assert!(delay <= varied && varied <= delay.saturating_add(most)),
            Jitter::AdditivePercent(_) => prop_assert!(delay <= varied),
            Jitter::Full => prop_assert!(varied <= delay),
            Jitter::Equal => prop_assert!(varied <= delay && varied.as_micros() >= delay.as_micros() / 2),
            Jitter::Spread(_) => prop_assert!(varied <= cap),
        }
    }

    /// The fixed-point power of an integer factor equals the power in 128-bit integers.
    #[test]
    fn integer_factors_are_exact(first in 0..1u64 << 40, factor in 1..=10u32, failed in 1..20u32) {
        let exact = u128::from(first) * u128::from(factor).pow(failed - 1);
        let expected = Span::from_micros(u64::try_from(exact).unwrap_or(u64::MAX));
        let backoff = Backoff::exponential(Span::from_micros(first), f64::from(factor)).unwrap();
        prop_assert_eq!(backoff.delay(failed, 0), Some(expected));
    }

    #[test]
    fn exponential_delays_never_shrink(first in any::<u64>(), factor in 1.0..1000.0f64, failed in 1..u32::MAX) {
        let backoff = Backoff::exponential(Span::from_micros(first), factor).unwrap();
        prop_assert!(backoff.delay(failed, 0) <= backoff.delay(failed + 1, 0));
    }
}
