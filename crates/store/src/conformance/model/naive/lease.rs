//! Leasing items and claiming letters.

use redrive_core::{Priority, QueueName, Span, Status, Time, Trigger};
use redrive_model::{
    ClaimById, ClaimDue, ClaimHolder, DestinationFilter, Event, Extend, ItemState, LeaseByMessageId, LeaseSpec,
    LetterSelector, PriorState, Rejection,
};

use super::arrival::check_source_id;
use super::item::{Item, Number};
use super::{Expected, Model};

impl Model {
    /// Serves all waiting requests in one pass.
    pub fn lease(&mut self, queue: &QueueName, requests: &[LeaseSpec], now: Time) -> Expected {
        let nothing = Expected::Granted(vec![(0, Vec::new()); requests.len()]);
        let Ok(queue) = self.named(queue) else { return nothing };
        if queue.settings.is_paused {
            return nothing;
        }
        let (number, own) = (queue.number, queue.settings.lease_timeout);
        let assigned: Vec<u32> = requests.iter().map(|spec| self.queue_mut(number).assign(spec.batch)).collect();
        let mut grants: Vec<(u32, Vec<Number>)> = assigned.iter().map(|partition| (*partition, Vec::new())).collect();
        for partition in 0..self.queue(number).settings.partitions {
            self.distribute(number, partition, requests, &mut grants);
        }
        for ((_, items), spec) in grants.iter().zip(requests) {
            let deadline = now.saturating_add(spec.lease.unwrap_or(own));
            for item in items {
                self.leased(*item, deadline, spec.notes_receipt, now);
            }
        }
        Expected::Granted(grants)
    }

    /// Distributes the items of a partition to its requests, one item at a time in turn, skipping satisfied requests.
    fn distribute(&mut self, queue: u32, partition: u32, requests: &[LeaseSpec], grants: &mut [(u32, Vec<Number>)]) {
        let mut waiting: Vec<(u64, Priority, Number)> = self
            .items
            .iter()
            .filter(|item| item.queue == queue && item.info.partition == partition && item.is_ready())
            .map(|item| (item.order, item.info.priority, item.number))
            .collect();
        waiting.sort_unstable();
        let rotation = &mut self.queue_mut(queue).rotations[partition as usize];
        let needs_more =
            |spec: &LeaseSpec, grant: &(u32, Vec<Number>)| grant.0 == partition && (grant.1.len() as u64) < spec.batch;
        while requests.iter().zip(&*grants).any(|(spec, grant)| needs_more(spec, grant)) && !waiting.is_empty() {
            for (spec, grant) in requests.iter().zip(&mut *grants) {
                if !needs_more(spec, grant) {
                    continue;
                }
                let has_waiting = |priority| waiting.iter().any(|(_, other, _)| *other == priority);
                let Some(priority) = rotation.next(has_waiting) else { return };
                let first = waiting.iter().position(|(_, other, _)| *other == priority).unwrap();
                grant.1.push(waiting.remove(first).2);
            }
        }
    }

    /// Leases an item. The list of partitions was already updated when the request was assigned.
    fn leased(&mut self, number: Number, deadline: Time, notes_receipt: bool, now: Time) {
        let item = self.items.iter_mut().find(|item| item.number == number).unwrap();
        item.info.state = ItemState::Leased { deadline };
        item.info.imported_lease_deadline = None;
        item.info.attempts += 1;
        item.info.deliveries += 1;
        item.note_receipt(notes_receipt, now);
        let queue = item.queue;
        if let Some(letter) = item.letter_mut() {
            let holder = ClaimHolder::Caller;
            letter.before = Some(PriorState {
                status: letter.status,
                due: None,
                since: letter.ended_at,
                holder,
                has_failed_again: false,
            });
            letter.status = Status::Retrying;
            letter.trigger = Trigger::Manual;
            letter.revision += 1;
            letter.updated_at = now;
            self.feed.changed(number);
            self.queue_mut(queue).count(Event::RetriedByHand);
        }
        self.queue_mut(queue).count(Event::Leased);
    }

