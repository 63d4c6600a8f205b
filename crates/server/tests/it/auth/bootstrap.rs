//! The users, roles and keys that a server creates at its start.

use std::sync::Arc;

use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_server::{AuthMode, Bootstrap, Server, Settings, StartError, TestClock, TestMode};
use redrive_testkit::folder;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::{anonymous_settings, on_each_store_with_auth, server_with_auth};
use crate::harness::{Caller, StoreKind, TestServer, on_each_store, run};
use crate::tenancy::{bind, key_of, second_server, user};

async fn everything(caller: &mut Caller) -> Vec<Value> {
    let mut all = Vec::new();
    for path in ["namespaces.list", "users.list", "roles.list", "rolebindings.list", "apikeys.list"] {
        all.push(caller.ok(&format!("/v1/{path}"), json!({})).await);
    }
    all
}

/// Creates an administrator and deletes the role binding of anonymous callers. Returns the administrator's key.
async fn revoke_anonymous_access(anonymous: &mut Caller) -> String {
    let root = user(anonymous, "root").await;
    bind(anonymous, "_system", "Admin", &root).await;
    let (_, key) = key_of(anonymous, &root).await;
    let binding = json!({ "namespace": "_system", "role_name": "Admin", "user_id": "anonymous" });
    anonymous.ok("/v1/rolebindings.delete", binding).await;
    let response = anonymous.json("/v1/users.list", json!({})).await;
    assert_eq!(response.stable_rejection(), (403, "access denied".to_owned()));
    key
}

#[test]
fn without_authentication_only_the_system_namespace_exists() {
    on_each_store(async |server| {
        let all = everything(&mut server.caller().await).await;
        assert_eq!(all[0]["items"].as_array().unwrap().len(), 1);
        assert_eq!(all[0]["items"][0]["name"], "_system");
        assert!(all[1..].iter().all(|list| *list == json!({})));
    });
}

