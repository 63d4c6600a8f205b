//! `redrive consume kafka`.

use std::collections::BTreeMap;

use anyhow::Result;
use redrive_routes::{ClusterSettings, Connections, SecretSource};
use serde_json::{Map, Value};

use super::foreground_route::{consume, own_namespace};
use super::target_options::{TargetOptions, assignment};
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive consume kafka --bootstrap-servers localhost:9092 --group billing --topic orders --http http://127.0.0.1:9000/
  redrive consume kafka --bootstrap-servers localhost:9092 --group billing --topic '^orders-.*' --worker ./place --dead-queue orders-dead")]
pub(crate) struct Arguments {
    /// Addresses of brokers, separated by commas.
    #[arg(long, value_name = "HOST:PORT")]
    bootstrap_servers: String,
    /// Consumer group.
    #[arg(long, value_name = "NAME")]
    group: String,
    /// Topic; one that begins with ^ is a regular expression. Repeatable.
    #[arg(long, value_name = "NAME", required = true)]
    topic: Vec<String>,
    /// Queue of the server for letters, instead of DLQ topics.
    #[arg(long, value_name = "QUEUE")]
    dead_queue: Option<String>,
    /// Property of the Kafka client, as in security.protocol=SSL. Repeatable.
    #[arg(long, value_name = "NAME=VALUE", value_parser = property)]
    property: Vec<(String, String)>,
    /// Property of the Kafka client whose value is in a file, as in sasl.password=password.txt. Repeatable.
    #[arg(long, value_name = "NAME=FILE", value_parser = property_file)]
    property_file: Vec<(String, String)>,
    /// Further setting of the consumer by its name in docs/kafka.md, as in max_retries=5. Repeatable.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    setting: Vec<(String, Value)>,
    #[command(flatten)]
    target: TargetOptions,
}

/// The name of the cluster of the options.
const CLUSTER: &str = "cluster";

fn property_file(text: &str) -> Result<(String, String), &'static str> {
    property(text).map_err(|_| "expected NAME=VALUE with a file as the value, as in sasl.password=password.txt")
}

fn property(text: &str) -> Result<(String, String), &'static str> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, as in security.protocol=SSL")?;
    Ok((name.to_owned(), value.to_owned()))
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let texts = arguments.property.iter().map(|(name, value)| (name, SecretSource::Text(value.as_str().into())));
    let files = arguments.property_file.iter().map(|(name, file)| (name, SecretSource::File(file.into())));
    let cluster = ClusterSettings {
        bootstrap_servers: arguments.bootstrap_servers.clone(),
        properties: texts.chain(files).map(|(name, value)| (name.clone(), value)).collect(),
        namespaces: Vec::new(),
    };
    let mut kafka = Map::from_iter([
        ("cluster".to_owned(), CLUSTER.into()),
        ("group_id".to_owned(), arguments.group.as_str().into()),
        ("topics".to_owned(), arguments.topic.clone().into()),
    ]);
    let mut route = Map::new();
    if let Some(queue) = &arguments.dead_queue {
        kafka.insert("dlq_target".to_owned(), "queue".into());
        route.insert("dead_queue".to_owned(), queue.as_str().into());
        route.insert("namespace".to_owned(), own_namespace(session.queue_info(queue).await?.namespace).into());
    }
    kafka.extend(arguments.setting.iter().cloned());
    route.insert("kafka".to_owned(), kafka.into());
    let clusters = BTreeMap::from([(CLUSTER.to_owned(), cluster)]);
    consume(session, &arguments.target, Connections { clusters, ..Connections::default() }, route).await
}
