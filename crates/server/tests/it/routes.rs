//! The calls of routes.

use std::sync::Arc;

use redrive_core::Time;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_server::Server;
use redrive_store::ManualClock;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::auth::server_with_auth;
use crate::harness::{Caller, StoreKind, TestServer, local_settings, on_each_store, routes, run};
use crate::tenancy::{bind, key_of, namespace, role, user};

/// A request about the route `orders` of a namespace.
fn orders(namespace: &str) -> Value {
    json!({ "namespace": namespace, "name": "orders" })
}

fn definition(target: &str) -> Value {
    json!({ "target": target, "queue": { "name": "orders" } })
}

fn with(mut request: Value, name: &str, value: Value) -> Value {
    request[name] = value;
    request
}

async fn rejected(caller: &mut Caller, call: &str, request: Value) -> (u16, String) {
    caller.rejection(&format!("/v1/{call}"), request).await
}

async fn queue(caller: &mut Caller, name: &str, namespace: &str, dead_queue: &str) {
    caller.create(name, json!({ "namespace": namespace, "dead_queue": dead_queue })).await;
}

/// The state of `orders` once it has started or failed.
async fn settled_state(caller: &mut Caller, namespace: &str) -> Value {
    loop {
        let route = caller.ok("/v1/routes.get", orders(namespace)).await;
        if !["starting", "draining"].contains(&route["state"].as_str().unwrap()) {
            return route;
        }
        tokio::task::yield_now().await;
    }
}

#[test]
fn a_route_is_created_changed_controlled_and_deleted() {
    on_each_store(async |server| {
        let caller = &mut server.caller().await;
        namespace(caller, "shop").await;
        queue(caller, "orders-dead", "shop", "").await;
        queue(caller, "orders", "shop", "orders-dead").await;
        let create = with(orders("shop"), "definition", definition("shop"));
        caller.ok("/v1/routes.create", create.clone()).await;
        let route = settled_state(caller, "shop").await;
        assert_eq!((&route["state"], &route["defined_in"]), (&json!("running"), &json!("api")), "{route}");
        let (status, message) = rejected(caller, "routes.create", create).await;
        assert!(status == 409 && message.contains("already exists"), "{status} {message}");
        let (_, message) = rejected(caller, "queues.delete", json!({ "queue_name": "orders" })).await;
        assert!(message.contains("stop or delete the route 'orders' before the queue 'orders'"), "{message}");
        let (_, message) = rejected(caller, "namespaces.delete", json!({ "name": "shop" })).await;
        assert!(message.contains("delete routes first"), "{message}");
        caller.ok("/v1/routes.control", with(orders("shop"), "action", json!("pause"))).await;
        assert_eq!(settled_state(caller, "shop").await["intent"], "pause");
        let slower = json!({ "target": "shop", "queue": { "name": "orders", "concurrency": 1 } });
        caller.ok("/v1/routes.update", with(orders("shop"), "definition", slower)).await;
        let route = settled_state(caller, "shop").await;
        assert_eq!(route["definition"]["queue"]["concurrency"], 1);
        assert_eq!(route["intent"], "pause", "an update does not start a paused route");
        caller.ok("/v1/routes.delete", orders("shop")).await;
        let listed = caller.ok("/v1/routes.list", json!({ "namespace": "shop" })).await;
        assert_eq!(listed.get("routes").cloned().unwrap_or_else(|| json!([])), json!([]));
        caller.ok("/v1/queues.delete", json!({ "queue_name": "orders" })).await;
    });
}

#[test]
fn a_route_survives_a_restart_with_what_was_asked_of_it() {
    run(async {
        let mut server = TestServer::new(StoreKind::Journal).await;
        let caller = &mut server.caller().await;
        namespace(caller, "shop").await;
        queue(caller, "orders-dead", "shop", "").await;
        queue(caller, "orders", "shop", "orders-dead").await;
        caller.ok("/v1/routes.create", with(orders("shop"), "definition", definition("shop"))).await;
        caller.ok("/v1/routes.control", with(orders("shop"), "action", json!("stop"))).await;
        server.restart().await;
        let caller = &mut server.caller().await;
        let route = settled_state(caller, "shop").await;
        assert_eq!((&route["state"], &route["intent"]), (&json!("stopped"), &json!("stop")));
    });
}

