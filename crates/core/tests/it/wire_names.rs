//! The names of closed sets on the wire and in stored letters.

use redrive_core::{
    BreakerState, CaptureReason, Category, DropReason, OnOutage, Outcome, PersistOutcome, PolicySource, Priority,
    RetryPolicy, Status, Strategy, Trigger,
};

#[track_caller]
fn assert_set<T>(members: &[T], names: &str)
where
    T: serde::Serialize + serde::de::DeserializeOwned + std::str::FromStr + PartialEq + std::fmt::Debug + Copy,
{
    let written: Vec<String> =
        members.iter().map(|member| serde_json::to_value(member).unwrap().as_str().unwrap().to_owned()).collect();
    assert_eq!(written.join(" "), names);
    for (member, name) in members.iter().zip(&written) {
        for text in [name.clone(), name.to_uppercase()] {
            assert_eq!(serde_json::from_value::<T>(text.clone().into()).unwrap(), *member);
            assert_eq!(text.parse::<T>().ok(), Some(*member));
        }
    }
    for unknown in ["", "nonsense", " pending"] {
        assert!(serde_json::from_value::<T>(unknown.into()).is_err());
    }
}

#[test]
fn every_closed_set_has_its_names() {
    assert_set(RetryPolicy::ALL, "never linear exponential immediate custom");
    assert_set(Strategy::ALL, "automatic selective manual disabled");
    assert_set(Category::ALL, "transient network resource permission validation permanent");
    assert_set(Status::ALL, "pending retrying exhausted completed archived");
    assert_set(BreakerState::ALL, "closed open half_open");
    assert_set(Outcome::ALL, "success failure partial deferred");
    assert_set(Trigger::ALL, "automatic manual replay");
    assert_set(Priority::ALL, "high medium low");
    assert_set(PersistOutcome::ALL, "persisted in_memory rejected");
    assert_set(PolicySource::ALL, "explicit default derived");
    assert_set(DropReason::ALL, "disabled skipped_by_strategy");
    assert_set(OnOutage::ALL, "dead_letter pause");
    assert_set(
        CaptureReason::ALL,
        "enqueued merged skipped_by_policy skipped_by_strategy disabled queue_full persist_failed duplicate invalid denied in_retry",
    );
}

#[test]
fn closed_sets_have_their_documented_defaults() {
    assert_eq!(RetryPolicy::default(), RetryPolicy::Exponential);
    assert_eq!(Strategy::default(), Strategy::Automatic);
    assert_eq!(Priority::default(), Priority::Medium);
    assert_eq!(OnOutage::default(), OnOutage::DeadLetter);
}

#[test]
fn each_category_derives_its_policy() {
    let derived: Vec<_> = Category::ALL.iter().map(|category| category.derived_policy().as_str()).collect();
    assert_eq!(derived, ["exponential", "exponential", "linear", "never", "never", "never"]);
}

#[test]
fn live_letters_are_those_without_an_outcome() {
    let live: Vec<_> = Status::ALL.iter().filter(|status| status.is_live()).map(|status| status.as_str()).collect();
    assert_eq!(live, ["pending", "retrying", "exhausted"]);
}

#[test]
fn rules_are_serialised_as_their_display_text() {
    use redrive_core::{Classifier, Evidence, Failure};
    let failure = Failure::typed(Evidence::http(429));
    let found = Classifier::built_in().classify(&failure, 1);
    assert_eq!(serde_json::to_string(&found.rule).unwrap(), "\"http:429\"");
}
