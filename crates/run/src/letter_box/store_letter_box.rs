//! The letter box of a store.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use redrive_core::{Policy, QueueName};
use redrive_model::capture::{Assessment, CaptureRules, FailedWork};
use redrive_model::{Capture, CaptureSettings, Captured, GetCaptureSettings, NewLetter, Rejection};
use redrive_store::{Store, StoreError};

use super::{LetterBox, NotCaptured, Posted};

/// Maximum number of queues whose settings are cached.
const QUEUES_MAX: usize = 64;
/// How often a capture is repeated because the settings were changed after they were read.
const CHANGES_MAX: usize = 3;

/// Assesses failed work by the settings of its queue, and captures it in a store.
///
/// The settings are cached. A capture carries their revision; if they were changed since, the store rejects the
/// capture, and the work is assessed again with the new settings.
#[derive(Debug)]
pub struct StoreLetterBox {
    store: Arc<dyn Store>,
    settings: Mutex<BTreeMap<QueueName, Arc<CaptureSettings>>>,
}

impl StoreLetterBox {
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self { store, settings: Mutex::default() }
    }

    async fn settings(&self, queue: &QueueName) -> Result<Arc<CaptureSettings>, StoreError> {
        let cached = self.settings.lock().unwrap_or_else(PoisonError::into_inner).get(queue).cloned();
        if let Some(cached) = cached {
            return Ok(cached);
        }
        let read = self.store.capture_settings(GetCaptureSettings { queue: queue.clone() }).await?;
        let read = Arc::new(read);
        let mut all = self.settings.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= QUEUES_MAX {
            all.clear();
        }
        all.insert(queue.clone(), Arc::clone(&read));
        Ok(read)
    }

    /// Reads the settings again. Returns whether they were changed.
    async fn is_outdated(&self, queue: &QueueName, used: &CaptureSettings) -> Result<bool, StoreError> {
        self.forget(queue);
        Ok(self.settings(queue).await?.revision != used.revision)
    }

    fn forget(&self, queue: &QueueName) {
        self.settings.lock().unwrap_or_else(PoisonError::into_inner).remove(queue);
    }
}

#[async_trait]
impl LetterBox for StoreLetterBox {
    async fn post_all(
        &self,
        queue: &QueueName,
        policy: &Policy,
        work: &[FailedWork],
    ) -> Result<Vec<Posted>, NotCaptured> {
        let mut changes = 0;
        loop {
            let settings = self.settings(queue).await?;
            let rules = CaptureRules { letters: &settings.letters, policy };
            let assessed = match work.iter().map(|work| assess(&rules, work)).collect::<Result<Vec<_>, _>>() {
                Ok(assessed) => assessed,
                // Without a capture the store cannot reject outdated settings, so they are read again before work is
                // skipped.
                Err(_) if self.is_outdated(queue, &settings).await? => continue,
                Err(skipped) => return Err(skipped),
            };
            let letters = work.iter().zip(&assessed).map(|(work, assessed)| NewLetter::new(work, assessed));
            let revision = Some(settings.revision);
            let capture = Capture { revision, ..Capture::new(queue.clone(), letters.collect()) };
            match self.store.capture(capture).await {
                Ok(captured) => return Ok(captured.into_iter().zip(assessed).map(posted).collect()),
                Err(StoreError::Rejected(Rejection::SettingsChanged)) if changes < CHANGES_MAX => {
                    changes += 1;
                    self.forget(queue);
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn is_durable(&self) -> bool {
        self.store.is_durable()
    }
}

fn assess(rules: &CaptureRules<'_>, work: &FailedWork) -> Result<Assessment, NotCaptured> {
    let assessed = rules.assess(work);
    match assessed.skipped {
        Some(reason) => Err(NotCaptured::skipped(reason, assessed.category, rules.letters.strategy())),
        None => Ok(assessed),
    }
}

fn posted((captured, assessed): (Captured, Assessment)) -> Posted {
    let Assessment { category, attempt, template, broken_template, broken_rule, .. } = assessed;
    Posted { captured, category, rule: attempt.rule.unwrap_or_default(), template, broken_template, broken_rule }
}
