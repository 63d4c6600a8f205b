//! API keys: the user they identify, their expiry, and the time of their last use.

use redrive_core::Span;
use redrive_model::WriteKeys;
use redrive_store::Store;
use serde_json::{Value, json};

use super::on_each_store_with_auth;
use crate::harness::Caller;
use crate::tenancy::{bind, key_of, user};

const LIST: &str = "/v1/users.list";

fn unauthorized(message: &str) -> (u16, String) {
    (401, message.to_owned())
}

/// An administrator's id and key.
async fn admin(anonymous: &mut Caller) -> (String, String) {
    let id = user(anonymous, "root").await;
    bind(anonymous, "_system", "Admin", &id).await;
    let (_, key) = key_of(anonymous, &id).await;
    (id, key)
}

#[test]
fn a_key_identifies_its_user() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let (_, key) = admin(&mut anonymous).await;
        let ann = user(&mut anonymous, "ann").await;
        let (_, powerless) = key_of(&mut anonymous, &ann).await;
        server.caller().await.with_key(&key).ok(LIST, json!({})).await;
        let response = server.caller().await.with_key(&powerless).json(LIST, json!({})).await;
        assert_eq!(
            response.stable_rejection(),
            (403, "access denied".to_owned()),
            "a user without a role may do nothing"
        );
    });
}

#[test]
fn a_key_expires_by_the_clock_of_the_server() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let (id, _) = admin(&mut anonymous).await;
        let expires = json!({ "user_id": id, "expires_at": "2026-11-15T12:01:00Z" });
        let made = anonymous.ok("/v1/apikeys.create", expires).await;
        let mut caller = server.caller().await.with_key(made["key"].as_str().unwrap());
        caller.ok(LIST, json!({})).await;
        server.advance(Span::from_micros(59_999_999));
        caller.ok(LIST, json!({})).await;
        server.advance(Span::from_micros(1));
        let prefix = made["prefix"].as_str().unwrap();
        let message = format!("api key has expired; '{prefix}' of user 'root' was valid until 2026-11-15T12:01:00Z");
        assert_eq!(caller.json(LIST, json!({})).await.rejection(), unauthorized(&message));
    });
}

#[test]
fn the_keys_of_a_deleted_user_do_not_exist() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let (id, key) = admin(&mut anonymous).await;
        let mut caller = server.caller().await.with_key(&key);
        caller.ok(LIST, json!({})).await;
        anonymous.ok("/v1/users.delete", json!({ "id": id })).await;
        assert_eq!(caller.json(LIST, json!({})).await.rejection(), unauthorized("api key does not exist"));
    });
}

/// Deleting a user deletes their keys, so a key without a user means that the store is damaged.
#[test]
fn a_key_without_a_user_is_invalid() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let (id, key) = admin(&mut anonymous).await;
        let user = [b"user\0\x01".as_slice(), id.as_bytes(), b"\0\x01"].concat();
        let gone = redrive_model::KeyWrite { key: user.into(), value: None, condition: Default::default() };
        server.store().write_keys(WriteKeys { writes: vec![gone] }).await.unwrap();
        let response = server.caller().await.with_key(&key).json(LIST, json!({})).await;
        assert_eq!(response.rejection(), unauthorized("api key is invalid"));
    });
}

/// Polls the time of the last use of a key until it is the expected one, since the server writes it after its response.
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

#[test]
fn the_last_use_is_written_at_most_every_five_minutes() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let (id, _) = admin(&mut anonymous).await;
        let (key_id, key) = key_of(&mut anonymous, &id).await;
        assert_eq!(last_used(&mut anonymous, &key_id, &Value::Null).await, Value::Null);
        let mut caller = server.caller().await.with_key(&key);
        caller.ok(LIST, json!({})).await;
        let noon = json!("2026-11-15T12:00:00Z");
        assert_eq!(last_used(&mut anonymous, &key_id, &noon).await, noon);
        server.advance(Span::from_secs(299));
        caller.ok(LIST, json!({})).await;
        server.advance(Span::from_secs(1));
        caller.ok(LIST, json!({})).await;
        let later = json!("2026-11-15T12:05:00Z");
        assert_eq!(last_used(&mut anonymous, &key_id, &later).await, later, "the use at 12:04:59 is not written");
    });
}

#[tokio::test]
async fn a_key_is_valid_after_a_restart() {
    let mut server = super::server_with_auth(crate::harness::StoreKind::Journal).await;
    let (_, key) = admin(&mut server.caller().await).await;
    server.restart().await;
    server.caller().await.with_key(&key).ok(LIST, json!({})).await;
}
