//! Look at queues.

use std::ops::Bound;

use redrive_core::{NamespaceName, QueueName};

use crate::{QueueSettings, Refusal, State};

/// The settings of one queue.
#[derive(Debug, Clone)]
pub struct GetQueue {
    pub name: QueueName,
}

impl GetQueue {
    pub fn view(&self, state: &State) -> Result<QueueSettings, Refusal> {
        state.named(&self.name).map(|(_, queue)| queue.settings.clone())
    }
}

/// Queues by name, from `pivot` on.
#[derive(Debug, Clone, Default)]
pub struct ListQueues {
    /// Only those of this namespace; `None` for all of them.
    pub namespace: Option<Option<NamespaceName>>,
    /// Any text: it need not be a name that a queue can have.
    pub pivot: Option<Box<str>>,
    pub limit: usize,
}

impl ListQueues {
    pub fn view(&self, state: &State) -> Vec<QueueSettings> {
        let from = self.pivot.as_deref().map_or(Bound::Unbounded, Bound::Included);
        let numbers = state.names.range::<str, _>((from, Bound::Unbounded)).map(|(_, number)| number);
        let queues = numbers.filter_map(|number| state.queues.get(number)).map(|queue| &queue.settings);
        let is_wanted = |settings: &&QueueSettings| {
            self.namespace.as_ref().is_none_or(|namespace| *namespace == settings.namespace)
        };
        queues.filter(is_wanted).take(self.limit).cloned().collect()
    }
}
