//! Invalid settings fail the start of the server.

use std::sync::Arc;

use redrive_core::Time;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_server::{Server, Settings, StartError};
use redrive_store::ManualClock;

use crate::harness::local_settings;

async fn rejection(settings: Settings) -> String {
    let store = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap());
    let clock = Arc::new(ManualClock::new(Time::EPOCH));
    match Server::bind(settings, store, clock).await {
        Err(StartError::Setting(invalid)) => invalid.to_string(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_key_prefix_must_be_lower_case_letters_and_digits() {
    for prefix in ["", "Rdr", "r-d", "rdr ", "ü", &"r".repeat(17)] {
        let rejection = rejection(Settings { key_prefix: prefix.to_owned(), ..local_settings() }).await;
        assert!(rejection.starts_with("key_prefix is ") && rejection.contains("1 to 16 lower case"), "{rejection}");
    }
}

#[tokio::test]
async fn audit_records_max_must_be_at_least_one() {
    let rejection = rejection(Settings { audit_records_max: 0, ..local_settings() }).await;
    assert!(rejection.starts_with("audit_records_max is "), "{rejection}");
}
