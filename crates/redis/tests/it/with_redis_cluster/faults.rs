//! A cluster whose slots move and whose masters fail, under load. Longer with `cargo xtask soak`.

use std::time::Duration;

use redrive_mailbox::MailboxBackend;
use redrive_redis::RedisSettings;

use crate::fixture::{Load, OwnCluster, open, receive, send};

/// The number of rounds: one, or the factor of a soak test.
pub(super) fn rounds() -> u32 {
    std::env::var("REDRIVE_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1)
}

pub(super) fn patient(cluster: &OwnCluster) -> RedisSettings {
    RedisSettings { retry_for: Duration::from_secs(30), ..cluster.settings() }
}

const KEY: &str = "{queue:requests}:pending";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moved_slots_lose_and_repeat_nothing() {
    let cluster = OwnCluster::start().await;
    for _ in 0..rounds() {
        let load = Load::start(&open(patient(&cluster)).await, 1000);
        for _ in 0..5 {
            tokio::time::sleep(Duration::from_millis(200)).await;
            let from = cluster.master_of(KEY).await;
            let to = cluster.other_master(from).await;
            cluster.move_slot(KEY, from, to).await;
            assert!(load.is_sending(), "the load has ended before the slot was moved");
        }
        load.finish().await;
    }
}

/// Redis replicates asynchronously: what the replica has got is not lost, and the mailbox works again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_master_is_replaced() {
    let mut cluster = OwnCluster::start().await;
    let mailbox = open(patient(&cluster)).await;
    for _ in 0..rounds() {
        for number in 0..100 {
            send(&mailbox, &number.to_string()).await;
        }
        let held = receive(&mailbox).await;
        let master = cluster.master_of(KEY).await;
        cluster.fail_over(master).await;
        for message in &held {
            mailbox.acknowledge(&message.handle).await.unwrap();
        }
        send(&mailbox, "after").await;
        assert_ne!(cluster.master_of(KEY).await, master);
        let mut received = 0;
        loop {
            let got = receive(&mailbox).await;
            if got.is_empty() {
                break;
            }
            for message in &got {
                assert_eq!(message.delivery_count, 1);
                mailbox.acknowledge(&message.handle).await.unwrap();
            }
            received += got.len();
        }
        assert_eq!(received, 91);
        cluster.restart(master).await;
    }
}
