//! Messages that are taken by their ids: the entries that they leave behind.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::stream::{self, StreamExt};
use redrive_core::{Span, Time};
use redrive_mailbox::{
    DeadLetter, MailboxBackend, MailboxSettings, MessageId, NackSpec, NewMessage, Replay, ReplyResolver,
};
use redrive_redis::{RedisClient, RedisMailbox, RedisSettings};
use tokio::time::Instant;

use crate::fixture::{OwnServer, Raw, name, open_with_keys, receive, send};

const LEASE: Span = Span::from_secs(60);

/// Runs an operation for each of these numbers, several at the same time.
async fn each(numbers: std::ops::Range<u64>, run: impl AsyncFn(u64)) {
    let run = &run;
    stream::iter(numbers).for_each_concurrent(32, |number| run(number)).await;
}

/// How often each command has run, also in scripts.
async fn calls(raw: &Raw) -> BTreeMap<String, u64> {
    let info: String = raw.run(&["INFO", "commandstats"]).await;
    let calls = info.lines().filter_map(|line| {
        let (command, numbers) = line.strip_prefix("cmdstat_")?.split_once(":calls=")?;
        Some((command.to_owned(), numbers.split(',').next()?.parse().ok()?))
    });
    calls.collect()
}

/// Replays three of four letters, of which there are this many, and returns the commands of the replay.
async fn replayed(client: &RedisClient, raw: &Raw, count: u64) -> BTreeMap<String, u64> {
    let (source, of_letters) = (name(&format!("source-{count}")), MailboxSettings::of_letters());
    let requests = client.mailbox(&source, MailboxSettings::default()).await.unwrap();
    let letters = client.mailbox(&name(&format!("letters-{count}")), of_letters).await.unwrap();
    send(&requests, "1").await;
    let message = receive(&requests).await.remove(0);
    each(0..count, async |number| {
        let error_type = if number % 4 == 0 { "other" } else { "timeout" };
        let mut letter = DeadLetter::new(&source, &message, "e", error_type.to_owned(), Time::from_secs(1));
        letter.message_id = number.to_string();
        letters.send(letter.to_message(&source).unwrap()).await.unwrap();
    })
    .await;
    raw.run::<String>(&["CONFIG", "RESETSTAT"]).await;
    let begin = Instant::now();
    let replay = Replay::new(Arc::clone(&letters) as _, Arc::clone(&requests) as _, ReplyResolver::default());
    let report = replay.matching(|letter| letter.last_error_type == "timeout").await.unwrap();
    assert_eq!((report.replayed, report.skipped, report.failed), (count / 4 * 3, count / 4, 0), "{report:?}");
    eprintln!("{count} letters: {:?}", begin.elapsed());
    calls(raw).await
}

/// `LREM` looks at all entries of the list before the one that it removes: for all letters, at half of their square.
#[tokio::test]
async fn a_replay_takes_constant_work_for_each_letter() {
    let server = OwnServer::start(&["--appendonly", "no"]).await;
    let client = RedisClient::connect(RedisSettings::new(server.url())).await.unwrap();
    let raw = Raw::server(&server.url()).await;
    let mut of_each = Vec::new();
    let soak = std::env::var("REDRIVE_SOAK").ok().and_then(|factor| factor.parse().ok()).unwrap_or(1_u64);
    for count in [400 * soak, 4000 * soak] {
        let calls = replayed(&client, &raw, count).await;
        assert_eq!(calls.get("lrem"), None, "{count} letters");
        of_each.push(calls.values().sum::<u64>() / count);
    }
    let [few, many] = of_each[..] else { panic!("{of_each:?}") };
    assert!(
        many <= few + few / 4,
        "{few} commands for each of the fewer letters, {many} for each of ten times as many"
    );
}

async fn sizes(raw: &Raw, prefix: &str) -> (u64, u64) {
    (raw.run(&["LLEN", &format!("{prefix}:pending")]).await, raw.run(&["SCARD", &format!("{prefix}:voided")]).await)
}

/// A letter that is never replayed must not keep the entries of all letters behind it.
#[tokio::test]
async fn void_entries_behind_a_message_that_stays_are_bounded() {
    let (mailbox, raw, prefix) = open_with_keys().await;
    send(&mailbox, "stays").await;
    for _ in 0..4 {
        each(0..1500, async |_| {
            let id = mailbox.send(NewMessage::new("a")).await.unwrap();
            let taken = mailbox.take(&id, LEASE).await.unwrap().unwrap();
            mailbox.acknowledge(&taken.handle).await.unwrap();
        })
        .await;
        let (entries, void) = sizes(&raw, &prefix).await;
        assert!(void <= 1001 && entries <= void + 1, "{entries} entries, {void} of them void");
    }
    assert_eq!(mailbox.counts().await.unwrap().pending, 1);
    assert_eq!(receive(&mailbox).await.len(), 1);
}

