//! Read and list queues.

use std::ops::Bound;

use redrive_model::{GetQueue, ListQueues, QueueSettings, Rejection};

use crate::{State, View};

impl View for GetQueue {
    type Reply = Result<QueueSettings, Rejection>;

    fn view(&self, state: &State) -> Self::Reply {
        state.named(&self.name).map(|(_, queue)| queue.settings.clone())
    }
}

impl View for ListQueues {
    type Reply = Vec<QueueSettings>;

    fn view(&self, state: &State) -> Self::Reply {
        let from = self.pivot.as_deref().map_or(Bound::Unbounded, Bound::Included);
        let numbers = state.names.range::<str, _>((from, Bound::Unbounded)).map(|(_, number)| number);
        let queues = numbers.filter_map(|number| state.queues.get(number)).map(|queue| &queue.settings);
        let is_in_namespace = |settings: &&QueueSettings| {
            self.namespace.as_ref().is_none_or(|namespace| *namespace == settings.namespace)
        };
        queues.filter(is_in_namespace).take(self.limit).cloned().collect()
    }
}
