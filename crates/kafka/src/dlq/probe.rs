//! The first contact with the brokers, which says why there is none.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rdkafka::client::ClientContext;
use rdkafka::config::{FromClientConfigAndContext, RDKafkaLogLevel};
use rdkafka::consumer::{BaseConsumer, Consumer, ConsumerContext};
use rdkafka::error::{KafkaError as ClientError, RDKafkaErrorCode};
use rdkafka::metadata::MetadataTopic;

use crate::client::log_line;
use crate::error::text;
use crate::{KafkaError, KafkaSettings};

/// How long a broker has to answer.
const WITHIN: Duration = Duration::from_secs(10);

/// How often, and for how long each time, the client is polled for the reason.
const REASON_POLLS: usize = 20;
const REASON_POLL: Duration = Duration::from_millis(100);

/// Keeps the last error that the client reports outside of a call: a login that failed, a certificate that is not known.
#[derive(Debug, Default)]
struct ProbeContext {
    reason: Mutex<Option<String>>,
}

impl ClientContext for ProbeContext {
    fn log(&self, level: RDKafkaLogLevel, fac: &str, message: &str) {
        log_line(level, fac, message);
    }

    fn error(&self, _error: ClientError, reason: &str) {
        let mut kept = self.reason.lock().unwrap_or_else(PoisonError::into_inner);
        // That all brokers are down is a consequence, not a reason.
        if kept.is_none() || !reason.contains("brokers are down") {
            *kept = Some(reason.to_owned());
        }
    }
}

impl ConsumerContext for ProbeContext {}

/// Reads the topics that exist and are visible, with the number of their partitions. Those in `sources` must exist; those
/// in `letters` may be missing, but not for want of rights. Blocks its thread.
pub(super) fn topics(
    settings: &KafkaSettings,
    sources: &[String],
    letters: &[String],
) -> Result<BTreeMap<String, usize>, KafkaError> {
    let mut config = settings.admin_config();
    config.set("group.id", &settings.group_id);
    let client: BaseConsumer<ProbeContext> = BaseConsumer::from_config_and_context(&config, ProbeContext::default())
        .map_err(|error| KafkaError::client("creating the client", &error))?;
    let metadata = client.fetch_metadata(None, WITHIN).map_err(|error| {
        // Errors are reported to the context when the client is polled.
        let has_reason = || client.context().reason.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        for _ in 0..REASON_POLLS {
            // A message or an error of the poll says no more than the reason.
            drop(client.poll(REASON_POLL));
            if has_reason() {
                break;
            }
        }
        let reason = client.context().reason.lock().unwrap_or_else(PoisonError::into_inner).take();
        let servers = settings.bootstrap_servers.clone();
        KafkaError::Unreachable { servers, reason: reason.unwrap_or_else(|| text(&error)) }
    })?;
    let found = metadata.topics().iter().filter(|topic| topic.error().is_none());
    let topics: BTreeMap<String, usize> =
        found.map(|topic| (topic.name().to_owned(), topic.partitions().len())).collect();
    if let Some(topic) = sources.iter().find(|topic| !topics.contains_key(*topic)) {
        return Err(missing(&client, topic, "Describe and Read"));
    }
    for topic in letters.iter().filter(|topic| !topics.contains_key(*topic)) {
        match missing(&client, topic, "Describe and Write") {
            KafkaError::NoSuchTopic(_) => {}
            error => return Err(error),
        }
    }
    Ok(topics)
}

/// The list of all topics leaves out those that the user may not see: asking for one tells the reason.
fn missing(client: &BaseConsumer<ProbeContext>, topic: &str, rights: &str) -> KafkaError {
    let asked = client.fetch_metadata(Some(topic), WITHIN);
    match asked.map(|metadata| metadata.topics().iter().find_map(MetadataTopic::error)) {
        Ok(Some(error)) if RDKafkaErrorCode::from(error) == RDKafkaErrorCode::TopicAuthorizationFailed => {
            KafkaError::NotAuthorized { what: format!("topic '{topic}' ({rights})") }
        }
        Ok(_) => KafkaError::NoSuchTopic(topic.to_owned()),
        Err(error) => KafkaError::client("reading a topic", &error),
    }
}
