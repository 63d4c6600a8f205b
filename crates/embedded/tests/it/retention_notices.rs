//! Notices about letters that the store removed because their retention was over.

use std::collections::BTreeSet;

use redrive_core::{QueueName, RetryPolicy, Span};
use redrive_embedded::EmbeddedStore;
use redrive_journal::SimDisk;
use redrive_model::{CreateQueue, DeleteQueue, Event, GetStats, QueueSettings};
use redrive_store::Store;

use crate::letters::capture;
use crate::rig::{clock, item, name, open, produce, run, settings};

const HOUR: Span = Span::from_hours(1);

/// Settings of a queue whose letters expire.
fn expiring(text: &str) -> QueueSettings {
    let mut settings = settings(text);
    settings.expire_timeout = HOUR;
    settings.letters.letters_expire = Some(true);
    settings
}

fn names(texts: &[&str]) -> BTreeSet<QueueName> {
    texts.iter().copied().map(name).collect()
}

async fn expired(store: &EmbeddedStore, queue: &str) -> u64 {
    store.stats(GetStats { queue: name(queue) }).await.unwrap().counts.of(Event::LetterExpired)
}

#[test]
fn each_removal_names_the_queues_of_its_letters_and_no_others() {
    let clock = clock();
    let store = open(&SimDisk::new(), &clock);
    run(async {
        for settings in [expiring("dead"), expiring("plain"), settings("kept")] {
            store.create_queue(CreateQueue { settings }).await.unwrap();
        }
        for number in 0..2 {
            capture(&store, "dead", number, RetryPolicy::Never).await.unwrap();
            capture(&store, "kept", number, RetryPolicy::Never).await.unwrap();
            produce(&store, "plain", vec![item(number, 100)]).await.unwrap();
            clock.advance(HOUR.saturating_add(Span::from_secs(1)));
            assert_eq!(store.retention_notices().await, names(&["dead"]));
            assert_eq!(expired(&store, "dead").await, number + 1);
            assert_eq!(expired(&store, "plain").await, 0, "a plain item is not a letter");
        }
    });
}

#[test]
fn a_deleted_queue_is_not_in_a_later_notice() {
    let clock = clock();
    let store = open(&SimDisk::new(), &clock);
    run(async {
        for queue in ["first", "second"] {
            store.create_queue(CreateQueue { settings: expiring(queue) }).await.unwrap();
            capture(&store, queue, 0, RetryPolicy::Never).await.unwrap();
            clock.advance(HOUR.saturating_add(Span::from_secs(1)));
            assert_eq!(expired(&store, queue).await, 1);
            if queue == "first" {
                store.delete_queue(DeleteQueue { name: name(queue), force: false }).await.unwrap();
            }
        }
        assert_eq!(store.retention_notices().await, names(&["second"]));
    });
}
