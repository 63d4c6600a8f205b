//! A mailbox on Redis in the suite of sources.

use redrive_mailbox::conformance::{LetterPath, MailboxSourceHarness};

use crate::fixture::RedisHarness;

fn harness(path: LetterPath) -> MailboxSourceHarness<RedisHarness> {
    MailboxSourceHarness { harness: RedisHarness::Server, path }
}

mod atomic {
    redrive_run::source_conformance_tests!(super::super::harness(redrive_mailbox::conformance::LetterPath::Atomic));
}

mod in_steps {
    redrive_run::source_conformance_tests!(super::super::harness(redrive_mailbox::conformance::LetterPath::InSteps));
}
