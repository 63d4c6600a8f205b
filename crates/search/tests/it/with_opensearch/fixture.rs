//! A separate alias on the shared OpenSearch, and direct access to it.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use redrive_core::{LetterId, QueueName, Span};
use redrive_embedded::EmbeddedStore;
use redrive_model::{KeptLetter, ListLetters, ListQueues};
use redrive_search::{Document, Projection, SearchSettings};
use redrive_store::Store;
use serde_json::{Value, json};

use crate::failures::{memory, queue, record};
use crate::waiting::settled;

pub(super) struct Fixture {
    pub(super) url: String,
    pub(super) index: String,
    pub(super) store: Arc<EmbeddedStore>,
    http: reqwest::Client,
}

pub(super) fn shared() -> String {
    let address = std::env::var("REDRIVE_TEST_OPENSEARCH").expect("set by cargo xtask test");
    format!("http://{address}")
}

impl Fixture {
    pub(super) fn new() -> Self {
        Self::at(shared())
    }

    pub(super) fn at(url: String) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let index = format!("test-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        Self { url, index, store: memory(), http: reqwest::Client::new() }
    }

    pub(super) fn settings(&self) -> SearchSettings {
        SearchSettings {
            index: self.index.clone(),
            replicas: 0,
            backoff_min: Span::from_millis(20),
            backoff_max: Span::from_millis(500),
            ..SearchSettings::new(&self.url)
        }
    }

    pub(super) fn start(&self) -> Projection {
        Projection::start(self.store.clone(), self.settings()).unwrap()
    }

    /// A fixture and its projection.
    pub(super) async fn with_projection() -> (Self, Projection) {
        let fixture = Self::new();
        let projection = fixture.started().await;
        (fixture, projection)
    }

    /// A fixture, its projection and a queue.
    pub(super) async fn with_dead_queue() -> (Self, Projection, QueueName) {
        let (fixture, projection) = Self::with_projection().await;
        let dead = queue(&*fixture.store, "dead").await;
        (fixture, projection, dead)
    }

    pub(super) async fn started(&self) -> Projection {
        let projection = self.start();
        settled(&projection).await;
        projection
    }

    pub(super) async fn request(&self, method: &str, path: &str, body: Value) -> Value {
        let method = method.parse().unwrap();
        let request = self.http.request(method, format!("{}{path}", self.url));
        let request = request.header("content-type", "application/json").body(body.to_string());
        serde_json::from_slice(&request.send().await.unwrap().bytes().await.unwrap()).unwrap()
    }

    /// Returns the task ids that a query matches.
    pub(super) async fn hits(&self, query: Value) -> Vec<String> {
        self.request("POST", &format!("/{}/_refresh", self.index), json!({})).await;
        let body = json!({"size": 10_000, "query": query});
        let found = self.request("POST", &format!("/{}/_search", self.index), body).await;
        let hits = found["hits"]["hits"].as_array().unwrap_or_else(|| panic!("{found}"));
        let mut names: Vec<String> =
            hits.iter().map(|hit| hit["_source"]["task_id"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    }

    /// Returns all documents of the alias, with their versions.
    pub(super) async fn documents(&self) -> BTreeMap<String, (u64, Value)> {
        self.request("POST", &format!("/{}/_refresh", self.index), json!({})).await;
        let mut documents = BTreeMap::new();
        let mut query = json!({"size": 1_000, "version": true, "sort": [{"letter_id": "asc"}]});
        loop {
            let found = self.request("POST", &format!("/{}/_search", self.index), query.clone()).await;
            let hits = found["hits"]["hits"].as_array().unwrap_or_else(|| panic!("{found}")).clone();
            let Some(last) = hits.last() else { return documents };
            query["search_after"] = last["sort"].clone();
            for hit in &hits {
                let id = hit["_id"].as_str().unwrap().to_owned();
                documents.insert(id, (hit["_version"].as_u64().unwrap(), hit["_source"].clone()));
            }
        }
    }

    /// Returns the expected documents of the store's letters.
    pub(super) async fn expected(&self) -> BTreeMap<String, (u64, Value)> {
        let mut expected = BTreeMap::new();
        for (queue, letter) in letters(&*self.store).await {
            let record = record(&*self.store, &queue, letter).await;
            let mut document = serde_json::to_value(Document::of(&queue, &record).unwrap()).unwrap();
            document["letter"] = serde_json::to_value(KeptLetter::of(&record).unwrap()).unwrap();
            let revision = record.info.letter.as_ref().unwrap().revision;
            expected.insert(letter.to_string(), (revision, document));
        }
        expected
    }

    pub(super) async fn assert_equal(&self) {
        let (index, store) = (self.documents().await, self.expected().await);
        let difference = |a: &BTreeMap<String, _>, b: &BTreeMap<String, _>| -> Vec<String> {
            a.keys().filter(|key| !b.contains_key(*key)).cloned().collect()
        };
        assert_eq!(
            (difference(&store, &index), difference(&index, &store)),
            (vec![], vec![]),
            "missing and surplus documents"
        );
        for (letter, expected) in store {
            assert_eq!(index[&letter], expected, "{letter}");
        }
    }

    pub(super) async fn assert_caught_up(&self, projection: &Projection) {
        caught_up(self, projection).await;
        self.assert_equal().await;
    }

    /// Removes everything again, because the service may be shared with other users.
    pub(super) async fn end(self, projection: &Projection) {
        projection.stop().await;
        let names = self.request("GET", &format!("/{}-*", self.index), json!({})).await;
        for name in names.as_object().unwrap().keys() {
            self.request("DELETE", &format!("/{name}"), json!({})).await;
        }
        self.request("DELETE", &format!("/_index_template/{}", self.index), json!({})).await;
    }
}

/// Waits until the index has acknowledged the current revision of every letter, and all removals.
pub(super) async fn caught_up(fixture: &Fixture, projection: &Projection) {
    // The projection may not have read the newest changes yet, so its numbers are not sufficient.
    let mut of_queue: BTreeMap<QueueName, Vec<LetterId>> = BTreeMap::new();
    for (queue, letter) in letters(&*fixture.store).await {
        of_queue.entry(queue).or_default().push(letter);
    }
    for (queue, letters) in of_queue {
        projection.confirm(&queue, &letters, Span::from_secs(60)).await.unwrap();
    }
    settled(projection).await;
}

pub(super) async fn letters(store: &dyn Store) -> Vec<(QueueName, LetterId)> {
    let mut letters = Vec::new();
    for queue in store.queues(ListQueues { limit: 1_000, ..ListQueues::default() }).await.unwrap() {
        let list = ListLetters { queue: queue.name.clone(), statuses: vec![], after: None, limit: 1_000_000 };
        // The queue may have been deleted since.
        let listed = store.letters(list).await.unwrap_or_default();
        letters.extend(listed.into_iter().map(|stored| (queue.name.clone(), stored.info.letter.unwrap().id)));
    }
    letters
}
