//! A caller sees the queues of those namespaces in which it may read statistics, and nothing of the others.

use serde_json::json;

use super::{names, queue, queues, status};
use crate::auth::{anonymous_settings, on_each_store_with_auth};
use crate::harness::{Caller, TestServer, run};
use crate::tenancy::{bind, key_of, namespace, role, user};

/// Two namespaces with one paused queue each, and one in `_system`; returns a caller with these permissions in `shop`.
async fn in_shop(server: &TestServer, permissions: &[&str]) -> Caller {
    let mut anonymous = server.caller().await;
    for name in ["shop", "bar"] {
        namespace(&mut anonymous, name).await;
        let queue = format!("{name}-orders");
        anonymous.create(&queue, json!({ "namespace": name })).await;
        anonymous.produce(&queue, &["a"]).await;
        anonymous.ok("/v1/queue.pause", json!({ "queue_name": queue })).await;
    }
    anonymous.create("of-the-system", json!({})).await;
    let ann = user(&mut anonymous, "ann").await;
    role(&mut anonymous, "shop", "reader", permissions).await;
    bind(&mut anonymous, "shop", "reader", &ann).await;
    server.caller().await.with_key(&key_of(&mut anonymous, &ann).await.1)
}

#[test]
fn queues_totals_and_attention_are_those_of_the_callers_namespaces() {
    on_each_store_with_auth(async |server, _anonymous| {
        let mut ann = in_shop(&server, &["queue.stats"]).await;
        for request in [json!({}), json!({ "namespace": "shop" })] {
            let answer = status(&mut ann, request).await;
            assert_eq!(names(&answer.queues), ["shop-orders"]);
            let totals = answer.totals.unwrap();
            assert_eq!((totals.queues, totals.ready, totals.paused), (1, 1, 1));
            let about: Vec<&str> = answer.attention.iter().map(|entry| entry.queue_name.as_str()).collect();
            assert_eq!((about, answer.attention_total), (vec!["shop-orders"], 1));
            let entry = &answer.attention[0];
            assert_eq!((entry.namespace.as_str(), entry.missing_permission.as_str()), ("shop", "queue.update"));
        }
        let mut all = server.caller().await;
        let answer = status(&mut all, json!({})).await;
        assert_eq!(names(&answer.queues), ["bar-orders", "of-the-system", "shop-orders"]);
        assert!(answer.attention.iter().all(|entry| entry.missing_permission.is_empty()), "{:?}", answer.attention);
        assert_eq!(names(&status(&mut all, json!({ "namespace": "_system" })).await.queues), ["of-the-system"]);
    });
}

#[test]
fn another_namespace_is_denied() {
    on_each_store_with_auth(async |server, _anonymous| {
        let mut ann = in_shop(&server, &["queue.stats"]).await;
        let denied = (403, "access denied".to_owned());
        for (path, request) in [
            ("/v1/status.get", json!({ "namespace": "bar" })),
            ("/v1/status.get", json!({ "namespace": "_system" })),
            ("/v1/status.queues", json!({ "namespace": "bar" })),
            ("/v1/status.queues", json!({})),
            ("/v1/status.queues", json!({ "queue_name": "bar-orders" })),
        ] {
            assert_eq!(ann.json(path, request.clone()).await.stable_rejection(), denied, "{path} {request}");
        }
        assert_eq!(names(&queues(&mut ann, json!({ "namespace": "shop" })).await), ["shop-orders"]);
        assert!(queue(&mut ann, "shop-orders").await.is_paused);
    });
}

#[test]
fn a_caller_that_may_only_list_queues_is_denied() {
    on_each_store_with_auth(async |server, _anonymous| {
        let mut ann = in_shop(&server, &["queue.list", "letters.read"]).await;
        for path in ["/v1/status.get", "/v1/status.queues"] {
            let (code, message) = ann.rejection(path, json!({ "namespace": "shop" })).await;
            assert_eq!(code, 403, "{path}");
            assert!(message.contains("lacks the permission 'queue.stats'"), "{message}");
        }
        let (code, message) = ann.rejection("/v1/status.get", json!({})).await;
        assert_eq!(code, 403, "also without a namespace");
        assert!(message.contains("lacks the permission 'queue.stats'"), "{message}");
    });
}

#[test]
fn target_and_retries_of_a_queue_need_the_permission_to_read_its_letters() {
    run(async {
        let (server, _target) = TestServer::retrying_with(anonymous_settings()).await;
        let mut anonymous = server.caller().await;
        namespace(&mut anonymous, "shop").await;
        anonymous.create("dead", json!({ "namespace": "shop" })).await;
        for (name, permissions, expected, target) in
            [("ann", &["queue.stats"][..], 0, ""), ("bob", &["queue.stats", "letters.read"], 1, "test target")]
        {
            let id = user(&mut anonymous, name).await;
            role(&mut anonymous, "shop", name, permissions).await;
            bind(&mut anonymous, "shop", name, &id).await;
            let mut caller = server.caller().await.with_key(&key_of(&mut anonymous, &id).await.1);
            let answer = status(&mut caller, json!({})).await;
            assert_eq!((names(&answer.queues), answer.retries.len()), (vec!["dead"], expected), "{name}");
            assert_eq!(
                (answer.queues[0].target.as_str(), queue(&mut caller, "dead").await.target.as_str()),
                (target, target)
            );
        }
    });
}
