//! What there is before the first call.

use std::sync::Arc;

use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_server::{AuthMode, Bootstrap, Server, Settings, StartError, TestClock, TestMode};
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
    let settings =
        Settings { listen: loopback, auth: AuthMode::Internal, bootstrap: Bootstrap::Anonymous, ..Settings::default() };
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
        asking.bootstrap = Bootstrap::Anonymous;
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

/// A server that asks, as it is by itself.
async fn new_server(bed: &Bed, admin_key_file: Option<std::path::PathBuf>) -> Result<Server, StartError> {
    let settings = Settings { auth: AuthMode::Internal, admin_key_file, ..bed.settings.clone() };
    Server::bind(settings, Arc::new(bed.store().clone()), Arc::new(bed.clock.clone())).await
}

async fn caller_of(server: Server) -> Caller {
    let address = server.address();
    tokio::spawn(server.serve(CancellationToken::new()));
    Caller::connect(address).await
}

#[tokio::test]
async fn on_a_new_server_nobody_may_do_anything_without_the_administrators_key() {
    each(async |bed| {
        let mut server = new_server(&bed, None).await.unwrap();
        let key = server.take_admin_key().unwrap();
        assert_eq!(server.take_admin_key(), None);
        assert!(!format!("{key:?} {server:?}").contains(key.reveal()));
        let mut caller = caller_of(server).await;
        for path in ["users.list", "queues.list", "apikeys.list"] {
            let heard = caller.json(&format!("/v1/{path}"), json!({})).await;
            assert_eq!(heard.refusal(), (403, "access denied".to_owned()), "{path}");
        }
        let mut admin = caller.with_key(key.reveal());
        let users = admin.ok("/v1/users.list", json!({})).await;
        let names: Vec<&Value> = users["items"].as_array().unwrap().iter().map(|user| &user["username"]).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert!(names.contains(&&json!("admin")) && names.contains(&&json!("anonymous")), "{names:?}");
        let mut again = new_server(&bed, None).await.unwrap();
        assert_eq!(again.take_admin_key(), None, "it is made once");
        let mut admin = caller_of(again).await.with_key(key.reveal());
        assert_eq!(admin.ok("/v1/users.list", json!({})).await, users);
    })
    .await;
}

#[tokio::test]
async fn the_administrators_key_may_be_given_in_a_file_and_another_one_when_it_is_lost() {
    each(async |bed| {
        let folder = std::env::temp_dir().join(format!("redrive-admin-{}-{:?}", std::process::id(), bed.ground()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("key");
        let mut users = Vec::new();
        for secret in ["A".repeat(43), "b".repeat(64)] {
            let key = format!("rdr-root-{secret}");
            std::fs::write(&file, format!("{key}\n")).unwrap();
            for _ in 0..2 {
                let mut server = new_server(&bed, Some(file.clone())).await.unwrap();
                assert_eq!(server.take_admin_key(), None, "whoever wrote it knows it");
                let mut admin = caller_of(server).await.with_key(&key);
                users.push(admin.ok("/v1/users.list", json!({})).await);
            }
        }
        assert!(users.iter().all(|seen| *seen == users[0]), "one administrator, whatever their key");
        let wrong = "hunter2-which-is-a-secret-of-something-else";
        std::fs::write(&file, wrong).unwrap();
        let refused = new_server(&bed, Some(file.clone())).await.unwrap_err();
        let told = format!("{refused} {refused:?}");
        assert!(told.contains("holds no key") && told.contains("rdr-<tag>-") && !told.contains("hunter2"), "{told}");
        std::fs::remove_dir_all(&folder).unwrap();
        let refused = new_server(&bed, Some(file)).await.unwrap_err();
        assert!(refused.to_string().contains("cannot be read"), "{refused}");
    })
    .await;
}