    /// Leases the plain item with a message id under a new id. A ready one keeps its place.
    pub fn lease_by_message_id(&mut self, lease: &LeaseByMessageId, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&lease.queue)?;
        let (number, is_paused, own) = (queue.number, queue.settings.is_paused, queue.settings.lease_timeout);
        check_source_id(&lease.message_id)?;
        let found = self.by_source(number, &lease.message_id);
        let is_free = |item: &&Item| {
            let is_waiting = item.is_ready() || matches!(item.info.state, ItemState::Scheduled { .. });
            item.letter().is_none() && is_waiting && !is_paused
        };
        let Some(item) = found.filter(is_free) else { return Ok(Expected::Items(vec![None])) };
        let (found, is_ready) = (item.number, item.is_ready());
        let order = if is_ready { None } else { Some(self.issue()) };
        let deadline = now.saturating_add(lease.lease.unwrap_or(own));
        self.change(found, Event::Leased, now, |item| {
            match order {
                Some(order) => item.order = order,
                None => item.renew(),
            }
            item.info.state = ItemState::Leased { deadline };
            item.info.imported_lease_deadline = None;
            item.info.attempts += 1;
            item.info.deliveries += 1;
            item.note_receipt(lease.notes_receipt, now);
        });
        Ok(Expected::Items(vec![Some(found)]))
    }

    /// Extends leases, to an earlier time only if the request says so. A stale id does not affect the others.
    pub fn extend(&mut self, extend: &Extend, now: Time) -> Result<Expected, Rejection> {
        let queue = self.with_partition(&extend.queue, extend.partition)?;
        let spec = now.saturating_add(extend.lease.unwrap_or(queue.settings.lease_timeout));
        if extend.ids.is_empty() {
            return Err(Rejection::Empty { what: "ids" });
        }
        let number = queue.number;
        let (mut deadlines, mut earlier) = (Vec::new(), Vec::new());
        for id in &extend.ids {
            let number = match self.held(number, extend.partition, *id, "extended") {
                Ok(number) => number,
                Err(rejection) => {
                    deadlines.push(Err(rejection));
                    continue;
                }
            };
            let item = self.items.iter_mut().find(|item| item.number == number).unwrap();
            let queue = item.queue;
            let ItemState::Leased { deadline } = &mut item.info.state else { continue };
            let is_later = spec > *deadline;
            if spec < *deadline && extend.may_shorten {
                deadlines.push(Ok(spec));
                earlier.push(number);
                continue;
            }
            *deadline = (*deadline).max(spec);
            deadlines.push(Ok(*deadline));
            if is_later {
                self.queue_mut(queue).count(Event::Extended);
            }
        }
        // In the order of the store, each once.
        let earlier = self.in_order(self.items.iter().filter(|item| earlier.contains(&item.number)));
        for number in earlier {
            self.record_rule("shortened");
            self.change(number, Event::Extended, now, |item| item.info.state = ItemState::Leased { deadline: spec });
        }
        Ok(Expected::Deadlines(deadlines))
    }

    /// Claims due letters, by priority rotation and then by due time.
    pub fn claim(&mut self, claim: &ClaimDue, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&claim.queue)?;
        let number = queue.number;
        if claim.batch == 0 {
            return Err(Rejection::NoBatchSize);
        }
        let mut claimed = Vec::new();
        while !self.queue(number).settings.is_paused && (claimed.len() as u64) < claim.batch {
            let is_held = |item: &Item| match (item.letter(), &claim.scope) {
                (Some(letter), DestinationFilter::AllBut(held)) => held.contains(&letter.destination),
                (Some(letter), DestinationFilter::Only(only)) => !only.contains(&letter.destination),
                (None, _) => false,
            };
            let mut due: Vec<(Time, u64, Priority, Number)> = self
                .items
                .iter()
                .filter(|item| item.queue == number && !is_held(item))
                .filter_map(|item| Some((item.due()?, item.order, item.info.priority, item.number)))
                .filter(|(at, ..)| *at <= now)
                .collect();
            due.sort_unstable();
            let has_waiting = |priority| due.iter().any(|(.., other, _)| *other == priority);
            let Some(turn) = self.queue_mut(number).due_rotation.next(has_waiting) else { break };
            let (.., letter) = due.into_iter().find(|(.., priority, _)| *priority == turn).unwrap();
            self.claimed(letter, Trigger::Automatic, claim.lease, now);
            claimed.push(Some(letter));
        }
        Ok(Expected::Items(claimed))
    }

    /// Claims all named letters, or none.
    pub fn claim_by_id(&mut self, claim: &ClaimById, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&claim.queue)?.number;
        if claim.letters.is_empty() {
            return Err(Rejection::Empty { what: "letters" });
        }
        let mut spec: Vec<Number> = Vec::new();
        for LetterSelector { id, revision: seen } in claim.letters.iter().copied() {
            let item = self.by_letter(queue, id)?;
            let (status, revision) = item.letter().map(|letter| (letter.status, letter.revision)).unwrap();
            if !matches!(status, Status::Pending | Status::Exhausted) || spec.contains(&item.number) {
                return Err(Rejection::LetterConflict { letter: id, status, verb: "retried" });
            }
            if seen.is_some_and(|seen| seen != revision) {
                self.record_rule("changed since it was seen");
                return Err(Rejection::LetterChanged { letter: id, revision });
            }
            spec.push(item.number);
        }
        for letter in &spec {
            self.claimed(*letter, claim.trigger, claim.lease, now);
        }
        Ok(Expected::Items(spec.into_iter().map(Some).collect()))
    }

    /// Claims a letter under a new id, which invalidates earlier holders.
    fn claimed(&mut self, number: Number, trigger: Trigger, lease: Span, now: Time) {
        let deadline = now.saturating_add(lease);
        let order = self.issue();
        self.change(number, Event::Claimed, now, |item| {
            let due = item.due();
            item.order = order;
            item.info.state = ItemState::Leased { deadline };
            item.info.attempts += 1;
            item.info.deliveries += 1;
            if let Some(letter) = item.letter_mut() {
                let holder = ClaimHolder::Server;
                letter.before = Some(PriorState {
                    status: letter.status,
                    due,
                    since: letter.ended_at,
                    holder,
                    has_failed_again: false,
                });
                letter.status = Status::Retrying;
                letter.trigger = trigger;
            }
        });
    }
}

impl Item {
    /// Notes the time of the first delivery of a plain item.
    fn note_receipt(&mut self, notes_receipt: bool, now: Time) {
        if notes_receipt && self.letter().is_none() {
            self.info.first_received_at.get_or_insert(now);
        }
    }
}
