//! The calls that most tests make, as methods of [`Caller`].

use serde_json::{Value, json};

use super::Caller;

/// The request timeout of calls that do not wait.
pub(crate) fn request_timeout() -> &'static str {
    "1m"
}

/// A leased item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) partition: i32,
    pub(crate) attempts: u64,
    /// The payload as text.
    pub(crate) payload: String,
    pub(crate) deadline: String,
}

pub(crate) fn ids(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.id.as_str()).collect()
}

/// The payloads of leased items.
pub(crate) fn contents(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.payload.as_str()).collect()
}

impl Caller {
    /// Creates a queue with one partition, a lease timeout of 1 minute and an expire timeout of 24 hours, unless `settings`
    /// override that.
    pub(crate) async fn create(&mut self, queue: &str, settings: Value) {
        self.ok("/v1/queues.create", queue_settings(queue, settings)).await;
    }

    /// Creates a queue and its dead queue `dead`.
    pub(crate) async fn create_with_dead(&mut self, queue: &str, settings: Value) {
        self.create("dead", json!({})).await;
        self.create(queue, with(json!({ "dead_queue": "dead" }), settings)).await;
    }

    pub(crate) async fn update(&mut self, queue: &str, settings: Value) {
        self.ok("/v1/queues.update", with(json!({ "queue_name": queue }), settings)).await;
    }

    pub(crate) async fn produce(&mut self, queue: &str, payloads: &[&str]) {
        let items: Vec<Value> = payloads.iter().map(|payload| json!({ "utf8": payload })).collect();
        self.produce_items(queue, json!(items)).await;
    }

    pub(crate) async fn produce_items(&mut self, queue: &str, items: Value) {
        let produce = json!({ "queue_name": queue, "request_timeout": request_timeout(), "items": items });
        assert_eq!(self.ok("/v1/queue.produce", produce).await, json!({ "code": 200 }));
    }

    /// Produces `count` items without content.
    pub(crate) async fn produce_many(&mut self, queue: &str, count: usize) {
        self.produce_items(queue, json!(vec![json!({}); count])).await;
    }

    /// Leases up to `batch` items; panics if there is none.
    pub(crate) async fn lease(&mut self, queue: &str, batch: i32) -> Vec<Item> {
        let lease = json!({
            "queue_name": queue, "batch_size": batch, "client_id": "test", "request_timeout": request_timeout(),
        });
        leased(&self.ok("/v1/queue.lease", lease).await)
    }

    pub(crate) async fn lease_one(&mut self, queue: &str) -> Item {
        self.lease(queue, 1).await.remove(0)
    }

    pub(crate) async fn complete(&mut self, queue: &str, items: &[Item]) {
        self.ok("/v1/queue.complete", complete(queue, items[0].partition, &ids(items))).await;
    }

    /// Retries an item; `how` contains `retry_at` or `dead`.
    pub(crate) async fn retry(&mut self, queue: &str, item: &Item, how: Value) {
        let items = [with(json!({ "id": item.id }), how)];
        let retry = json!({ "queue_name": queue, "partition": item.partition, "items": items });
        assert_eq!(self.ok("/v1/queue.retry", retry).await, json!({ "code": 200 }));
    }

    pub(crate) async fn stats(&mut self, queue: &str) -> Value {
        let stats = self.ok("/v1/queue.stats", json!({ "queue_name": queue })).await;
        assert_eq!(stats["logicalQueues"].as_array().unwrap().len(), 1);
        stats["logicalQueues"][0].clone()
    }

    /// For each partition: the number of stored, leased and scheduled items. Scheduled items are not among the stored ones.
    pub(crate) async fn counts(&mut self, queue: &str) -> Vec<(u64, u64, u64)> {
        let stats = self.stats(queue).await;
        let count = |partition: &Value, what: &str| partition[what].as_u64().unwrap_or(0);
        let partitions = stats["partitions"].as_array().unwrap();
        let all = ["total", "total_leased", "scheduled"];
        partitions.iter().map(|partition| all.map(|what| count(partition, what)).into()).collect()
    }

    /// Confirms a plan for letters of `dead`, and waits for the end of its run. Returns it with its skips and failures.
    pub(crate) async fn carry_out(&mut self, plan: &Value) -> Value {
        self.confirmed(plan, json!({})).await
    }

    /// Like [`carry_out`](Self::carry_out), with further fields of the confirmation.
    pub(crate) async fn confirmed(&mut self, plan: &Value, more: Value) -> Value {
        let confirm = json!({ "queue_name": "dead", "token": plan["token"], "wait_seconds": 60 });
        self.ok("/v1/letters.confirm", with(confirm, more)).await;
        self.run_of(plan, 60).await
    }

    /// The run of a plan for letters of `dead`, when it has ended or after some seconds.
    pub(crate) async fn run_of(&mut self, plan: &Value, wait_seconds: u32) -> Value {
        let run = json!({ "queue_name": "dead", "id": plan["token"], "wait_seconds": wait_seconds, "details": true });
        let answer = self.ok("/v1/letters.run", run).await;
        let details = json!({ "skips": answer["skips"], "failures": answer["failures"] });
        with(answer["run"].clone(), details)
    }

    pub(crate) async fn info(&mut self, queue: &str) -> Value {
        self.ok("/v1/queues.info", json!({ "queue_name": queue })).await
    }

    /// The items stored in a partition, without the scheduled ones.
    pub(crate) async fn items(&mut self, queue: &str, partition: i32) -> Vec<Value> {
        self.list("/v1/storage/items.list", queue, partition).await
    }

    pub(crate) async fn scheduled(&mut self, queue: &str, partition: i32) -> Vec<Value> {
        self.list("/v1/storage/scheduled.list", queue, partition).await
    }

    async fn list(&mut self, path: &str, queue: &str, partition: i32) -> Vec<Value> {
        let listed = self.ok(path, json!({ "queue_name": queue, "partition": partition })).await;
        listed["items"].as_array().cloned().unwrap_or_default()
    }
}

/// The request of [`Caller::create`].
pub(crate) fn queue_settings(queue: &str, settings: Value) -> Value {
    let defaults = json!({
        "queue_name": queue, "lease_timeout": "1m", "expire_timeout": "24h", "requested_partitions": 1,
    });
    with(defaults, settings)
}

fn complete(queue: &str, partition: i32, ids: &[&str]) -> Value {
    json!({ "queue_name": queue, "partition": partition, "request_timeout": request_timeout(), "ids": ids })
}

/// The fields of both objects; those of the second take precedence.
pub(crate) fn with(mut first: Value, second: Value) -> Value {
    if let (Value::Object(first), Value::Object(second)) = (&mut first, second) {
        first.extend(second);
    }
    first
}

/// The items of a lease response.
pub(crate) fn leased(answer: &Value) -> Vec<Item> {
    let partition = i32::try_from(answer["partition"].as_i64().unwrap_or(0)).unwrap();
    let items = answer["items"].as_array().unwrap_or_else(|| panic!("nothing was leased: {answer}"));
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let item = |item: &Value| Item {
        id: text(&item["id"]),
        partition,
        attempts: item["attempts"].as_u64().unwrap_or(0),
        payload: decoded(item["bytes"].as_str().unwrap_or_default()),
        deadline: text(&item["lease_deadline"]),
    };
    items.iter().map(item).collect()
}

/// A base64 payload as text.
pub(crate) fn decoded(base64: &str) -> String {
    use base64::Engine;
    let bytes = base64::engine::general_purpose::STANDARD.decode(base64).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}