#[test]
fn a_route_of_the_file_is_read_only_and_its_failure_needs_attention() {
    run(async {
        let store = EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap();
        let clock = ManualClock::new(Time::from_secs(1_800_000_000));
        let settings = local_settings();
        let written = json!({ "name": "of-file", "target": "shop", "queue": { "name": "of-file" } });
        let routes = routes(&settings, &store, &clock, Some(written)).await;
        let server = Server::bind(settings, Arc::new(store), Arc::new(clock)).await.unwrap();
        let server = server.with_routes(Arc::new(routes));
        let caller = &mut Caller::connect(server.address()).await;
        let stop = CancellationToken::new();
        let _stopped_at_the_end = stop.clone().drop_guard();
        tokio::spawn(server.serve(stop));
        let of_file = json!({ "name": "of-file" });
        for (call, request) in [
            ("routes.update", with(of_file.clone(), "definition", definition("shop"))),
            ("routes.delete", of_file.clone()),
        ] {
            let (status, message) = rejected(caller, call, request).await;
            assert!(status == 409 && message.contains("reload it with SIGHUP"), "{status} {message}");
        }
        // Its queue does not exist.
        let failed = loop {
            let route = caller.ok("/v1/routes.get", of_file.clone()).await;
            if route["state"] == "failed" {
                break route;
            }
            tokio::task::yield_now().await;
        };
        assert_eq!(failed["error"], "queue does not exist; no such queue named 'of-file'");
        let overview = caller.ok("/v1/status.get", json!({})).await;
        let attention = overview["attention"].as_array().unwrap();
        assert!(attention.iter().any(|entry| entry["kind"] == "route_failing" && entry["route_name"] == "of-file"));
        assert_eq!(overview["routes"][0]["name"], "of-file");
        let metrics = caller.page("/metrics").await.text();
        assert!(metrics.contains("redrive_route_healthy{namespace=\"\",route=\"of-file\"} 0\n"), "{metrics}");
        caller.ok("/v1/routes.control", with(of_file.clone(), "action", json!("stop"))).await;
        assert_eq!(caller.ok("/v1/routes.get", of_file).await["intent"], "stop");
    });
}

#[test]
fn each_wrong_request_is_one_sentence() {
    on_each_store(async |server| {
        let caller = &mut server.caller().await;
        for name in ["shop", "bank"] {
            namespace(caller, name).await;
        }
        let create = |definition: Value| with(orders("shop"), "definition", definition);
        for (call, request, expected) in [
            ("routes.create", orders("shop"), "definition is required"),
            (
                "routes.create",
                create(definition("bank")),
                "target 'bank' is not defined for the namespace of the route; defined: shop",
            ),
            ("routes.create", create(with(definition("shop"), "name", json!("x"))), "name is a field of the request"),
            ("routes.create", create(with(definition("shop"), "colour", json!("red"))), "unknown field `colour`"),
            (
                "routes.create",
                create(json!({ "target": "shop", "queue": { "name": "orders", "concurrency": 1001 } })),
                "queue.concurrency is invalid: '1001'; allowed: 1 to 1000",
            ),
            (
                "routes.create",
                with(json!({ "namespace": "gone", "name": "orders" }), "definition", definition("shop")),
                "target 'shop' is not defined for the namespace of the route; none is",
            ),
            ("routes.control", with(orders("shop"), "action", json!("stop")), "no such route named 'orders'"),
            (
                "routes.control",
                with(json!({ "name": "of-file" }), "action", json!("go")),
                "is not start, pause or stop",
            ),
            ("routes.get", json!({ "namespace": "shop" }), "name is required"),
            ("routes.delete", orders("shop"), "no such route named 'orders'"),
        ] {
            let (status, message) = rejected(caller, call, request).await;
            assert!((400..500).contains(&status) && message.contains(expected), "{call}: {status} {message}");
        }
    });
}

#[test]
fn namespaces_cannot_see_or_change_routes_of_each_other() {
    run(async {
        let server = server_with_auth(StoreKind::Memory).await;
        let admin = &mut server.caller().await;
        let mut keys = Vec::new();
        for name in ["shop", "bank"] {
            namespace(admin, name).await;
            role(admin, name, "router", &["routes.read", "routes.write", "queue.stats"]).await;
            let id = user(admin, name).await;
            bind(admin, name, "router", &id).await;
            keys.push(key_of(admin, &id).await.1);
        }
        let shop = &mut server.caller().await.with_key(&keys[0]);
        let bank = &mut server.caller().await.with_key(&keys[1]);
        shop.ok("/v1/routes.create", with(orders("shop"), "definition", definition("shop"))).await;
        for (call, request) in [
            ("routes.get", orders("shop")),
            ("routes.list", json!({ "namespace": "shop" })),
            ("routes.delete", orders("shop")),
            ("routes.update", with(orders("shop"), "definition", definition("bank"))),
            ("routes.control", with(orders("shop"), "action", json!("stop"))),
            ("routes.create", with(json!({ "namespace": "shop", "name": "x" }), "definition", definition("shop"))),
        ] {
            assert_eq!(rejected(bank, call, request).await.0, 403, "{call}");
        }
        let of_bank = bank.ok("/v1/status.get", json!({})).await;
        assert_eq!(of_bank.get("routes").cloned().unwrap_or_else(|| json!([])), json!([]));
        let of_shop = shop.ok("/v1/status.get", json!({})).await;
        assert_eq!(of_shop["routes"][0]["name"], "orders");
    });
}
