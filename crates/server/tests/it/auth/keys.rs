//! Keys that were made: who shows one, until when, and when it was last shown.

use redrive_core::Span;
use redrive_model::WriteKeys;
use redrive_store::Store;
use serde_json::{Value, json};

use super::each_closed;
use crate::bed::{Bed, Caller};
use crate::tenancy::{bind, key_of, user};

const LIST: &str = "/v1/users.list";

fn refused(message: &str) -> (u16, String) {
    (401, message.to_owned())
}

/// An administrator's id and key.
async fn admin(bed: &Bed) -> (String, String) {
    let mut caller = bed.caller().await;
    let id = user(&mut caller, "root").await;
    bind(&mut caller, "_system", "Admin", &id).await;
    let (_, key) = key_of(&mut caller, &id).await;
    (id, key)
}

#[tokio::test]
async fn a_key_shows_who_calls() {
    each_closed(async |bed| {
        let (_, key) = admin(&bed).await;
        let mut caller = bed.caller().await;
        let ann = user(&mut caller, "ann").await;
        let (_, powerless) = key_of(&mut caller, &ann).await;
        bed.caller().await.with_key(&key).ok(LIST, json!({})).await;
        let heard = bed.caller().await.with_key(&powerless).json(LIST, json!({})).await;
        assert_eq!(heard.refusal(), (403, "access denied".to_owned()), "no role, nothing allowed");
    })
    .await;
}

#[tokio::test]
async fn a_key_ends_at_its_time_by_the_servers_clock() {
    each_closed(async |bed| {
        let (id, _) = admin(&bed).await;
        let expires = json!({ "user_id": id, "expires_at": "2026-11-15T12:01:00Z" });
        let made = bed.caller().await.ok("/v1/apikeys.create", expires).await;
        let mut caller = bed.caller().await.with_key(made["key"].as_str().unwrap());
        caller.ok(LIST, json!({})).await;
        bed.advance(Span::from_micros(59_999_999));
        caller.ok(LIST, json!({})).await;
        bed.advance(Span::from_micros(1));
        assert_eq!(caller.json(LIST, json!({})).await.refusal(), refused("api key has expired"));
    })
    .await;
}

#[tokio::test]
async fn a_key_whose_user_is_gone_goes_with_them() {
    each_closed(async |bed| {
        let (id, key) = admin(&bed).await;
        let mut caller = bed.caller().await.with_key(&key);
        caller.ok(LIST, json!({})).await;
        bed.caller().await.ok("/v1/users.delete", json!({ "id": id })).await;
        assert_eq!(caller.json(LIST, json!({})).await.refusal(), refused("api key does not exist"));
    })
    .await;
}

/// Deleting a user takes their keys along, so such a key can only be a store's own damage.
#[tokio::test]
async fn a_key_without_a_user_is_invalid() {
    each_closed(async |bed| {
        let (id, key) = admin(&bed).await;
        let user = [b"user\0\x01".as_slice(), id.as_bytes(), b"\0\x01"].concat();
        let gone = redrive_model::KeyWrite { key: user.into(), value: None, condition: Default::default() };
        bed.store().write_keys(WriteKeys { writes: vec![gone] }).await.unwrap();
        let heard = bed.caller().await.with_key(&key).json(LIST, json!({})).await;
        assert_eq!(heard.refusal(), refused("api key is invalid"));
    })
    .await;
}

/// When a key was last used, as soon as that is what is expected: it is written after the answer.
async fn last_used(caller: &mut Caller, key: &str, expected: &Value) -> Value {
    let mut shown = Value::Null;
    for _ in 0..10_000 {
        let keys = caller.ok("/v1/apikeys.list", json!({})).await;
        let keys = keys["items"].as_array().unwrap();
        shown = keys.iter().find(|shown| shown["id"] == key).unwrap()["last_used_at"].clone();
        if shown == *expected {
            break;
        }
        tokio::task::yield_now().await;
    }
    shown
}

#[tokio::test]
async fn the_last_use_is_written_every_five_minutes_at_most() {
    each_closed(async |bed| {
        let (id, _) = admin(&bed).await;
        let mut anybody = bed.caller().await;
        let (key_id, key) = key_of(&mut anybody, &id).await;
        assert_eq!(last_used(&mut anybody, &key_id, &Value::Null).await, Value::Null);
        let mut caller = bed.caller().await.with_key(&key);
        caller.ok(LIST, json!({})).await;
        let noon = json!("2026-11-15T12:00:00Z");
        assert_eq!(last_used(&mut anybody, &key_id, &noon).await, noon);
        bed.advance(Span::from_secs(299));
        caller.ok(LIST, json!({})).await;
        bed.advance(Span::from_secs(1));
        caller.ok(LIST, json!({})).await;
        let later = json!("2026-11-15T12:05:00Z");
        assert_eq!(last_used(&mut anybody, &key_id, &later).await, later, "and not 12:04:59");
    })
    .await;
}

#[tokio::test]
async fn a_key_is_good_after_a_restart() {
    let mut bed = super::closed(crate::bed::Ground::Journal).await;
    let (_, key) = admin(&bed).await;
    bed.restart().await;
    bed.caller().await.with_key(&key).ok(LIST, json!({})).await;
}
