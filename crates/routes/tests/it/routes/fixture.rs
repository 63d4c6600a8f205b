//! A process with routes over a store in memory.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use redrive_core::{Classifier, QueueName, Span};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{CreateQueue, FindLetters, NewItem, Produce, QueueSettings};
use redrive_routes::{
    Connections, DesiredRoute, RouteDefinition, RouteEnvironment, RouteId, RouteIntent, RouteOrigin,
    RouteSettingsError, RouteStatus, RunningRoutes, TargetSettings,
};
use redrive_run::StoreLetterBox;
use redrive_store::{Store, SystemClock};

pub(super) struct TestRoutes {
    pub(super) store: Arc<dyn Store>,
    pub(super) routes: RunningRoutes,
}

impl TestRoutes {
    /// A store with the queue `orders`, its dead queue `dead`, and a target `shop` at this address.
    pub(super) async fn new(url: &str) -> Self {
        let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap());
        let dead = QueueName::new("dead").unwrap();
        for (name, dead_queue) in [("dead", None), ("orders", Some(dead))] {
            let settings = QueueSettings { dead_queue, ..QueueSettings::new(QueueName::new(name).unwrap()) };
            store.create_queue(CreateQueue { settings }).await.unwrap();
        }
        let env = RouteEnvironment {
            store: Arc::clone(&store),
            letter_box: Arc::new(StoreLetterBox::new(Arc::clone(&store))),
            clock: Arc::new(SystemClock),
            classifier: Arc::clone(Classifier::built_in()),
            targets: Arc::default(),
        };
        Self { store, routes: RunningRoutes::new(env, connections(url)) }
    }

    pub(super) fn put(&self, text: &str) {
        self.routes.put(desired(text));
    }

    pub(super) async fn produce(&self, payloads: impl IntoIterator<Item = String>) {
        let items = payloads.into_iter().map(NewItem::of_payload).collect();
        self.store.produce(Produce::new(QueueName::new("orders").unwrap(), items)).await.unwrap();
    }

    pub(super) async fn status(&self, name: &str) -> RouteStatus {
        self.routes.status(&id(name)).await.unwrap()
    }

    /// Waits until the route has this property.
    pub(super) async fn until(&self, name: &str, is_met: impl Fn(&RouteStatus) -> bool) -> RouteStatus {
        let reached = async {
            loop {
                let status = self.status(name).await;
                if is_met(&status) {
                    return status;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        match tokio::time::timeout(Duration::from_secs(30), reached).await {
            Ok(status) => status,
            Err(_) => panic!("not reached; the route is {:?}", self.status(name).await),
        }
    }

    pub(super) async fn letters(&self) -> usize {
        let find = FindLetters::all(QueueName::new("dead").unwrap(), 10_000);
        self.store.find_letters(find).await.unwrap().letters.len()
    }

    pub(super) async fn stop(&self) {
        self.routes.stop(Span::from_secs(5)).await;
    }
}

pub(super) fn connections(url: &str) -> Connections {
    let shop = TargetSettings { http: Some(url.to_owned()), ..TargetSettings::default() };
    Connections { targets: BTreeMap::from([("shop".to_owned(), shop)]), ..Connections::default() }
}

pub(super) fn id(name: &str) -> RouteId {
    RouteId { namespace: String::new(), name: name.to_owned() }
}

pub(super) fn parse(text: &str) -> Result<RouteDefinition, RouteSettingsError> {
    let written = serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
    RouteDefinition::parse(written, Classifier::built_in())
}

/// A route of the configuration file that runs.
pub(super) fn desired(text: &str) -> DesiredRoute {
    DesiredRoute { definition: parse(text).unwrap(), origin: RouteOrigin::File, intent: RouteIntent::Run }
}

pub(super) const ORDERS: &str = r#"
    name = "orders"
    target = "shop"
    queue = { name = "orders", concurrency = 8 }
    policy = { max_attempts = 3, backoff = { default = { curve = "fixed", first = "20ms" } } }
"#;
