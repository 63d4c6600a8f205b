//! Operations on queues.

use redrive_core::{CustomBackoff, MovedPolicy, QueueName, RetryPolicy, Span, Strategy};
use redrive_model::{
    CreateQueue, DeleteQueue, LetterOverrides, OnDuplicate, OnFull, OnLostDependency, QueueSettings, Templates,
    UpdateQueue,
};

use super::{Any, DEAD, WORK, name};
use crate::conformance::model::operation::Operation;

impl Any<'_> {
    /// Creates the queues of a history.
    pub fn beginning(&mut self) -> Vec<Operation> {
        let queues: Vec<&str> = DEAD.iter().chain(&WORK).copied().filter(|_| self.random.chance(90)).collect();
        let create = |queue: &str| Operation::CreateQueue(CreateQueue { settings: self.settings(queue) });
        queues.into_iter().map(create).collect()
    }

    pub(super) fn create_queue(&mut self) -> CreateQueue {
        // Usually a deleted queue is recreated.
        let is_there = |queue: &str| self.model.queues.iter().any(|other| other.settings.name.as_str() == queue);
        let gone: Vec<&str> = DEAD.into_iter().chain(WORK).filter(|queue| !is_there(queue)).collect();
        let queue = match self.random.pick(&gone).filter(|_| self.random.chance(80)) {
            Some(queue) => name(queue),
            None => self.any_queue(),
        };
        CreateQueue { settings: self.settings(queue.as_str()) }
    }

    pub(super) fn delete_queue(&mut self) -> DeleteQueue {
        DeleteQueue { name: self.any_queue(), force: self.random.chance(60) }
    }

    fn settings(&mut self, queue: &str) -> QueueSettings {
        let has_dead_queue = self.random.chance(if DEAD.contains(&queue) { 4 } else { 75 });
        QueueSettings {
            dead_queue: has_dead_queue.then(|| self.any_dead()),
            lease_timeout: Span::from_secs(self.random.within(1..=10)),
            expire_timeout: Span::from_secs(self.random.one_of([9, 60, 600, 3_600])),
            max_attempts: self.random.one_of([0, 0, 0, 0, 0, 0, 1, 2, 2, 2, 3, 3, 3, 65_537]),
            max_items: self.random.one_of([0, 0, 0, 0, 0, 0, 0, 4, 12]),
            partitions: self.random.one_of([1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 0]),
            letters: self.letter_settings(),
            ..QueueSettings::new(name(queue))
        }
    }

    fn any_dead(&mut self) -> QueueName {
        if self.random.chance(90) { name(self.random.one_of(DEAD)) } else { self.any_queue() }
    }

    fn letter_settings(&mut self) -> LetterOverrides {
        use OnLostDependency::{Exhaust, Release, Wait};
        use Strategy::{Disabled, Manual, Selective};
        LetterOverrides {
            moved_policy: Some(self.moved_policy()),
            moved_max_retries: Some(self.random.one_of([0, 1, 2, 3])),
            letters_expire: Some(self.random.chance(50)),
            strategy: self.random.chance(15).then(|| self.random.one_of([Selective, Selective, Manual, Disabled])),
            default_policy: self.random.chance(30).then(|| self.policy()),
            max_retries: self.random.one_of([None, Some(0), Some(1), Some(2)]),
            max_size: self.max_size(),
            on_full: self.random.one_of([None, Some(OnFull::Overflow), Some(OnFull::Overflow)]),
            on_duplicate: self.random.one_of([
                None,
                Some(OnDuplicate::Merge),
                Some(OnDuplicate::Reject),
                Some(OnDuplicate::NewGeneration),
            ]),
            completed_retention: Some(Span::from_secs(self.random.one_of([5, 60, 3_600]))),
            archive_retention: self.random.one_of([None, Some(Span::from_secs(20)), Some(Span::from_secs(600))]),
            letter_bytes_max: self.random.chance(10).then_some(12),
            auto_archive: self.random.chance(15).then(|| Span::from_secs(self.random.one_of([0, 15]))),
            on_lost_dependency: self.random.one_of([None, Some(Wait), Some(Release), Some(Exhaust), Some(Exhaust)]),
            templates: Templates::default(),
            custom_backoff: self.random.chance(90).then(|| self.delays()),
        }
    }

    fn max_size(&mut self) -> Option<u64> {
        match self.is_of_letters {
            true => self.random.one_of([None, Some(1), Some(2), Some(3)]),
            false => self.random.one_of([None, None, Some(1), Some(2), Some(5)]),
        }
    }

    pub(super) fn policy(&mut self) -> RetryPolicy {
        use RetryPolicy::{Custom, Exponential, Immediate, Linear, Never};
        self.random.one_of([Never, Never, Linear, Exponential, Immediate, Immediate, Custom])
    }

    fn moved_policy(&mut self) -> MovedPolicy {
        match self.random.below(100) {
            0..10 => MovedPolicy::Auto,
            10..40 => MovedPolicy::Category,
            _ => self.policy().into(),
        }
    }

    fn delays(&mut self) -> CustomBackoff {
        self.random.one_of(["list 1s 7s", "list 3s 0s 40s", "list 0s", "list 20s"]).parse().unwrap()
    }

    pub(super) fn update_queue(&mut self) -> UpdateQueue {
        let queue = self.likely_queue();
        let new = self.settings(queue.as_str());
        UpdateQueue {
            lease_timeout: self.sometimes(new.lease_timeout),
            expire_timeout: self.sometimes(new.expire_timeout),
            max_attempts: self.sometimes(new.max_attempts),
            max_items: self.sometimes(new.max_items),
            dead_queue: self.sometimes(new.dead_queue),
            letters: self.sometimes(new.letters),
            is_paused: self.random.one_of([None, None, Some(false), Some(false), Some(false), Some(true)]),
            requested_partitions: self.random.one_of([None, Some(7)]),
            ..UpdateQueue::of(queue)
        }
    }

    fn sometimes<T>(&mut self, value: T) -> Option<T> {
        self.random.chance(30).then_some(value)
    }
}
