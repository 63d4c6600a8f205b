//! The rules for `dead_queue` on create and update.

use serde_json::{Value, json};

use super::{assert_rejected, with_fields};
use crate::harness::on_each_store_with_caller;

#[test]
fn d_faults_of_the_dead_queue_are_reported_in_order_on_create_and_update() {
    on_each_store_with_caller(async |_server, mut caller| {
        for queue in ["dead", "q", "free"] {
            caller.create(queue, json!({ "dead_queue": if queue == "q" { "dead" } else { "" } })).await;
        }
        // The fields of groups S and L, which are checked later, are wrong, too.
        let wrong = json!({ "reference": "x".repeat(2_001), "lease_timeout": "2h", "expire_timeout": "1h" });
        for (path, name) in [("/v1/queues.create", "new"), ("/v1/queues.update", "free")] {
            let dead = |dead: &str| with_fields(&wrong, json!({ "queue_name": name, "dead_queue": dead }));
            let too_long = "dead queue is invalid; cannot be greater than '500' characters";
            let cases = [
                ("too long", dead(&"~ ".repeat(251)), too_long),
                ("too long, in bytes", dead(&"ä".repeat(251)), too_long),
                ("blank", dead(" "), "dead queue is invalid; ' ' cannot contain whitespace"),
                ("whitespace before tilde", dead("~ a"), "dead queue is invalid; '~ a' cannot contain whitespace"),
                ("tilde", dead("a~b"), "dead queue is invalid; 'a~b' cannot contain '~' character"),
                ("itself", dead(name), "dead_queue cannot reference itself"),
                ("missing", dead("none"), "dead_queue does not exist; 'none' was not found, create it first"),
                ("a chain", dead("q"), "dead_queue is invalid; 'q' already has its own dead_queue configured"),
            ];
            assert_rejected(&mut caller, path, &cases).await;
        }
        let update = |queue: &str, dead: &str| -> Value { json!({ "queue_name": queue, "dead_queue": dead }) };
        let itself = "dead_queue is invalid; 'dead' is itself a dead queue";
        assert_rejected(&mut caller, "/v1/queues.update", &[("serves as one", update("dead", "free"), itself)]).await;
    });
}
