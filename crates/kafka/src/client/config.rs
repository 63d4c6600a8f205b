//! The configuration of the client library.

use std::collections::BTreeMap;

use rdkafka::ClientConfig;

use crate::KafkaSettings;

impl KafkaSettings {
    pub(crate) fn consumer_config(&self) -> ClientConfig {
        let mut config = ClientConfig::new();
        config
            .set("auto.offset.reset", "earliest")
            // The default waits for a second whenever the local queue is full.
            .set("fetch.queue.backoff.ms", "2")
            .set("queued.max.messages.kbytes", "16384")
            .set("statistics.interval.ms", "5000");
        let protocols = [&self.properties, &self.consumer_properties];
        // The new group protocol has these settings on the broker.
        let is_new_protocol =
            protocols.iter().any(|all| all.get("group.protocol").is_some_and(|name| name == "consumer"));
        if !is_new_protocol {
            config.set("session.timeout.ms", "60000").set("partition.assignment.strategy", "cooperative-sticky");
        }
        let has_dlq_topics = self.dlq_enabled && self.dlq_target.has_topics();
        if has_dlq_topics && self.topics.iter().any(|topic| topic.starts_with('^')) {
            // A regular expression must not match the letters of the consumer.
            let routes = self.dlq_routes.values().map(|topic| format!("^{}$", escaped(topic)));
            let suffix = format!("{}$", escaped(&self.dlq_topic_suffix));
            config.set("topic.blacklist", routes.chain([suffix]).collect::<Vec<_>>().join(","));
        }
        self.set_common(&mut config);
        set_all(&mut config, &self.consumer_properties);
        config.set("group.id", &self.group_id);
        config.set("enable.auto.commit", "false").set("enable.auto.offset.store", "false");
        config
    }

    /// `bytes_max` is the smallest limit of the DLQ topics, if one is known.
    pub(crate) fn producer_config(&self, bytes_max: Option<usize>) -> ClientConfig {
        let mut config = ClientConfig::new();
        config
            .set("linger.ms", "5")
            // The partitioner of Java's clients: a letter is in the partition that they would choose for its key.
            .set("partitioner", "murmur2_random");
        // The broker decides what is too large. A batch is not larger than the smallest limit, unless it has one record.
        config.set("message.max.bytes", "1000000000");
        config.set("batch.size", bytes_max.unwrap_or(usize::MAX).clamp(1, 1_000_000).to_string());
        self.set_common(&mut config);
        set_all(&mut config, &self.producer_properties);
        config.set("acks", "all").set("enable.idempotence", "true");
        config.set("message.timeout.ms", (self.dlq_delivery_timeout.as_micros() / 1_000).to_string());
        if let Some(id) = &self.dlq_transactional_id {
            config.set("transactional.id", id);
            // A transaction that is not committed within this time is aborted by the broker.
            let timeout = (self.dlq_delivery_timeout.as_micros() / 1_000 + 10_000).to_string();
            if !self.producer_properties.contains_key("transaction.timeout.ms") {
                config.set("transaction.timeout.ms", timeout);
            }
        }
        config
    }

    pub(crate) fn admin_config(&self) -> ClientConfig {
        let mut config = ClientConfig::new();
        self.set_common(&mut config);
        config
    }

    fn set_common(&self, config: &mut ClientConfig) {
        config.set("bootstrap.servers", &self.bootstrap_servers);
        if !self.properties.contains_key("client.id") {
            config.set("client.id", "redrive");
        }
        set_all(config, &self.properties);
    }
}

fn set_all(config: &mut ClientConfig, properties: &BTreeMap<String, String>) {
    for (name, value) in properties {
        config.set(name, value);
    }
}

/// A topic name as a regular expression.
fn escaped(topic: &str) -> String {
    topic.replace('.', "\\.")
}
