//! The keys of a mailbox, as `docs/mailbox.md` describes them.

use redrive_core::Span;
use redrive_mailbox::{MailboxBackend, MailboxSettings, NackSpec, NewMessage, ReceiveSpec};
use redrive_redis::{RedisClient, RedisSettings};

use crate::fixture::{Raw, name, open, open_with_keys, prefix, receive, send, server, settings};

#[tokio::test]
async fn a_message_is_stored_under_the_documented_keys() {
    let (mailbox, raw, prefix) = open_with_keys().await;
    let message = NewMessage { reply_to: Some(name("replies")), ..NewMessage::new("body") };
    let id = mailbox.send(message).await.unwrap();
    let pending: Vec<String> = raw.run(&["LRANGE", &format!("{prefix}:pending"), "0", "-1"]).await;
    assert_eq!(pending, [id.as_str()]);
    let body: String = raw.run(&["HGET", &format!("{prefix}:data"), id.as_str()]).await;
    assert_eq!(body, "body");
    let meta = async |field: &str| -> Option<String> {
        raw.run(&["HGET", &format!("{prefix}:meta"), &format!("{id}:{field}")]).await
    };
    assert_eq!((meta("count").await.as_deref(), meta("reply_to").await.as_deref()), (Some("0"), Some("replies")));
    let (enqueued, expires): (u64, u64) =
        (meta("enqueued").await.unwrap().parse().unwrap(), meta("expires").await.unwrap().parse().unwrap());
    assert_eq!(expires - enqueued, Span::from_days(3).as_micros());
    let got = receive(&mailbox).await.remove(0);
    assert_eq!(meta("handle").await.as_deref(), Some(got.handle.nonce()));
    assert_eq!(meta("count").await.as_deref(), Some("1"));
    let deadline: u64 = raw.run(&["ZSCORE", &format!("{prefix}:invisible"), id.as_str()]).await;
    assert_eq!(i64::try_from(deadline).unwrap(), got.deadline.as_micros());
    let spec = NackSpec { charge: false, last_error: Some("e".to_owned()), ..NackSpec::after(Span::from_secs(9)) };
    mailbox.nack(&got.handle, spec).await.unwrap();
    assert_eq!((meta("handle").await, meta("uncharged").await.as_deref()), (None, Some("1")));
    assert_eq!(meta("last_error").await.as_deref(), Some("e"));
}

/// A time to live of a key would delete all messages of a mailbox that is not used for a while.
#[tokio::test]
async fn no_key_with_messages_expires() {
    let settings = settings();
    let prefix = prefix(&settings.namespace, "requests");
    let mailbox = open(settings).await;
    send(&mailbox, "pending").await;
    send(&mailbox, "delayed").await;
    let got = receive(&mailbox).await;
    mailbox.nack(&got[0].handle, NackSpec::default()).await.unwrap();
    mailbox.nack(&got[1].handle, NackSpec::after(Span::from_secs(60))).await.unwrap();
    let raw = Raw::server(&server()).await;
    for part in ["pending", "invisible", "data", "meta", "expires", "delayed"] {
        let ttl: i64 = raw.run(&["TTL", &format!("{prefix}:{part}")]).await;
        assert_eq!(ttl, -1, "{part}");
    }
}

#[tokio::test]
async fn an_id_without_a_body_is_removed_and_blocks_nothing() {
    let (mailbox, raw, prefix) = open_with_keys().await;
    let _length: u64 = raw.run(&["RPUSH", &format!("{prefix}:pending"), "orphan", "other orphan"]).await;
    send(&mailbox, "a").await;
    let got = receive(&mailbox).await;
    assert_eq!(got.len(), 1);
    mailbox.acknowledge(&got[0].handle).await.unwrap();
    let left: Vec<String> = raw.run(&["KEYS", &format!("{prefix}:pending")]).await;
    assert!(left.is_empty());
}

#[tokio::test]
async fn wake_tokens_are_capped() {
    let settings = settings();
    let key = format!("{}:wake", prefix(&settings.namespace, "requests"));
    let mailbox = open(settings).await;
    for _ in 0..100 {
        send(&mailbox, "a").await;
    }
    let tokens: u64 = Raw::server(&server()).await.run(&["LLEN", &key]).await;
    assert_eq!(tokens, 64);
}

#[tokio::test]
async fn namespaces_separate_mailboxes_of_the_same_name() {
    let (one, other) = (open(settings()).await, open(settings()).await);
    send(&one, "a").await;
    assert!(receive(&other).await.is_empty());
    let same = RedisSettings { ..settings() };
    assert!(receive(&*open(same).await).await.is_empty());
    assert_eq!(receive(&one).await.len(), 1);
}

/// A mailbox that receives messages only, such as one of letters, must not keep those that have expired.
#[tokio::test]
async fn expired_messages_leave_nothing_in_a_mailbox_without_a_consumer() {
    let settings = settings();
    let prefix = prefix(&settings.namespace, "requests");
    let raw = Raw::server(&server()).await;
    let client = RedisClient::connect(settings).await.unwrap();
    let brief = MailboxSettings { retention: Span::from_millis(1), ..MailboxSettings::default() };
    let mailbox = client.mailbox(&name("requests"), brief).await.unwrap();
    for _ in 0..300 {
        send(&mailbox, "a").await;
    }
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    let mailbox = client.mailbox(&name("requests"), MailboxSettings::default()).await.unwrap();
    for _ in 0..5 {
        send(&mailbox, "b").await;
    }
    assert_eq!(mailbox.counts().await.unwrap().pending, 5);
    let sizes = [("HLEN", "data", 5), ("LLEN", "pending", 5), ("SCARD", "voided", 0), ("ZCARD", "expires", 5)];
    for (command, part, expected) in sizes {
        let size: u64 = raw.run(&[command, &format!("{prefix}:{part}")]).await;
        assert_eq!(size, expected, "{part}");
    }
}

/// An id without a body among the leased ones must not hide a message from the number of pending ones.
#[tokio::test]
async fn void_entries_and_orphans_hide_no_message() {
    let settings = settings();
    let prefix = prefix(&settings.namespace, "requests");
    let raw = Raw::server(&server()).await;
    let client = RedisClient::connect(settings).await.unwrap();
    let mailbox = client.mailbox(&name("requests"), MailboxSettings::default()).await.unwrap();
    send(&mailbox, "first").await;
    let brief = MailboxSettings { retention: Span::from_millis(1), ..MailboxSettings::default() };
    send(&client.mailbox(&name("requests"), brief).await.unwrap(), "expires").await;
    tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    let _added: u64 = raw.run(&["ZADD", &format!("{prefix}:invisible"), "9999999999999999", "orphan"]).await;
    mailbox.counts().await.unwrap();
    let got = mailbox.receive(ReceiveSpec::default()).await.unwrap();
    assert_eq!(got.len(), 1);
    assert_eq!(&*got[0].body, b"first");
}
