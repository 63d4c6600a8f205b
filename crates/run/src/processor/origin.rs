//! Returns letters to where they came from.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use redrive_core::{Failure, QueueName};
use redrive_store::Store;

use super::HandBack;
use super::queue_hand_back::QueueHandBack;
use crate::{Call, Handled, Handler};

/// A handler that hands letters of one dead queue back to their origin: a registry of transports. Queues of the store
/// are built in; the crates of other transports register theirs.
///
/// ```
/// use std::sync::Arc;
/// use redrive_core::QueueName;
/// use redrive_run::{HandBack, OriginTarget};
/// use redrive_store::Store;
///
/// fn target(store: Arc<dyn Store>, kafka: Arc<dyn HandBack>) -> OriginTarget {
///     OriginTarget::new(store, QueueName::new("orders-dead").unwrap()).with(kafka)
/// }
/// ```
pub struct OriginTarget {
    letters: QueueName,
    transports: BTreeMap<&'static str, Arc<dyn HandBack>>,
}

impl OriginTarget {
    /// A handler for the letters of one queue.
    pub fn new(store: Arc<dyn Store>, letters: QueueName) -> Self {
        let queue = QueueHandBack { store, letters: letters.clone() };
        Self { letters, transports: BTreeMap::new() }.with(Arc::new(queue))
    }

    /// Registers a transport, and replaces an earlier one for the same transport.
    #[must_use]
    pub fn with(mut self, transport: Arc<dyn HandBack>) -> Self {
        self.transports.insert(transport.transport(), transport);
        self
    }
}

#[async_trait]
impl Handler for OriginTarget {
    async fn handle(&self, call: Call) -> Handled {
        let transport = &*call.origin.transport;
        match self.transports.get(transport) {
            Some(transport) => match transport.hand_back(&call).await {
                Handled::Done { .. } => Handled::HandedBack { to: Arc::clone(&call.origin.name) },
                other => other,
            },
            None => {
                let known: Vec<&str> = self.transports.keys().copied().collect();
                let why = format!(
                    "not retryable: letters of '{}' cannot be handed back to an origin of the transport '{}', only to: {}",
                    self.letters,
                    transport.chars().take(NAME_CHARS_MAX).collect::<String>(),
                    known.join(", ")
                );
                Handled::failed(Failure::new(why))
            }
        }
    }

    fn target(&self) -> String {
        "origin".to_owned()
    }
}

/// How much of a transport's name an error shows.
const NAME_CHARS_MAX: usize = 64;

impl fmt::Debug for OriginTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let transports: Vec<&&str> = self.transports.keys().collect();
        f.debug_struct("OriginTarget").field("letters", &self.letters).field("transports", &transports).finish()
    }
}
