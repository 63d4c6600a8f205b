//! A letter box whose letters are stored by a server.

use async_trait::async_trait;
use redrive_core::{Classification, Policy, QueueName, RequestedRetry, Rule, Strategy};
use redrive_model::capture::FailedWork;
use redrive_run::{LetterBox, NotCaptured, Posted};
use redrive_store::StoreError;

use crate::Client;

/// Sends failed work to a server, which classifies it and applies the templates and settings of the queue. Work that the
/// policy of the sender excludes is not sent.
#[derive(Debug, Clone)]
pub struct RemoteLetterBox {
    client: Client,
}

impl RemoteLetterBox {
    pub const fn new(client: Client) -> Self {
        Self { client }
    }
}

#[async_trait]
impl LetterBox for RemoteLetterBox {
    async fn post_all(
        &self,
        queue: &QueueName,
        policy: &Policy,
        work: &[FailedWork],
    ) -> Result<Vec<Posted>, NotCaptured> {
        let work = work.iter().map(|work| assessed(work, policy)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.client.letters(queue).capture(&work).await.map_err(StoreError::from)?)
    }

    fn is_durable(&self) -> bool {
        true
    }
}

/// The work with the category and the retry settings of the sender's policy, if that policy captures it.
fn assessed(work: &FailedWork, policy: &Policy) -> Result<FailedWork, NotCaptured> {
    let found = policy.classifier().classify(&work.failure, work.attempt);
    let category = work.category.unwrap_or(found.category);
    let found = Classification { category, ..found };
    // The server applies the strategy of the queue.
    policy
        .captures(&work.failure, &found, work.by, Strategy::Automatic)
        .map_err(|reason| NotCaptured::skipped(reason, category, policy.strategy()))?;
    // The server classifies the same evidence by its own rules. So a category is sent only if the caller or a rule here
    // determined it, or if the API cannot express the evidence.
    let is_named = work.category.or(found.overrides.category).is_some() || found.rule == Rule::Breaker;
    let requested = RequestedRetry {
        policy: work.requested.policy.or(found.overrides.policy),
        max_retries: work.requested.max_retries.or(found.overrides.max_retries),
    };
    Ok(FailedWork { category: is_named.then_some(category), requested, ..work.clone() })
}
