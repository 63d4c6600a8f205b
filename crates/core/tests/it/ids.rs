//! Time-ordered ids, and names.

use proptest::prelude::*;
use redrive_core::{Generator, ItemId, Ksuid, KsuidError, NamespaceName, QueueName, Span, Time};

const NOW: Time = Time::from_secs(1_800_000_000);

#[test]
fn a_million_ids_of_one_second_are_in_order() {
    let mut ids = Generator::new();
    let mut last = ids.next(NOW, 0xDEAD_BEEF);
    let mut last_text = last.encode();
    for _ in 1..1_000_000 {
        let id = ids.next(NOW, 0xDEAD_BEEF);
        let text = id.encode();
        assert!(last < id && last_text < text);
        (last, last_text) = (id, text);
    }
    assert_eq!(last.time(), NOW);
}

#[test]
fn ids_increase_when_the_clock_steps_back() {
    let mut ids = Generator::new();
    let before = ids.next(NOW, 1);
    let after = ids.next(NOW.saturating_sub(Span::from_hours(1)), u128::MAX);
    assert!(before < after);
    assert!(after < ids.next(NOW.saturating_add(Span::from_secs(1)), 0));
}

#[test]
fn ids_increase_across_a_restart() {
    let mut first = Generator::new();
    let last = first.next(NOW, u128::MAX);
    let mut second = Generator::after(last);
    assert!(second.next(NOW, 0) > last);
}

#[test]
fn an_overflow_of_a_second_continues_in_the_next() {
    let mut bytes = [0xFF; Ksuid::BYTES];
    bytes[..4].copy_from_slice(&7u32.to_be_bytes());
    let full = Ksuid::from_bytes(bytes);
    let next = Generator::after(full).next(Time::EPOCH, 0);
    assert!(next > full);
    assert_eq!(next.time(), full.time().saturating_add(Span::from_secs(1)));
    assert_eq!(Generator::after(Ksuid::MAX).next(NOW, 0), Ksuid::MAX);
}

#[test]
fn a_time_separates_the_ids_of_its_second_from_earlier_ones() {
    let of = |at: Time, random: u128| Generator::new().next(at, random);
    let second = Span::from_secs(1);
    for inside in [NOW, NOW.saturating_add(Span::from_millis(999))] {
        let bound = Ksuid::last_before(inside).unwrap();
        assert!(bound < of(NOW, 0) && bound > of(NOW.saturating_sub(second), u128::MAX), "{inside}");
    }
    let first = Time::from_secs(Ksuid::EPOCH_SECS);
    assert_eq!(Ksuid::last_before(first.saturating_add(Span::from_millis(1))), None, "all ids are from then on");
    assert!(Ksuid::last_before(first.saturating_add(second)).is_some());
    assert_eq!(Ksuid::last_before(Time::MAX), Some(Ksuid::MAX), "all ids are before");
}

#[test]
fn known_ids_have_their_documented_text() {
    assert_eq!(Ksuid::MIN.to_string(), "000000000000000000000000000");
    assert_eq!(Ksuid::MAX.to_string(), "aWgEPTl1tmebfsQzFP4bxwgy80V");
    let id: Ksuid = "0ujzPyRiIAffKhBux4PvQdDqMHY".parse().unwrap();
    let hex: String = id.as_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hex, "066a029c73fc1aa3b2446246d6e89fcd909e8fe8");
}

#[test]
fn the_error_of_an_invalid_id_names_the_broken_rule() {
    let error = |text: &str| text.parse::<ItemId>().unwrap_err();
    assert_eq!(error(""), KsuidError::Length);
    assert_eq!(error("0ujzPyRiIAffKhBux4PvQdDqMHYY"), KsuidError::Length);
    assert_eq!(error("aWgEPTl1tmebfsQzFP4bxwgy80W"), KsuidError::Bounds);
    assert_eq!(error("zzzzzzzzzzzzzzzzzzzzzzzzzzz"), KsuidError::Bounds);
    assert_eq!(error("0ujzPyRiIAffKhBux4PvQdDqMH-"), KsuidError::Bounds);
    assert_eq!(error("é23456789012345678901234567").to_string(), KsuidError::Length.to_string());
}

proptest! {
    #[test]
    fn text_and_bytes_are_the_same_id(bytes: [u8; Ksuid::BYTES], other: [u8; Ksuid::BYTES]) {
        let (id, other) = (Ksuid::from_bytes(bytes), Ksuid::from_bytes(other));
        prop_assert_eq!(id.to_string().parse::<Ksuid>(), Ok(id));
        prop_assert_eq!(id.cmp(&other), id.to_string().cmp(&other.to_string()));
        let json = serde_json::to_string(&id).unwrap();
        prop_assert_eq!(serde_json::from_str::<Ksuid>(&json).unwrap(), id);
    }

    #[test]
    fn arbitrary_text_is_rejected_without_a_panic(text in any::<String>()) {
        prop_assume!(text.len() != Ksuid::CHARS);
        prop_assert_eq!(text.parse::<Ksuid>(), Err(KsuidError::Length));
    }

    #[test]
    fn ids_increase_with_any_clock(clock in prop::collection::vec((any::<i64>(), any::<u128>()), 1..100)) {
        let mut ids = Generator::new();
        let mut last = None;
        for (micros, random) in clock {
            let id = ids.next(Time::from_micros(micros), random);
            prop_assert!(last < Some(id) || id == Ksuid::MAX);
            last = Some(id);
        }
    }
}

#[test]
fn queue_names_are_rejected_with_the_texts_of_the_queue_api() {
    let error = |name: &str| QueueName::new(name).unwrap_err().to_string();
    assert_eq!(error(&"x".repeat(513)), "queue name is invalid; cannot be greater than '512' characters");
    assert_eq!(error(""), "queue name is invalid; queue name cannot be empty");
    assert_eq!(error("  "), "queue name is invalid; queue name cannot be empty");
    assert_eq!(error("a b"), "queue name is invalid; 'a b' cannot contain whitespace");
    assert_eq!(error("a~b"), "queue name is invalid; 'a~b' cannot contain '~' character");
    for good in ["a", "../x", "a:b", "Ünïcödé", &"x".repeat(512)] {
        assert_eq!(QueueName::new(good).unwrap().as_str(), good);
    }
}

#[test]
fn namespace_names_are_rejected_with_the_texts_of_the_queue_api() {
    let error = |name: &str| NamespaceName::new(name).unwrap_err().to_string();
    assert_eq!(error(&"x".repeat(257)), "namespace name is invalid; cannot be greater than '256' characters");
    assert_eq!(error(""), "namespace name is invalid; cannot be empty");
    assert_eq!(error("a b"), "namespace name is invalid; 'a b' cannot contain whitespace");
    assert_eq!(error("a~b"), "namespace name is invalid; 'a~b' cannot contain '~' character");
    assert_eq!(error("a:b"), "namespace name is invalid; 'a:b' cannot contain ':' character");
    assert!(NamespaceName::new("_system").unwrap().is_reserved());
    assert!(!NamespaceName::new("shop").unwrap().is_reserved());
}

#[test]
fn independent_generators_produce_different_ids() {
    let id = |random: u128| Generator::new().next(NOW, random);
    for bit in 1..128 {
        assert_ne!(id(0), id(1 << bit), "bit {bit} of the random number is used");
    }
}
