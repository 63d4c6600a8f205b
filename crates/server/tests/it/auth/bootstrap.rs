//! What there is before the first call.

use std::sync::Arc;

use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_server::{AuthMode, Server, Settings, TestClock, TestMode};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{closed, each_closed};
use crate::bed::{Bed, Caller, Ground, each};
use crate::tenancy::{bind, key_of, second_server, user};

async fn everything(caller: &mut Caller) -> Vec<Value> {
    let mut all = Vec::new();
    for path in ["namespaces.list", "users.list", "roles.list", "rolebindings.list", "apikeys.list"] {
        all.push(caller.ok(&format!("/v1/{path}"), json!({})).await);
    }
    all
}

/// Takes away what lets everybody in, and gives an administrator's key.
async fn close_the_door(bed: &Bed) -> String {
    let mut anybody = bed.caller().await;
    let root = user(&mut anybody, "root").await;
    bind(&mut anybody, "_system", "Admin", &root).await;
    let (_, key) = key_of(&mut anybody, &root).await;
    let binding = json!({ "namespace": "_system", "role_name": "Admin", "user_id": "anonymous" });
    anybody.ok("/v1/rolebindings.delete", binding).await;
    let heard = anybody.json("/v1/users.list", json!({})).await;
    assert_eq!(heard.refusal(), (403, "access denied".to_owned()));
    key
}

#[tokio::test]
async fn where_nobody_is_asked_there_is_only_the_systems_namespace() {
    each(async |bed| {
        let all = everything(&mut bed.caller().await).await;
        assert_eq!(all[0]["items"].as_array().unwrap().len(), 1);
        assert_eq!(all[0]["items"][0]["name"], "_system");
        assert!(all[1..].iter().all(|list| *list == json!({})));
    })
    .await;
}

#[tokio::test]
async fn whoever_shows_no_key_may_do_everything_at_first() {
    each_closed(async |bed| {
        let all = everything(&mut bed.caller().await).await;
        assert_eq!(all[0]["items"][0]["name"], "_system");
        assert_eq!(all[1]["items"][0]["id"], "anonymous");
        assert_eq!(all[1]["items"][0]["username"], "anonymous");
        let roles = all[2]["items"].as_array().unwrap();
        let names: Vec<&str> = roles.iter().map(|role| role["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["Admin", "NamespaceOwner", "PublicViewer"]);
        assert_eq!(all[3]["items"].as_array().unwrap().len(), 1);
        assert_eq!(all[3]["items"][0]["user_id"], "anonymous");
        assert_eq!(all[3]["items"][0]["role_id"], roles[0]["id"]);
    })
    .await;
}

#[tokio::test]
async fn a_second_start_changes_nothing() {
    each_closed(async |mut bed| {
        let before = everything(&mut bed.caller().await).await;
        let other = second_server(&bed).await;
        assert_eq!(everything(&mut Caller::connect(other).await).await, before);
        if bed.ground() != Ground::Memory {
            bed.restart().await;
            assert_eq!(everything(&mut bed.caller().await).await, before);
        }
    })
    .await;
}

/// R29.
#[tokio::test]
async fn a_door_that_was_closed_stays_closed() {
    each_closed(async |bed| {
        let key = close_the_door(&bed).await;
        let before = everything(&mut bed.caller().await.with_key(&key)).await;
        let other = second_server(&bed).await;
        assert_eq!(everything(&mut Caller::connect(other).await.with_key(&key)).await, before);
        let heard = Caller::connect(other).await.json("/v1/users.list", json!({})).await;
        assert_eq!(heard.refusal().0, 403);
    })
    .await;
    let mut bed = closed(Ground::Journal).await;
    let key = close_the_door(&bed).await;
    let before = everything(&mut bed.caller().await.with_key(&key)).await;
    bed.restart().await;
    assert_eq!(everything(&mut bed.caller().await.with_key(&key)).await, before);
    assert_eq!(bed.caller().await.json("/v1/users.list", json!({})).await.refusal().0, 403);
}

#[tokio::test]
async fn a_door_that_was_closed_stays_closed_when_nobody_was_asked_meanwhile() {
    let mut bed = closed(Ground::Journal).await;
    close_the_door(&bed).await;
    let internal = std::mem::replace(&mut bed.settings.auth, AuthMode::None);
    bed.restart().await;
    bed.caller().await.ok("/v1/users.list", json!({})).await;
    bed.settings.auth = internal;
    bed.restart().await;
    assert_eq!(bed.caller().await.json("/v1/users.list", json!({})).await.refusal().0, 403);
}

/// Section 12: the test mode runs it again on the live server.
#[tokio::test]
async fn a_bootstrap_of_a_live_server_makes_what_is_missing_and_opens_no_door() {
    let clock = TestClock::new();
    let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
    let store = Arc::new(EmbeddedStore::in_memory(&options).unwrap());
    let loopback = ([127, 0, 0, 1], 0).into();
    let settings = Settings { listen: loopback, auth: AuthMode::Internal, ..Settings::default() };
    let server = Server::bind(settings, store.clone(), Arc::new(clock.clone())).await.unwrap();
    let server = server.with_test_mode(TestMode { listen: loopback, clock, store }).await.unwrap();
    let (address, control) = (server.address(), server.control_address().unwrap());
    tokio::spawn(server.serve(CancellationToken::new()));
    let (mut anybody, mut control) = (Caller::connect(address).await, Caller::connect(control).await);
    let before = everything(&mut anybody).await;
    control.ok("/v1/test.bootstrap", json!({})).await;
    assert_eq!(everything(&mut anybody).await, before);
    let root = user(&mut anybody, "root").await;
    bind(&mut anybody, "_system", "Admin", &root).await;
    let (_, key) = key_of(&mut anybody, &root).await;
    let mut root = Caller::connect(address).await.with_key(&key);
    root.ok("/v1/users.delete", json!({ "id": "anonymous" })).await;
    control.ok("/v1/test.bootstrap", json!({})).await;
    let users = root.ok("/v1/users.list", json!({ "pivot": "anonymous" })).await;
    assert_eq!(users["items"][0]["id"], "anonymous", "there again");
    assert_eq!(anybody.json("/v1/users.list", json!({})).await.refusal().0, 403, "and without its role");
}

#[tokio::test]
async fn two_servers_that_start_at_once_make_everything_once() {
    for ground in Ground::ALL {
        let bed = Bed::new(ground).await;
        let mut asking = bed.settings.clone();
        asking.auth = AuthMode::Internal;
        let start = || {
            let (store, clock) = (Arc::new(bed.store().clone()), Arc::new(bed.clock.clone()));
            Server::bind(asking.clone(), store, clock)
        };
        let started = tokio::join!(start(), start(), start());
        assert!(started.0.is_ok() && started.1.is_ok() && started.2.is_ok());
        let all = everything(&mut bed.caller().await).await;
        let counts: Vec<usize> = all.iter().map(|list| list["items"].as_array().map_or(0, Vec::len)).collect();
        assert_eq!(counts, [1, 1, 3, 1, 0]);
    }
}
