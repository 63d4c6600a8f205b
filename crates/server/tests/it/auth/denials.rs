//! A denial names the caller and the missing permission, and nothing about the target.

use redrive_server::{AuthMode, Bootstrap, Settings};
use serde_json::json;

use super::on_each_store_with_auth;
use super::permissions::prefix;
use crate::harness::{local_settings, with_settings};
use crate::tenancy::{bind, key_of, namespace, role, user};

#[test]
fn a_denial_names_the_key_by_its_name() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let ann = user(&mut anonymous, "ann").await;
        let made = anonymous.ok("/v1/apikeys.create", json!({ "user_id": ann, "name": "laptop" })).await;
        let mut caller = server.caller().await.with_key(made["key"].as_str().unwrap());
        let (_, message) = caller.rejection("/v1/users.list", json!({})).await;
        let expected = "user 'ann' with the API key 'laptop' lacks the permission 'user.list' for this request";
        assert_eq!(message, format!("access denied; {expected}"));
    });
}

#[test]
fn a_denied_request_without_a_key_is_told_so() {
    let settings = Settings { auth: AuthMode::Internal, bootstrap: Bootstrap::Key, ..local_settings() };
    with_settings(settings, async |_server, mut caller| {
        let (_, message) = caller.rejection("/v1/users.list", json!({})).await;
        let expected = "user 'anonymous' (the request has no API key) lacks the permission 'user.list'";
        assert_eq!(message, format!("access denied; {expected} for this request"));
    });
}

#[test]
fn a_denial_of_a_limited_key_names_its_limit_and_not_the_namespace_of_the_target() {
    on_each_store_with_auth(async |server, mut anonymous| {
        for name in ["mine", "theirs"] {
            namespace(&mut anonymous, name).await;
            anonymous.create(&format!("{name}-queue"), json!({ "namespace": name })).await;
        }
        let ann = user(&mut anonymous, "ann").await;
        let made = anonymous.ok("/v1/apikeys.create", json!({ "user_id": ann, "namespace_scope": "mine" })).await;
        let key = made["key"].as_str().unwrap();
        let mut caller = server.caller().await.with_key(key);
        let mine = caller.rejection("/v1/queue.stats", json!({ "queue_name": "mine-queue" })).await;
        let theirs = caller.rejection("/v1/queue.stats", json!({ "queue_name": "theirs-queue" })).await;
        let who = format!("user 'ann' with the API key '{}'", prefix(key));
        let message = format!("access denied; {who} lacks the permission 'queue.stats' for this request");
        assert_eq!(mine, (403, format!("{message}; the key is limited to the namespace 'mine'")));
        assert_eq!(mine, theirs, "the answer does not depend on the namespace of the queue");
        let wider = caller.rejection("/v1/apikeys.create", json!({ "user_id": ann })).await;
        assert_eq!(wider.0, 403);
        role(&mut anonymous, "_system", "keys", &["apikey.create"]).await;
        bind(&mut anonymous, "_system", "keys", &ann).await;
        let (code, message) = caller.rejection("/v1/roles.list", json!({ "namespace": "theirs" })).await;
        let (code_of_none, of_none) = caller.rejection("/v1/roles.list", json!({ "namespace": "none" })).await;
        assert_eq!((code, message), (code_of_none, of_none), "whether a namespace exists is not revealed");
    });
}

/// Names may contain any character.
#[test]
fn control_characters_of_names_are_escaped() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let ann = user(&mut anonymous, "ann\u{1b}[31m\n").await;
        let (_, key) = key_of(&mut anonymous, &ann).await;
        let (_, message) = server.caller().await.with_key(&key).rejection("/v1/users.list", json!({})).await;
        assert!(message.contains(r"user 'ann\u{1b}[31m\n' with"), "{message}");
    });
}
