//! What was not done is recorded, too.

use serde_json::json;

use super::{AuditedBed, records};
use crate::auth::each_closed;
use crate::bed::each;
use crate::tenancy::{key_of, namespace, user};

#[tokio::test]
async fn a_denied_act_is_recorded() {
    each_closed(async |bed| {
        let mut anybody = bed.caller().await;
        let ann = user(&mut anybody, "ann").await;
        let mut caller = bed.caller().await.with_key(&key_of(&mut anybody, &ann).await.1);
        caller.json("/v1/users.delete", json!({ "id": ann })).await;
        assert_eq!(bed.last().await, ("users.delete".to_owned(), 403, vec![format!("user={ann}")]));
        let record = records(&bed).await.pop().unwrap();
        assert_eq!(record.actor.user, ann);
        assert_eq!(record.result.message, "access denied");
        let before = records(&bed).await.len();
        caller.json("/v1/users.list", json!({})).await;
        assert_eq!(records(&bed).await.len(), before, "looking is no act");
    })
    .await;
}

#[tokio::test]
async fn a_conflict_is_recorded_without_what_was_sent() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        namespace(&mut caller, "shop").await;
        caller.json("/v1/namespaces.create", json!({ "name": "shop" })).await;
        let record = records(&bed).await.pop().unwrap();
        assert_eq!(record.result.code, 400);
        assert_eq!(record.result.message, "namespace already exists");
        assert_eq!((record.before, record.after), (None, None));
        caller.json("/v1/queues.delete", json!({ "queue_name": "gone" })).await;
        assert_eq!(bed.last().await, ("queues.delete".to_owned(), 400, vec!["queue=gone".to_owned()]));
        caller.json("/v1/users.delete", json!({ "id": "gone" })).await;
        assert_eq!(bed.last().await.1, 453);
    })
    .await;
}

#[tokio::test]
async fn a_long_name_makes_no_long_record() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        caller.json("/v1/namespaces.create", json!({ "name": "ü".repeat(100_000) })).await;
        assert_eq!(bed.last().await.2[0].len(), "namespace=".len() + 512);
    })
    .await;
}

#[tokio::test]
async fn a_flood_of_refusals_leaves_room_for_what_was_done() {
    each(async |bed| {
        let mut caller = bed.caller().await;
        for _ in 0..610 {
            caller.json("/v1/users.delete", json!({ "id": "gone" })).await;
        }
        assert_eq!(records(&bed).await.len(), 600);
        namespace(&mut caller, "shop").await;
        assert_eq!(records(&bed).await.pop().unwrap().unrecorded, 0);
        bed.advance(redrive_core::Span::from_mins(1));
        caller.json("/v1/users.delete", json!({ "id": "gone" })).await;
        assert_eq!(records(&bed).await.pop().unwrap().unrecorded, 10);
    })
    .await;
}