#[test]
fn anonymous_callers_may_do_everything_after_an_anonymous_bootstrap() {
    on_each_store_with_auth(async |_server, mut anonymous| {
        let all = everything(&mut anonymous).await;
        assert_eq!(all[0]["items"][0]["name"], "_system");
        assert_eq!(all[1]["items"][0]["id"], "anonymous");
        assert_eq!(all[1]["items"][0]["username"], "anonymous");
        let roles = all[2]["items"].as_array().unwrap();
        let names: Vec<&str> = roles.iter().map(|role| role["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["Admin", "NamespaceOwner", "PublicViewer"]);
        assert_eq!(all[3]["items"].as_array().unwrap().len(), 1);
        assert_eq!(all[3]["items"][0]["user_id"], "anonymous");
        assert_eq!(all[3]["items"][0]["role_id"], roles[0]["id"]);
    });
}

#[test]
fn a_second_start_changes_nothing() {
    on_each_store_with_auth(async |mut server, mut anonymous| {
        let before = everything(&mut anonymous).await;
        let other = second_server(&server).await;
        assert_eq!(everything(&mut Caller::connect(other).await).await, before);
        if server.store_kind() != StoreKind::Memory {
            server.restart().await;
            assert_eq!(everything(&mut server.caller().await).await, before);
        }
    });
}

/// R29.
#[test]
fn revoked_anonymous_access_stays_revoked_after_a_restart() {
    on_each_store_with_auth(async |server, mut anonymous| {
        let key = revoke_anonymous_access(&mut anonymous).await;
        let before = everything(&mut server.caller().await.with_key(&key)).await;
        let other = second_server(&server).await;
        assert_eq!(everything(&mut Caller::connect(other).await.with_key(&key)).await, before);
        let response = Caller::connect(other).await.json("/v1/users.list", json!({})).await;
        assert_eq!(response.rejection().0, 403);
    });
    run(async {
        let mut server = server_with_auth(StoreKind::Journal).await;
        let key = revoke_anonymous_access(&mut server.caller().await).await;
        let before = everything(&mut server.caller().await.with_key(&key)).await;
        server.restart().await;
        assert_eq!(everything(&mut server.caller().await.with_key(&key)).await, before);
        assert_eq!(server.caller().await.json("/v1/users.list", json!({})).await.rejection().0, 403);
    });
}

#[tokio::test]
async fn revoked_anonymous_access_stays_revoked_after_a_run_without_authentication() {
    let mut server = server_with_auth(StoreKind::Journal).await;
    revoke_anonymous_access(&mut server.caller().await).await;
    let internal = std::mem::replace(&mut server.settings.auth, AuthMode::None);
    server.restart().await;
    server.caller().await.ok("/v1/users.list", json!({})).await;
    server.settings.auth = internal;
    server.restart().await;
    assert_eq!(server.caller().await.json("/v1/users.list", json!({})).await.rejection().0, 403);
}

/// Section 12 of the API: test mode can run the bootstrap again on a running server.
#[tokio::test]
async fn a_bootstrap_of_a_running_server_creates_what_is_missing_but_restores_no_access() {
    let clock = TestClock::new();
    let options = EmbeddedOptions { clock: Arc::new(clock.clone()), ..EmbeddedOptions::default() };
    let store = Arc::new(EmbeddedStore::in_memory(&options).unwrap());
    let settings = anonymous_settings();
    let listen = settings.listen;
    let server = Server::bind(settings, store.clone(), Arc::new(clock.clone())).await.unwrap();
    let server = server.with_test_mode(TestMode { listen, clock, store }).await.unwrap();
    let (address, control) = (server.address(), server.control_address().unwrap());
    tokio::spawn(server.serve(CancellationToken::new()));
    let (mut anonymous, mut control) = (Caller::connect(address).await, Caller::connect(control).await);
    let before = everything(&mut anonymous).await;
    control.ok("/v1/test.bootstrap", json!({})).await;
    assert_eq!(everything(&mut anonymous).await, before);
    let root = user(&mut anonymous, "root").await;
    bind(&mut anonymous, "_system", "Admin", &root).await;
    let (_, key) = key_of(&mut anonymous, &root).await;
    let mut root = Caller::connect(address).await.with_key(&key);
    root.ok("/v1/users.delete", json!({ "id": "anonymous" })).await;
    control.ok("/v1/test.bootstrap", json!({})).await;
    let users = root.ok("/v1/users.list", json!({ "pivot": "anonymous" })).await;
    assert_eq!(users["items"][0]["id"], "anonymous", "the user exists again");
    assert_eq!(anonymous.json("/v1/users.list", json!({})).await.rejection().0, 403, "the user has no role");
}

#[tokio::test]
async fn servers_that_start_at_the_same_time_create_everything_once() {
    for store_kind in StoreKind::ALL {
        let server = TestServer::new(store_kind).await;
        let mut settings = server.settings.clone();
        settings.auth = AuthMode::Internal;
        settings.bootstrap = Bootstrap::Anonymous;
        let start = || {
            let (store, clock) = (Arc::new(server.store().clone()), Arc::new(server.clock.clone()));
            Server::bind(settings.clone(), store, clock)
        };
        let started = tokio::join!(start(), start(), start());
        assert!(started.0.is_ok() && started.1.is_ok() && started.2.is_ok());
        let all = everything(&mut server.caller().await).await;
        let counts: Vec<usize> = all.iter().map(|list| list["items"].as_array().map_or(0, Vec::len)).collect();
        assert_eq!(counts, [1, 1, 3, 1, 0]);
    }
}

/// Starts a second server, with internal authentication and the default bootstrap, on the same store.
async fn new_server(server: &TestServer, admin_key_file: Option<std::path::PathBuf>) -> Result<Server, StartError> {
    let settings = Settings { auth: AuthMode::Internal, admin_key_file, ..server.settings.clone() };
    Server::bind(settings, Arc::new(server.store().clone()), Arc::new(server.clock.clone())).await
}

async fn serve(server: Server) -> Caller {
    let address = server.address();
    tokio::spawn(server.serve(CancellationToken::new()));
    Caller::connect(address).await
}

#[test]
fn on_a_new_server_every_call_needs_the_administrator_key() {
    on_each_store(async |server| {
        let mut first = new_server(&server, None).await.unwrap();
        let key = first.take_admin_key().unwrap();
        assert_eq!(first.take_admin_key(), None);
        assert!(!format!("{key:?} {first:?}").contains(key.reveal()));
        let mut caller = serve(first).await;
        for path in ["users.list", "queues.list", "apikeys.list"] {
            let response = caller.json(&format!("/v1/{path}"), json!({})).await;
            assert_eq!(response.stable_rejection(), (403, "access denied".to_owned()), "{path}");
        }
        let mut admin = caller.with_key(key.reveal());
        let users = admin.ok("/v1/users.list", json!({})).await;
        let names: Vec<&Value> = users["items"].as_array().unwrap().iter().map(|user| &user["username"]).collect();
        assert_eq!(names.len(), 2, "{names:?}");
        assert!(names.contains(&&json!("admin")) && names.contains(&&json!("anonymous")), "{names:?}");
        let mut again = new_server(&server, None).await.unwrap();
        assert_eq!(again.take_admin_key(), None, "the key is created once");
        let mut admin = serve(again).await.with_key(key.reveal());
        assert_eq!(admin.ok("/v1/users.list", json!({})).await, users);
    });
}

#[test]
fn the_administrator_key_can_be_set_and_replaced_by_a_file() {
    on_each_store(async |server| {
        let folder = folder("admin");
        let file = folder.path().join("key");
        let mut users = Vec::new();
        for secret in ["A".repeat(43), "b".repeat(64)] {
            let key = format!("rdr-root-{secret}");
            std::fs::write(&file, format!("{key}\n")).unwrap();
            for _ in 0..2 {
                let mut started = new_server(&server, Some(file.clone())).await.unwrap();
                assert_eq!(started.take_admin_key(), None, "a key from a file is not shown again");
                let mut admin = serve(started).await.with_key(&key);
                users.push(admin.ok("/v1/users.list", json!({})).await);
            }
        }
        assert!(users.iter().all(|seen| *seen == users[0]), "a new key does not create a second administrator");
        let wrong = "hunter2-which-is-a-secret-of-something-else";
        std::fs::write(&file, wrong).unwrap();
        let rejected = new_server(&server, Some(file.clone())).await.unwrap_err();
        let error = format!("{rejected} {rejected:?}");
        assert!(
            error.contains("holds no key") && error.contains("rdr-<tag>-") && !error.contains("hunter2"),
            "{error}"
        );
        folder.close().unwrap();
        let rejected = new_server(&server, Some(file)).await.unwrap_err();
        assert!(rejected.to_string().contains("cannot be read"), "{rejected}");
    });
}
