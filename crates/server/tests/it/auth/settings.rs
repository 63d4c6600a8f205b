//! What cannot be set up is told before anything is served.

use std::sync::Arc;

use redrive_core::Time;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_server::{Server, Settings, StartError};
use redrive_store::ManualClock;

async fn refusal(settings: Settings) -> String {
    let store = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap());
    let clock = Arc::new(ManualClock::new(Time::EPOCH));
    match Server::bind(settings, store, clock).await {
        Err(StartError::Setting(invalid)) => invalid.to_string(),
        other => panic!("{other:?}"),
    }
}

fn settings() -> Settings {
    Settings { listen: ([127, 0, 0, 1], 0).into(), ..Settings::default() }
}

#[tokio::test]
async fn the_prefix_of_keys_is_lower_case_letters_and_digits() {
    for prefix in ["", "Rdr", "r-d", "rdr ", "ü", &"r".repeat(17)] {
        let refusal = refusal(Settings { key_prefix: prefix.to_owned(), ..settings() }).await;
        assert!(refusal.starts_with("key_prefix is ") && refusal.contains("1 to 16 lower case"), "{refusal}");
    }
}

#[tokio::test]
async fn at_least_one_audit_record_is_kept() {
    let refusal = refusal(Settings { audit_records_max: 0, ..settings() }).await;
    assert!(refusal.starts_with("audit_records_max is "), "{refusal}");
}
