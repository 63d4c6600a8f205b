//! Who records letters that the store removes hears of them.

use std::collections::BTreeSet;

use redrive_core::{QueueName, RetryPolicy, Span};
use redrive_journal::SimDisk;
use redrive_queue::{QueueSettings, Why};
use redrive_store::{LocalStore, Store};

use crate::letters::capture;
use crate::rig::{clock, item, name, open, produce, run, settings};

const HOUR: Span = Span::from_hours(1);

/// Its letters expire.
fn expiring(text: &str) -> QueueSettings {
    let mut settings = settings(text);
    settings.expire_timeout = HOUR;
    settings.letters.is_expiring = true;
    settings
}

fn names(texts: &[&str]) -> BTreeSet<QueueName> {
    texts.iter().copied().map(name).collect()
}

async fn expired(store: &LocalStore, queue: &str) -> u64 {
    store.stats(name(queue)).await.unwrap().tally.of(Why::LetterExpired)
}

#[test]
fn each_time_letters_go_their_queues_are_told_and_no_others() {
    let clock = clock();
    let store = open(&SimDisk::new(), &clock);
    run(async {
        for settings in [expiring("dead"), expiring("plain"), settings("kept")] {
            store.create_queue(settings).await.unwrap();
        }
        for number in 0..2 {
            capture(&store, "dead", number, RetryPolicy::Never).await.unwrap();
            capture(&store, "kept", number, RetryPolicy::Never).await.unwrap();
            produce(&store, "plain", vec![item(number, 100)]).await.unwrap();
            clock.advance(HOUR.saturating_add(Span::from_secs(1)));
            assert_eq!(store.forgotten().await, names(&["dead"]));
            assert_eq!(expired(&store, "dead").await, number + 1);
            assert_eq!(expired(&store, "plain").await, 0, "an item is no letter");
        }
    });
}

#[test]
fn a_queue_that_is_gone_is_not_remembered_for_somebody_who_never_listened() {
    let clock = clock();
    let store = open(&SimDisk::new(), &clock);
    run(async {
        for queue in ["first", "second"] {
            store.create_queue(expiring(queue)).await.unwrap();
            capture(&store, queue, 0, RetryPolicy::Never).await.unwrap();
            clock.advance(HOUR.saturating_add(Span::from_secs(1)));
            assert_eq!(expired(&store, queue).await, 1);
            if queue == "first" {
                store.delete_queue(name(queue), false).await.unwrap();
            }
        }
        assert_eq!(store.forgotten().await, names(&["second"]));
    });
}
