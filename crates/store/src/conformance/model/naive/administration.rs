//! Creating, updating and deleting queues.

use redrive_core::{MovedPolicy, QueueName, RetryPolicy, Span, Time};
use redrive_model::{CreateQueue, DeleteQueue, QueueSettings, Rejection, UpdateQueue};

use super::{Expected, Model, Number, Queue};

impl Model {
    pub fn create_queue(&mut self, create: &CreateQueue, now: Time) -> Result<Expected, Rejection> {
        let settings = QueueSettings {
            created_at: now,
            updated_at: now,
            requested_partitions: create.settings.partitions,
            ..create.settings.clone()
        };
        if self.named(&settings.name).is_ok() {
            return Err(Rejection::QueueExists(settings.name));
        }
        self.check_dead_queue(&settings.name, settings.dead_queue.as_ref())?;
        check_settings(&settings)?;
        check_letters(&settings)?;
        self.queues.push(Queue::new(self.next_queue, settings.clone()));
        self.next_queue += 1;
        Ok(Expected::Settings(Box::new(settings)))
    }

    /// Changes the settings that are given.
    pub fn update_queue(&mut self, update: &UpdateQueue, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&update.name)?;
        let (number, before) = (queue.number, queue.settings.clone());
        let dead_queue = update.dead_queue.clone().unwrap_or(before.dead_queue.clone());
        self.check_dead_queue(&update.name, dead_queue.as_ref())?;
        let just_after = before.created_at.saturating_add(Span::from_micros(1));
        let settings = QueueSettings {
            lease_timeout: update.lease_timeout.unwrap_or(before.lease_timeout),
            expire_timeout: update.expire_timeout.unwrap_or(before.expire_timeout),
            requested_partitions: update.requested_partitions.unwrap_or(before.requested_partitions),
            is_paused: update.is_paused.unwrap_or(before.is_paused),
            letters: update.letters.clone().unwrap_or(before.letters),
            max_attempts: update.max_attempts.unwrap_or(before.max_attempts),
            max_items: update.max_items.unwrap_or(before.max_items),
            reference: update.reference.clone().unwrap_or(before.reference),
            dead_queue,
            updated_at: now.max(just_after),
            ..before
        };
        check_settings(&settings)?;
        if update.letters.is_some() {
            check_letters(&settings)?;
        }
        self.queue_mut(number).settings = settings.clone();
        Ok(Expected::Settings(Box::new(settings)))
    }

    pub fn delete_queue(&mut self, delete: &DeleteQueue) -> Result<Expected, Rejection> {
        let number = self.named(&delete.name)?.number;
        if let Some(of) = self.user_of(&delete.name).filter(|_| !delete.force) {
            return Err(Rejection::QueueInUse { queue: delete.name.clone(), of });
        }
        let inside: Vec<Number> =
            self.items.iter().filter(|item| item.queue == number).map(|item| item.number).collect();
        self.ended += inside.len() as u64;
        self.items.retain(|item| item.queue != number);
        self.queues.retain(|queue| queue.number != number);
        self.feed.queue_gone(delete.name.clone(), &inside);
        Ok(Expected::Nothing)
    }

    /// The dead queue must exist, and must not form a chain or a cycle.
    fn check_dead_queue(&self, name: &QueueName, dead: Option<&QueueName>) -> Result<(), Rejection> {
        let Some(dead) = dead else { return Ok(()) };
        if dead == name {
            return Err(Rejection::OwnDeadQueue);
        }
        let target = self.named(dead).map_err(|_| Rejection::NoDeadQueue(dead.clone()))?;
        if target.settings.dead_queue.is_some() {
            return Err(Rejection::DeadQueueHasDeadQueue(dead.clone()));
        }
        if self.user_of(name).is_some() {
            return Err(Rejection::IsDeadQueue(name.clone()));
        }
        Ok(())
    }

    /// The oldest queue that has this one as its dead queue.
    fn user_of(&self, name: &QueueName) -> Option<QueueName> {
        let user = self.queues.iter().find(|queue| queue.settings.dead_queue.as_ref() == Some(name));
        user.map(|queue| queue.settings.name.clone())
    }
}

fn check_settings(settings: &QueueSettings) -> Result<(), Rejection> {
    if settings.max_attempts > 65_536 {
        return Err(Rejection::TooManyAttempts);
    }
    if settings.partitions < 1 {
        return Err(Rejection::NoPartitions);
    }
    if settings.lease_timeout > settings.expire_timeout {
        return Err(Rejection::LeaseTooLong { lease: settings.lease_timeout, expire: settings.expire_timeout });
    }
    Ok(())
}

/// Checks the letter settings of a queue.
fn check_letters(settings: &QueueSettings) -> Result<(), Rejection> {
    let letters = &settings.letters;
    let given = [letters.moved_policy.and_then(MovedPolicy::named), letters.default_policy];
    if given.contains(&Some(RetryPolicy::Custom)) && letters.custom_backoff.is_none() {
        return Err(Rejection::NoCustomBackoff);
    }
    Ok(())
}
