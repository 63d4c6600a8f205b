//! R18: updates of queue settings.

use serde_json::json;

use crate::harness::on_each_store_with_caller;

#[test]
fn r18_an_update_is_merged_and_validated_as_merged() {
    on_each_store_with_caller(async |_server, mut caller| {
        caller.create("q", json!({ "lease_timeout": "1m", "expire_timeout": "30m" })).await;
        caller.update("q", json!({ "expire_timeout": "1h" })).await;
        let info = caller.info("q").await;
        assert_eq!((&info["lease_timeout"], &info["expire_timeout"]), (&json!("1m0s"), &json!("1h0m0s")));
        caller.produce("q", &["a"]).await;
        assert_eq!(caller.lease_one("q").await.deadline, "2026-11-15T12:01:00Z", "the lease timeout is unchanged");
        let message = "lease timeout is too long; 2h0m0s cannot be greater than the expire timeout 1h0m0s".to_owned();
        let update = json!({ "queue_name": "q", "lease_timeout": "2h" });
        assert_eq!(caller.rejection("/v1/queues.update", update).await, (400, message));
        let message = "lease timeout is too long; 1m0s cannot be greater than the expire timeout 30s".to_owned();
        let update = json!({ "queue_name": "q", "expire_timeout": "30s" });
        assert_eq!(caller.rejection("/v1/queues.update", update).await, (400, message));
    });
}
