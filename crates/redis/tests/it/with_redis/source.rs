//! A mailbox on Redis in the suite of sources.

use std::sync::Arc;

use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_mailbox::conformance::{DeadQueueSourceHarness, LetterPath, MailboxSourceHarness};
use redrive_store::Store;

use crate::fixture::RedisHarness;

fn dead_queue_harness() -> DeadQueueSourceHarness<RedisHarness> {
    let store = || Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap()) as Arc<dyn Store>;
    DeadQueueSourceHarness { harness: RedisHarness::Server, store }
}

mod dead_queue {
    redrive_run::source_conformance_tests!(super::super::dead_queue_harness(), letters);
}

fn harness(path: LetterPath) -> MailboxSourceHarness<RedisHarness> {
    MailboxSourceHarness { harness: RedisHarness::Server, path }
}

mod atomic {
    redrive_run::source_conformance_tests!(super::super::harness(redrive_mailbox::conformance::LetterPath::Atomic));
}

mod in_steps {
    redrive_run::source_conformance_tests!(
        super::super::harness(redrive_mailbox::conformance::LetterPath::InSteps),
        letters
    );
}
