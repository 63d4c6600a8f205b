//! Giving items and letters to those who want them.

use redrive_core::{Priority, QueueName, Status, Time, Trigger};
use redrive_model::{
    ClaimById, ClaimDue, ClaimHolder, DestinationFilter, Event, Extend, ItemState, LeaseSpec, LetterSelector,
    PriorState, Rejection,
};

use super::item::{Item, Number};
use super::{Expected, Model};

impl Model {
    /// All requests that wait, in one pass.
    pub fn lease(&mut self, queue: &QueueName, requests: &[LeaseSpec], now: Time) -> Expected {
        let nothing = Expected::Granted(vec![(0, Vec::new()); requests.len()]);
        let Ok(queue) = self.named(queue) else { return nothing };
        if queue.settings.is_paused {
            return nothing;
        }
        let (number, own) = (queue.number, queue.settings.lease_timeout);
        let assigned: Vec<u32> = requests.iter().map(|wanted| self.queue_mut(number).assign(wanted.batch)).collect();
        let mut grants: Vec<(u32, Vec<Number>)> = assigned.iter().map(|partition| (*partition, Vec::new())).collect();
        for partition in 0..self.queue(number).settings.partitions {
            self.deal(number, partition, requests, &mut grants);
        }
        for ((_, items), wanted) in grants.iter().zip(requests) {
            let deadline = now.saturating_add(wanted.lease.unwrap_or(own));
            for item in items {
                self.leased(*item, deadline);
            }
        }
        Expected::Granted(grants)
    }

    /// Those who met at a partition take its items one at a time in turn, passing over those who have enough.
    fn deal(&mut self, queue: u32, partition: u32, requests: &[LeaseSpec], grants: &mut [(u32, Vec<Number>)]) {
        let mut waiting: Vec<(u64, Priority, Number)> = self
            .items
            .iter()
            .filter(|item| item.queue == queue && item.info.partition == partition && item.is_ready())
            .map(|item| (item.order, item.info.priority, item.number))
            .collect();
        waiting.sort_unstable();
        let turns = &mut self.queue_mut(queue).turns[partition as usize];
        let is_hungry = |wanted: &LeaseSpec, grant: &(u32, Vec<Number>)| {
            grant.0 == partition && (grant.1.len() as u64) < wanted.batch
        };
        while requests.iter().zip(&*grants).any(|(wanted, grant)| is_hungry(wanted, grant)) && !waiting.is_empty() {
            for (wanted, grant) in requests.iter().zip(&mut *grants) {
                if !is_hungry(wanted, grant) {
                    continue;
                }
                let has_waiting = |priority| waiting.iter().any(|(_, other, _)| *other == priority);
                let Some(priority) = turns.next(has_waiting) else { return };
                let first = waiting.iter().position(|(_, other, _)| *other == priority).unwrap();
                grant.1.push(waiting.remove(first).2);
            }
        }
    }

    /// The list of partitions heard of it when the request was assigned.
    fn leased(&mut self, number: Number, deadline: Time) {
        let item = self.items.iter_mut().find(|item| item.number == number).unwrap();
        item.info.state = ItemState::Leased { deadline };
        item.info.imported_lease_deadline = None;
        item.info.attempts += 1;
        item.info.deliveries += 1;
        let queue = item.queue;
        if let Some(letter) = item.letter_mut() {
            let holder = ClaimHolder::Caller;
            letter.before = Some(PriorState { status: letter.status, due: None, since: letter.ended_at, holder });
            letter.status = Status::Retrying;
            letter.trigger = Trigger::Manual;
            letter.revision += 1;
            self.feed.changed(number);
            self.queue_mut(queue).count(Event::RetriedByHand);
        }
        self.queue_mut(queue).count(Event::Leased);
    }

    /// Never shortened; a stale id costs the others nothing.
    pub fn extend(&mut self, extend: &Extend, now: Time) -> Result<Expected, Rejection> {
        let queue = self.with_partition(&extend.queue, extend.partition)?;
        let wanted = now.saturating_add(extend.lease.unwrap_or(queue.settings.lease_timeout));
        if extend.ids.is_empty() {
            return Err(Rejection::Empty { what: "ids" });
        }
        let number = queue.number;
        let mut deadlines = Vec::new();
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
            let is_later = wanted > *deadline;
            *deadline = (*deadline).max(wanted);
            deadlines.push(Ok(*deadline));
            if is_later {
                self.queue_mut(queue).count(Event::Extended);
            }
        }
        Ok(Expected::Deadlines(deadlines))
    }

    /// Letters whose time has come: by turns of the priorities, then the earliest.
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
            let Some(turn) = self.queue_mut(number).due_turns.next(has_waiting) else { break };
            let (.., letter) = due.into_iter().find(|(.., priority, _)| *priority == turn).unwrap();
            self.claimed(letter, Trigger::Automatic, now.saturating_add(claim.lease));
            claimed.push(Some(letter));
        }
        Ok(Expected::Items(claimed))
    }

    /// All that are named, or none.
    pub fn claim_by_id(&mut self, claim: &ClaimById, now: Time) -> Result<Expected, Rejection> {
        let queue = self.named(&claim.queue)?.number;
        if claim.letters.is_empty() {
            return Err(Rejection::Empty { what: "letters" });
        }
        let mut wanted: Vec<Number> = Vec::new();
        for LetterSelector { id, revision: seen } in claim.letters.iter().copied() {
            let item = self.by_letter(queue, id)?;
            let (status, revision) = item.letter().map(|letter| (letter.status, letter.revision)).unwrap();
            if !matches!(status, Status::Pending | Status::Exhausted) || wanted.contains(&item.number) {
                return Err(Rejection::LetterConflict { letter: id, status, verb: "retried" });
            }
            if seen.is_some_and(|seen| seen != revision) {
                self.came_by("changed since it was seen");
                return Err(Rejection::LetterChanged { letter: id, revision });
            }
            wanted.push(item.number);
        }
        for letter in &wanted {
            self.claimed(*letter, claim.trigger, now.saturating_add(claim.lease));
        }
        Ok(Expected::Items(wanted.into_iter().map(Some).collect()))
    }

    /// Under a new id: whoever held it before holds nothing any more.
    fn claimed(&mut self, number: Number, trigger: Trigger, deadline: Time) {
        let order = self.issue();
        self.change(number, Event::Claimed, |item| {
            let due = item.due();
            item.order = order;
            item.info.state = ItemState::Leased { deadline };
            item.info.attempts += 1;
            item.info.deliveries += 1;
            if let Some(letter) = item.letter_mut() {
                let holder = ClaimHolder::Server;
                letter.before = Some(PriorState { status: letter.status, due, since: letter.ended_at, holder });
                letter.status = Status::Retrying;
                letter.trigger = trigger;
            }
        });
    }
}
