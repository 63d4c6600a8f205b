//! Random faults: three processes that are killed and suspended, and connections that break, on a server that syncs every
//! write. `cargo xtask soak soak --service redis-durable --factor 60` runs an hour, a factor of 1 a minute.

use std::collections::BTreeSet;
use std::time::Duration;

use redrive_core::SplitMix64;
use redrive_mailbox::MailboxBackend;
use redrive_redis::RedisSettings;
use redrive_store::random_seed;
use rustix::process::{Pid, Signal, kill_process};
use tokio::time::Instant;

use crate::fixture::{LoopMailboxes, LoopProcess, Raw, namespace};

const PROCESSES: usize = 3;

/// The most open requests: no process may be idle, and none may wait for long.
const OPEN_MAX: u64 = 200;

const KINDS: [&str; 10] =
    ["plain", "plain", "plain", "plain", "invalid", "flaky", "failing", "slow", "stalling", "plain"];

fn soak() -> u32 {
    std::env::var("REDRIVE_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes a minute; `cargo xtask soak with_redis_durable --service redis-durable` runs it"]
async fn no_request_is_lost_and_each_has_one_last_reply_under_random_faults() {
    let address = std::env::var("REDRIVE_TEST_REDIS_DURABLE").expect("cargo xtask test sets the variable");
    let seed = std::env::var("REDRIVE_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_else(random_seed);
    eprintln!("REDRIVE_SEED={seed}");
    let settings = RedisSettings { namespace: namespace(), ..RedisSettings::new(format!("redis://{address}")) };
    let mailboxes = LoopMailboxes::open(settings.clone()).await;
    let raw = Raw::server(&settings.urls[0]).await;
    let mut random = SplitMix64::new(seed);
    let mut processes: Vec<LoopProcess> = (0..PROCESSES).map(|_| LoopProcess::start(&settings)).collect();
    let (mut sent, mut faults) = (BTreeSet::new(), [0_u32; 5]);
    let end = Instant::now() + Duration::from_secs(60) * soak();
    while Instant::now() < end {
        while mailboxes.requests.counts().await.unwrap().total() < OPEN_MAX {
            let text = format!("{} {}", KINDS[below(&mut random, KINDS.len())], sent.len());
            mailboxes.request(&text).await;
            sent.insert(text);
        }
        let victim = below(&mut random, PROCESSES);
        let fault = below(&mut random, faults.len());
        faults[fault] += 1;
        match fault {
            0 => processes[victim] = LoopProcess::start(&settings),
            1 => {
                let pid = Pid::from_child(&processes[victim].child);
                kill_process(pid, Signal::STOP).unwrap();
                tokio::time::sleep(Duration::from_millis(1200)).await;
                kill_process(pid, Signal::CONT).unwrap();
            }
            2 => drop(raw.try_run(&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]).await),
            3 => drop(raw.try_run(&["DEBUG", "SLEEP", "0.7"]).await),
            _ => drop(raw.try_run(&["SCRIPT", "FLUSH"]).await),
        }
        tokio::time::sleep(Duration::from_millis(below(&mut random, 400) as u64)).await;
    }
    eprintln!("{} requests; killed, suspended, disconnected, slept, flushed: {faults:?}", sent.len());
    mailboxes.until_no_requests(Duration::from_secs(60)).await;
    mailboxes.assert_accounted(&sent).await;
    assert!(faults.iter().all(|count| *count > 0), "a kind of fault did not occur: {faults:?}");
    assert!(sent.len() > 300, "only {} requests", sent.len());
}

fn below(random: &mut SplitMix64, limit: usize) -> usize {
    usize::try_from(random.next() % limit as u64).unwrap()
}
