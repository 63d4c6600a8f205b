//! A producer that is replaced after a fatal error.

use std::sync::{Arc, Mutex, PoisonError};

use rdkafka::ClientConfig;
use rdkafka::config::FromClientConfigAndContext;
use rdkafka::error::KafkaError as ClientError;
use rdkafka::producer::{NoCustomPartitioner, Producer, ProducerContext, ThreadedProducer};

pub(crate) struct ReplacedProducer<C: ProducerContext<NoCustomPartitioner> + Clone + 'static> {
    producer: Mutex<Arc<ThreadedProducer<C>>>,
    config: ClientConfig,
    context: C,
}

impl<C: ProducerContext<NoCustomPartitioner> + Clone + 'static> ReplacedProducer<C> {
    pub(crate) fn new(config: ClientConfig, context: C) -> Result<Self, ClientError> {
        let producer = ThreadedProducer::from_config_and_context(&config, context.clone())?;
        Ok(Self { producer: Mutex::new(Arc::new(producer)), config, context })
    }

    /// The producer, or a new one if it cannot go on.
    pub(crate) fn get(&self) -> Result<Arc<ThreadedProducer<C>>, ClientError> {
        let mut producer = self.producer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((code, reason)) = producer.client().fatal_error() {
            tracing::warn!(?code, reason, "the producer cannot go on and is replaced");
            *producer = Arc::new(ThreadedProducer::from_config_and_context(&self.config, self.context.clone())?);
        }
        Ok(Arc::clone(&producer))
    }

    /// The producer as it is.
    pub(crate) fn current(&self) -> Arc<ThreadedProducer<C>> {
        Arc::clone(&self.producer.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
