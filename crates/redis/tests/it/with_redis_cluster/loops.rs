//! Loops on a cluster whose slots move and whose masters fail. Longer with `cargo xtask soak`.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use redrive_redis::RedisSettings;

use super::faults::{patient, rounds};
use crate::fixture::{LoopMailboxes, OwnCluster, OwnLoop, namespace, prefix};

const KINDS: [&str; 7] = ["plain", "invalid", "flaky", "failing", "slow", "stalling", "plain"];

/// Requests, letters and replies are in three slots: every last reply is sent in steps, between which a slot moves, or a
/// master fails.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes long; `cargo xtask soak with_redis_cluster --service redis-cluster` runs it"]
async fn no_request_is_lost_and_each_has_one_last_reply_when_slots_move_and_masters_fail() {
    let mut cluster = OwnCluster::start().await;
    for _ in 0..rounds() {
        let settings = RedisSettings { namespace: namespace(), ..patient(&cluster) };
        let keys = ["requests", "requests-dlq", "replies"].map(|mailbox| prefix(&settings.namespace, mailbox));
        let mailboxes = LoopMailboxes::open(settings.clone()).await;
        let mut running = Vec::new();
        for _ in 0..2 {
            running.push(OwnLoop::start(LoopMailboxes::open(settings.clone()).await.main_loop()));
        }
        let is_over = Arc::new(AtomicBool::new(false));
        let sending = tokio::spawn(send(mailboxes.clone(), Arc::clone(&is_over)));
        for key in &keys {
            let from = cluster.master_of(key).await;
            let to = cluster.other_master(from).await;
            cluster.move_slot(key, from, to).await;
        }
        for key in &keys {
            let master = cluster.master_of(key).await;
            cluster.fail_over(master).await;
            // The request that waits for the next master is among those that are counted.
            tokio::time::sleep(Duration::from_secs(3)).await;
            cluster.restart(master).await;
        }
        is_over.store(true, Ordering::Relaxed);
        let sent = sending.await.unwrap();
        eprintln!("{} requests", sent.len());
        mailboxes.until_no_requests(Duration::from_secs(120)).await;
        mailboxes.assert_accounted(&sent).await;
        assert!(sent.len() > 50, "only {} requests", sent.len());
        for one in running {
            one.stop().await;
        }
    }
}

/// Sends requests of all kinds until the test is over.
async fn send(mailboxes: LoopMailboxes, is_over: Arc<AtomicBool>) -> BTreeSet<String> {
    let mut sent = BTreeSet::new();
    while !is_over.load(Ordering::Relaxed) {
        let text = format!("{} {}", KINDS[sent.len() % KINDS.len()], sent.len());
        mailboxes.request(&text).await;
        sent.insert(text);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    sent
}
