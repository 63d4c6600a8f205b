//! What somebody in one namespace can reach in another.

use serde_json::{Value, json};

use super::{bind, key_of, namespace, user};
use crate::auth::each_closed;
use crate::bed::{Bed, Caller};

fn queue(name: &str, namespace: &str, dead_queue: &str) -> Value {
    json!({ "queue_name": name, "lease_timeout": "1m", "expire_timeout": "1h", "requested_partitions": 1,
        "max_attempts": 1, "namespace": namespace, "dead_queue": dead_queue })
}

/// Two namespaces, each with an owner; what they call with.
async fn two(bed: &Bed) -> (Caller, Caller) {
    let mut anybody = bed.caller().await;
    let mut owners = Vec::new();
    for name in ["a", "b"] {
        namespace(&mut anybody, name).await;
        anybody.ok("/v1/queues.create", queue(&format!("{name}-dead"), name, "")).await;
        let owner = user(&mut anybody, name).await;
        super::role(&mut anybody, name, "owner", &["queue.create", "queue.update", "queue.produce", "queue.delete"])
            .await;
        bind(&mut anybody, name, "owner", &owner).await;
        let (_, key) = key_of(&mut anybody, &owner).await;
        owners.push(bed.caller().await.with_key(&key));
    }
    let b = owners.pop().unwrap();
    (owners.pop().unwrap(), b)
}

#[tokio::test]
async fn items_do_not_die_into_a_namespace_that_their_queues_owner_may_not_write_to() {
    each_closed(async |bed| {
        let (mut a, mut b) = two(&bed).await;
        let heard = a.json("/v1/queues.create", queue("orders", "a", "b-dead")).await;
        assert_eq!(heard.refusal(), (403, "access denied".to_owned()));
        a.ok("/v1/queues.create", queue("orders", "a", "a-dead")).await;
        let mut moved = queue("orders", "a", "b-dead");
        assert_eq!(a.json("/v1/queues.update", moved.clone()).await.refusal().0, 403);
        // Nobody holds the queue that is not in use.
        b.ok("/v1/queues.delete", json!({ "queue_name": "b-dead" })).await;
        let heard = a.json("/v1/queues.update", moved.clone()).await;
        assert_eq!(heard.refusal().0, 400, "what is not there is told as ever: {}", heard.text());
        // Whoever may write there may have items die there, and others may change the rest of such a queue.
        b.ok("/v1/queues.create", queue("b-dead", "b", "")).await;
        bed.caller().await.ok("/v1/queues.update", moved.clone()).await;
        moved["reference"] = json!("changed");
        a.ok("/v1/queues.update", moved).await;
    })
    .await;
}

#[tokio::test]
async fn a_name_that_anothers_items_die_into_is_not_given_to_a_new_queue() {
    each_closed(async |bed| {
        let (mut a, mut b) = two(&bed).await;
        a.ok("/v1/queues.create", queue("payments-dead", "a", "")).await;
        a.ok("/v1/queues.create", queue("orders", "a", "payments-dead")).await;
        a.ok("/v1/queues.delete", json!({ "queue_name": "payments-dead", "force": true })).await;
        let (code, message) = b.json("/v1/queues.create", queue("payments-dead", "b", "")).await.refusal();
        assert_eq!((code, message.split(';').next()), (400, Some("queue name is taken")));
        a.ok("/v1/queues.create", queue("payments-dead", "a", "")).await;
    })
    .await;
}
