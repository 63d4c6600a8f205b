//! Letters on a cluster: atomic on the node of their source, in steps to any other.

use redrive_mailbox::conformance::{LetterPath, crash_after_each_step};
use redrive_mailbox::{MailboxBackend, MailboxSettings, MessageId, NewMessage};
use redrive_redis::{RedisClient, RedisSettings};

use crate::fixture::{RedisHarness, cluster, name, namespace, receive, send};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn letters_reach_mailboxes_of_any_slot() {
    let settings = RedisSettings { namespace: namespace(), ..RedisSettings::cluster([cluster()]) };
    let client = RedisClient::connect(settings).await.unwrap();
    let mailbox = client.mailbox(&name("requests"), MailboxSettings::default()).await.unwrap();
    // More names than nodes: some are on another node.
    for number in 0..8 {
        let letters = client.mailbox(&name(&format!("letters-{number}")), MailboxSettings::of_letters()).await.unwrap();
        send(&mailbox, "a").await;
        let got = receive(&mailbox).await.remove(0);
        let id = MessageId::of_letter(mailbox.name(), got.id(), got.enqueued_at);
        let letter = NewMessage { id: Some(id), ..NewMessage::new("letter") };
        mailbox.dead_letter(&got.handle, letter.clone(), &*letters).await.unwrap();
        assert_eq!(letters.counts().await.unwrap().total(), 1);
        assert_eq!(mailbox.counts().await.unwrap().total(), 0);
        assert!(mailbox.dead_letter(&got.handle, letter, &*letters).await.is_err());
    }
}

/// Request, letter and reply are in three slots, or in two: no step is atomic with the next.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn c_a_crash_after_each_step_across_slots_makes_one_letter_and_one_reply() {
    let cases = [
        (LetterPath::Atomic, true, 5),
        (LetterPath::Atomic, false, 2),
        (LetterPath::InSteps, true, 5),
        (LetterPath::InSteps, false, 4),
    ];
    for (path, expects_reply, least) in cases {
        let interrupted = crash_after_each_step(&RedisHarness::Cluster, path, expects_reply).await;
        assert!(interrupted >= least, "only {interrupted} steps were interrupted");
    }
}