/// The messages that remain when void entries are removed from the middle, in order.
#[tokio::test]
async fn removing_void_entries_keeps_all_messages_and_their_order() {
    const MESSAGES: usize = 2600;
    let (mailbox, raw, prefix) = open_with_keys().await;
    let mut ids = Vec::new();
    for number in 0..MESSAGES {
        ids.push(mailbox.send(NewMessage::new(number.to_string())).await.unwrap());
    }
    // Every second one at first, which are returned and have a second entry at the tail; then most others.
    let (mut kept, mut returned) = (Vec::new(), Vec::new());
    for (number, id) in ids.iter().enumerate() {
        if number % 4 == 0 {
            let taken = mailbox.take(id, LEASE).await.unwrap().unwrap();
            mailbox.nack(&taken.handle, NackSpec::default()).await.unwrap();
            returned.push(number.to_string());
        } else if number % 4 == 1 {
            kept.push(number.to_string());
        }
    }
    for (number, id) in ids.iter().enumerate().filter(|(number, _)| number % 4 > 1) {
        let taken = mailbox.take(id, LEASE).await.unwrap().unwrap();
        assert_eq!(&*taken.body, number.to_string().as_bytes());
        mailbox.acknowledge(&taken.handle).await.unwrap();
    }
    let (entries, void) = sizes(&raw, &prefix).await;
    assert!(void < 1000 && entries < MESSAGES as u64, "{entries} entries, {void} of them void: none was removed");
    let mut received = Vec::new();
    loop {
        let got = receive(&mailbox).await;
        if got.is_empty() {
            break;
        }
        received.extend(got.iter().map(|message| String::from_utf8(message.body.to_vec()).unwrap()));
    }
    assert_eq!(received, [kept, returned].concat());
    assert_eq!(sizes(&raw, &prefix).await, (0, 0));
}

/// What a client of the version before does with a message that this version took: its release pushes a second entry.
#[tokio::test]
async fn a_release_by_an_earlier_version_makes_no_second_delivery() {
    let (mailbox, raw, prefix) = open_with_keys().await;
    send(&mailbox, "first").await;
    let id = mailbox.send(NewMessage::new("taken")).await.unwrap();
    mailbox.take(&id, LEASE).await.unwrap().unwrap();
    assert_eq!(sizes(&raw, &prefix).await, (2, 1));
    let _removed: u64 = raw.run(&["ZREM", &format!("{prefix}:invisible"), id.as_str()]).await;
    let _removed: u64 = raw.run(&["HDEL", &format!("{prefix}:meta"), &format!("{id}:handle")]).await;
    let _length: u64 = raw.run(&["LPUSH", &format!("{prefix}:pending"), id.as_str()]).await;
    assert_eq!(bodies(&mailbox).await, BTreeSet::from(["first".to_owned(), "taken".to_owned()]));
    assert_eq!(sizes(&raw, &prefix).await, (0, 0));
}

/// A letter whose replay failed, and is tried again.
#[tokio::test]
async fn a_message_that_is_taken_and_released_many_times_has_one_entry() {
    let (mailbox, raw, prefix) = open_with_keys().await;
    send(&mailbox, "first").await;
    let id: MessageId = mailbox.send(NewMessage::new("taken")).await.unwrap();
    for _ in 0..10 {
        let taken = mailbox.take(&id, LEASE).await.unwrap().unwrap();
        assert_eq!(taken.delivery_count, 1);
        mailbox.release(&taken.handle).await.unwrap();
        assert_eq!(sizes(&raw, &prefix).await, (2, 0));
    }
    assert_eq!(bodies(&mailbox).await, BTreeSet::from(["first".to_owned(), "taken".to_owned()]));
}

/// The bodies of all messages that a receive finds.
async fn bodies(mailbox: &RedisMailbox) -> BTreeSet<String> {
    let got = receive(mailbox).await;
    let bodies: Vec<_> = got.iter().map(|message| String::from_utf8(message.body.to_vec()).unwrap()).collect();
    let distinct: BTreeSet<String> = bodies.iter().cloned().collect();
    assert_eq!(distinct.len(), bodies.len(), "a message was delivered twice");
    distinct
}
