//! The random operations of a history.

use std::sync::Arc;

use bytes::Bytes;
use redrive_core::{CaptureReason, Priority, RetryPolicy, Span, Time, Trigger};
use redrive_model::{
    Annotate, Archive, Capture, ClaimById, ClaimDue, Clear, Content, Cursor, DeadCause, DeleteItems, DeleteQueue,
    DestinationFilter, Edit, Extend, Import, ImportItem, ItemState, KeyCondition, KeyWrite, Lease, NewItem, OnRejected,
    Produce, ProducedItem, Purge, ReadChanges, Restore, RetryAt, Settle, SettleAction, Settlement, StoredItem,
    WriteKeys, first_rejection,
};
use redrive_store::{Reply, Request, Store, StoreError};

use super::actor::{Actor, LEASE};
use super::look::READER;
use super::oracle::{Checked, Effect, ExpectedItem, HeldLease, LetterPhase, TestQueue};
use crate::letters::{attempt, letter};
use crate::rig::{name, payload, waiting_lease};

impl Actor {
    /// Performs one random operation.
    pub(super) async fn act(&mut self) -> Checked {
        match self.random.below(64) {
            0..=19 => self.produce().await,
            20..=27 => self.lease().await,
            28..=37 => self.settle().await,
            38 => self.extend().await,
            39 => self.clear().await,
            40 => self.remove_queue().await,
            41..=43 => self.capture().await,
            44 => self.archive().await,
            45 => self.restore().await,
            46 | 47 => self.edit().await,
            48 => self.purge().await,
            49 => self.annotate().await,
            50 => self.claim_letters().await,
            51 | 52 => self.claim().await,
            53 => self.delete_items().await,
            54 | 55 => self.import().await,
            56 | 57 => self.write_keys().await,
            58 => self.advance_cursor().await,
            59..=62 => {
                self.pass_time();
                Ok(())
            }
            _ => self.check().await,
        }
    }

    fn pass_time(&mut self) {
        self.clock.advance(Span::from_millis(self.random.below(25_000) as u64));
        let now = self.now();
        self.oracle.time_passed(now);
        self.has_pending_timers = true;
    }

    fn body(&mut self, item: u64) -> (u64, Arc<Content>) {
        let body = self.oracle.body_for(item);
        // Mostly small, sometimes a large part of a segment.
        let len = match self.random.below(12) {
            0 => 8 + self.random.below(16_000),
            1..=6 => 8 + self.random.below(4_000),
            _ => 8 + self.random.below(300),
        };
        (body, Arc::new(Content::of_payload(payload(body, len))))
    }

    fn some_queue(&mut self) -> TestQueue {
        TestQueue::FOR_ITEMS[self.random.below(TestQueue::FOR_ITEMS.len())]
    }

    /// An accompanying key write: both it and the operation happen, or neither.
    fn along(&mut self, effect: &mut Effect) -> Vec<KeyWrite> {
        if !self.random.chance(20) {
            return Vec::new();
        }
        let key = self.random.below(12) as u64;
        let value = self.random.chance(70).then(|| self.oracle.number());
        effect.keys.push((key, value));
        vec![KeyWrite {
            key: Bytes::copy_from_slice(&key.to_be_bytes()),
            value: value.map(|value| Bytes::copy_from_slice(&value.to_be_bytes())),
            condition: KeyCondition::Any,
        }]
    }

    async fn produce(&mut self) -> Checked {
        let test_queue = self.some_queue();
        let mut effect = Effect::default();
        let mut items = Vec::new();
        // For each produced item: its number, and whether it is a duplicate.
        let mut expected = Vec::new();
        for _ in 0..1 + self.random.below(5) {
            let twin = self.twin(test_queue).filter(|twin| expected.iter().all(|(item, _)| item != twin));
            let number = twin.unwrap_or_else(|| self.oracle.number());
            let (body, content) = self.body(number);
            let message_id = (twin.is_some() || self.random.chance(40)).then(|| message_id(number));
            if message_id.is_some() {
                self.oracle.has_message_id.insert(number);
            }
            let enqueue_at = self.random.chance(10).then(|| self.now().saturating_add(Span::from_secs(10)));
            let priority = Priority::ALL[self.random.below(Priority::ALL.len())];
            items.push(NewItem { content, enqueue_at, expire_after: None, priority, message_id, remember_for: None });
            expected.push((number, twin.is_some()));
            if twin.is_none() {
                effect.items.push((number, Some(ExpectedItem::new(test_queue, body))));
            }
        }
        let along = self.along(&mut effect);
        let produce = Request::Produce(Produce::new(name(test_queue.name()), items));
        let Some(reply) = self.submit(produce, along, effect).await? else { return Ok(()) };
        let Reply::Produce(produced) = reply else { return Err(format!("an unexpected reply: {reply:?}")) };
        for (answer, (item, is_there)) in produced.items.into_iter().zip(expected) {
            match answer {
                ProducedItem::New(id) if !is_there => self.oracle.learn_new_id(id, item)?,
                ProducedItem::Duplicate(id) if is_there => self.oracle.learn_id(id, item)?,
                answer => return Err(format!("item {item}, duplicate: {is_there}, was answered with {answer:?}")),
            }
        }
        Ok(())
    }

    /// An item with a message id that is certainly in the queue.
    fn twin(&mut self, test_queue: TestQueue) -> Option<u64> {
        if !self.random.chance(10) {
            return None;
        }
        let candidates = self.oracle.certain_items(test_queue, LetterPhase::Live);
        let item = *self.random.pick(&candidates)?;
        self.oracle.has_message_id.contains(&item).then_some(item)
    }

    async fn lease(&mut self) -> Checked {
        let test_queue = TestQueue::ALL[self.random.below(TestQueue::ALL.len())];
        let batch = 1 + self.random.below(6) as u64;
        let request = Lease { wait: Span::ZERO, ..waiting_lease(test_queue.name(), batch) };
        let Some(reply) = self.submit(Request::Lease(request), Vec::new(), Effect::default()).await? else {
            return Ok(());
        };
        let Reply::Lease(leased) = reply else { return Err(format!("an unexpected reply: {reply:?}")) };
        self.hold(test_queue, &leased.items)
    }

    /// Records leased items and checks their payloads.
    fn hold(&mut self, test_queue: TestQueue, items: &[StoredItem]) -> Checked {
        for stored in items {
            let seen = super::look::seen(test_queue, &stored.info, &stored.content)?;
            let item = *self.oracle.owners.get(&seen.body).ok_or("an unknown payload was leased")?;
            self.oracle.learn_id(seen.id, item)?;
            let expected = self
                .oracle
                .expected_item(item)
                .ok_or_else(|| format!("item {item} was leased, but no longer exists"))?;
            if expected.body != seen.body
                || !expected.test_queues.contains(&test_queue)
                || expected.phase != LetterPhase::Live
            {
                return Err(format!("{expected:?} was leased as {seen:?}"));
            }
            let ItemState::Leased { deadline } = stored.info.state else {
                return Err(format!("{} is not leased", seen.id));
            };
            if self.oracle.held.iter().any(|held| held.item == item) {
                return Err(format!("item {item} was leased twice"));
            }
            self.oracle.held.push(HeldLease {
                test_queue,
                partition: stored.info.partition,
                id: seen.id,
                item,
                deadline,
            });
        }
        Ok(())
    }

    async fn settle(&mut self) -> Checked {
        let Some(HeldLease { test_queue, partition, .. }) = self.random.pick(&self.oracle.held.clone()).copied() else {
            return Ok(());
        };
        let mut effect = Effect::default();
        let mut items = Vec::new();
        let held = std::mem::take(&mut self.oracle.held);
        let (mine, others): (Vec<HeldLease>, Vec<HeldLease>) = held
            .into_iter()
            .partition(|held| held.test_queue == test_queue && held.partition == partition && self.random.chance(70));
        for held in &mine {
            let action = self.action();
            let expected = self.oracle.expected_item(held.item).cloned();
            effect.items.push((held.item, expected.and_then(|expected| after(expected, test_queue, &action))));
            items.push(Settlement { id: held.id, action });
        }
        self.oracle.held = others;
        if items.is_empty() {
            return Ok(());
        }
        let along = self.along(&mut effect);
        let (queue, partition, on_rejected) = (name(test_queue.name()), Some(partition), OnRejected::Stop);
        let settle = Settle { queue, partition, items, on_rejected };
        match self.submit(Request::Settle(settle), along, effect).await? {
            Some(Reply::Settle(answers)) => match first_rejection(&answers) {
                Some(rejection) => Err(format!("a holder was rejected: {rejection}")),
                None => Ok(()),
            },
            Some(reply) => Err(format!("an unexpected reply: {reply:?}")),
            None => {
                // It was not done, or its outcome is unknown.
                if !self.is_down {
                    self.oracle.held.extend(mine);
                }
                Ok(())
            }
        }
    }

    fn action(&mut self) -> SettleAction {
        let failed = || Some(Box::new(attempt()));
        let later = self.now().saturating_add(Span::from_secs(5));
        match self.random.below(10) {
            0..=4 => SettleAction::Complete { attempt: None },
            5 => SettleAction::Release,
            6 => SettleAction::Retry {
                at: RetryAt::Undecided(self.random.chance(50).then_some(later)),
                attempt: failed(),
                charged: true,
            },
            7 => SettleAction::Dead { attempt: failed(), why: DeadCause::Permanent },
            8 => SettleAction::Defer { until: later },
            _ => SettleAction::RedeliverForHandOver { at: Time::MIN, attempt: failed() },
        }
    }

    async fn extend(&mut self) -> Checked {
        let Some(held) = self.random.pick(&self.oracle.held).copied() else { return Ok(()) };
        let (queue, partition) = (name(held.test_queue.name()), Some(held.partition));
        let extend =
            Request::Extend(Extend { queue, partition, ids: vec![held.id], lease: Some(LEASE), may_shorten: false });
        match self.submit(extend, Vec::new(), Effect::default()).await? {
            Some(Reply::Extend(answers)) => {
                if let Some(rejection) = first_rejection(&answers) {
                    return Err(format!("a holder was rejected: {rejection}"));
                }
                let mut mine = self.oracle.held.iter_mut().filter(|other| other.id == held.id);
                if let (Some(held), Some(Ok(deadline))) = (mine.next(), answers.first()) {
                    held.deadline = *deadline;
                }
                Ok(())
            }
            Some(reply) => Err(format!("an unexpected reply: {reply:?}")),
            None => Ok(()),
        }
    }

    async fn clear(&mut self) -> Checked {
        let test_queue = TestQueue::ALL[self.random.below(TestQueue::ALL.len())];
        // Items may have moved to the dead queue: check first, if that is possible.
        self.check().await?;
        if self.is_faulty {
            return Ok(());
        }
        let gone = self.oracle.certain_items(test_queue, LetterPhase::Live);
        let items = gone.iter().map(|item| (*item, None)).collect();
        let clear = Clear { queue: name(test_queue.name()), ready: true, destructive: true, scheduled: true };
        let effect = Effect { items, ..Effect::default() };
        match self.submit(Request::Clear(clear), Vec::new(), effect).await? {
            Some(Reply::Clear(count)) if count == gone.len() as u64 => Ok(()),
            Some(reply) => Err(format!("{} should have been cleared, but the answer is {reply:?}", gone.len())),
            None => Ok(()),
        }
    }

    async fn remove_queue(&mut self) -> Checked {
        let items = self.oracle.items_in(TestQueue::Brief).into_iter().map(|item| (item, None)).collect();
        let delete = DeleteQueue { name: name(TestQueue::Brief.name()), force: false };
        let effect = Effect { items, ..Effect::default() };
        self.submit(Request::DeleteQueue(delete), Vec::new(), effect).await?;
        self.recreate_brief().await
    }

    async fn capture(&mut self) -> Checked {
        let mut effect = Effect::default();
        let mut letters = Vec::new();
        let mut expected = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            let known = self.captured_before().filter(|known| expected.iter().all(|(item, _)| item != known));
            let item = known.unwrap_or_else(|| self.oracle.number());
            let (body, content) = self.body(item);
            let policy = [RetryPolicy::Never, RetryPolicy::Immediate, RetryPolicy::Exponential][self.random.below(3)];
            letters.push(letter(item, content, policy));
            if known.is_none() {
                effect.items.push((item, Some(ExpectedItem::new(TestQueue::Dead, body))));
            }
            expected.push((item, known.is_some()));
        }
        let along = self.along(&mut effect);
        let capture = Request::Capture(Capture::new(name(TestQueue::Dead.name()), letters));
        let Some(reply) = self.submit(capture, along, effect).await? else { return Ok(()) };
        let Reply::Capture(captured) = reply else { return Err(format!("an unexpected reply: {reply:?}")) };
        for (captured, (item, is_there)) in captured.into_iter().zip(expected) {
            let reason = if is_there { CaptureReason::Duplicate } else { CaptureReason::Enqueued };
            let known = *self.oracle.letters.entry(item).or_insert(captured.letter);
            if captured.reason != reason || captured.letter != known {
                return Err(format!("item {item} is {known}, duplicate: {is_there}, and the answer is {captured:?}"));
            }
            self.oracle.captured.insert(item);
        }
        Ok(())
    }

    /// A live letter that was captured before: capturing it again returns the same letter.
    fn captured_before(&mut self) -> Option<u64> {
        if !self.random.chance(15) {
            return None;
        }
        let candidates = self.oracle.certain_items(TestQueue::Dead, LetterPhase::Live);
        let item = *self.random.pick(&candidates)?;
        self.oracle.captured.contains(&item).then_some(item)
    }

    /// A random letter in this phase, with its id.
    fn some_letter(&mut self, phase: LetterPhase) -> Option<(u64, redrive_core::LetterId)> {
        let candidates = self.oracle.certain_items(TestQueue::Dead, phase);
        let item = *self.random.pick(&candidates)?;
        self.oracle.letters.get(&item).map(|letter| (item, *letter))
    }

    /// The effect of a change to a letter.
    fn changed(&self, item: u64, change: impl FnOnce(&mut ExpectedItem)) -> Effect {
        let expected = self.oracle.expected_item(item).cloned().map(|mut expected| {
            change(&mut expected);
            expected
        });
        Effect { items: vec![(item, expected)], ..Effect::default() }
    }

    async fn archive(&mut self) -> Checked {
        let Some((item, letter)) = self.some_letter(LetterPhase::Live) else { return Ok(()) };
        let effect = self.changed(item, |expected| expected.phase = LetterPhase::Archived);
        let archive = Archive { queue: name(TestQueue::Dead.name()), letters: vec![letter] };
        self.submit(Request::Archive(archive), Vec::new(), effect).await.map(|_| ())
    }

    async fn restore(&mut self) -> Checked {
        let Some((item, letter)) = self.some_letter(LetterPhase::Archived) else { return Ok(()) };
        let effect = self.changed(item, |expected| expected.phase = LetterPhase::Live);
        let restore = Restore { queue: name(TestQueue::Dead.name()), letters: vec![letter] };
        self.submit(Request::Restore(restore), Vec::new(), effect).await.map(|_| ())
    }

    async fn edit(&mut self) -> Checked {
        let Some((item, letter)) = self.some_letter(LetterPhase::Live) else { return Ok(()) };
        let (body, content) = self.body(item);
        let effect = self.changed(item, |expected| {
            expected.original = expected.original.or(Some(expected.body));
            expected.body = body;
        });
        let edit = Edit {
            queue: name(TestQueue::Dead.name()),
            letter,
            content: Some(content),
            policy: None,
            max_retries: None,
            priority: None,
        };
        self.submit(edit.into(), Vec::new(), effect).await.map(|_| ())
    }

    async fn purge(&mut self) -> Checked {
        let phase = if self.random.chance(50) { LetterPhase::Live } else { LetterPhase::Archived };
        let Some((item, letter)) = self.some_letter(phase) else { return Ok(()) };
        let effect = Effect { items: vec![(item, None)], ..Effect::default() };
        let purge = Purge { queue: name(TestQueue::Dead.name()), letters: vec![letter] };
        self.submit(Request::Purge(purge), Vec::new(), effect).await.map(|_| ())
    }

    async fn annotate(&mut self) -> Checked {
        let Some((item, letter)) = self.some_letter(LetterPhase::Live) else { return Ok(()) };
        let note = payload(self.oracle.number(), 40 + self.random.below(400));
        let effect = self.changed(item, |expected| expected.notes.push(note.clone()));
        let annotate = Annotate { queue: name(TestQueue::Dead.name()), letter, note };
        self.submit(Request::Annotate(annotate), Vec::new(), effect).await.map(|_| ())
    }

    async fn claim_letters(&mut self) -> Checked {
        let Some((_, letter)) = self.some_letter(LetterPhase::Live) else { return Ok(()) };
        let queue = name(TestQueue::Dead.name());
        let claim = ClaimById { queue, letters: vec![letter.into()], lease: LEASE, trigger: Trigger::Manual };
        match self.submit(Request::ClaimById(claim), Vec::new(), Effect::default()).await? {
            Some(Reply::ClaimById(claimed)) => self.hold(TestQueue::Dead, &claimed.letters),
            Some(reply) => Err(format!("an unexpected reply: {reply:?}")),
            None => Ok(()),
        }
    }

    async fn claim(&mut self) -> Checked {
        let scope = DestinationFilter::all();
        let claim = ClaimDue { queue: name(TestQueue::Dead.name()), batch: 3, lease: LEASE, scope, wait: Span::ZERO };
        match self.submit(Request::ClaimDue(claim), Vec::new(), Effect::default()).await? {
            Some(Reply::ClaimDue(claimed)) => self.hold(TestQueue::Dead, &claimed.letters),
            Some(reply) => Err(format!("an unexpected reply: {reply:?}")),
            None => Ok(()),
        }
    }

    /// Deletes leased items: only their current ids are known.
    async fn delete_items(&mut self) -> Checked {
        let Some(held) = self.random.pick(&self.oracle.held).copied() else { return Ok(()) };
        let effect = Effect { items: vec![(held.item, None)], ..Effect::default() };
        let delete = DeleteItems { queue: name(held.test_queue.name()), partition: held.partition, ids: vec![held.id] };
        match self.submit(Request::DeleteItems(delete), Vec::new(), effect).await? {
            None | Some(Reply::DeleteItems(1)) => Ok(()),
            Some(reply) => Err(format!("one item should have been deleted, but the answer is {reply:?}")),
        }
    }

    async fn import(&mut self) -> Checked {
        let partition = u32::try_from(self.random.below(3)).unwrap_or(0);
        let mut effect = Effect::default();
        let mut items = Vec::new();
        for _ in 0..1 + self.random.below(4) {
            let item = self.oracle.number();
            let (body, content) = self.body(item);
            effect.items.push((item, Some(ExpectedItem::new(TestQueue::Orders, body))));
            items.push(ImportItem { content, source_id: Some(message_id(item)), ..ImportItem::default() });
        }
        let import = Request::Import(Import { queue: name(TestQueue::Orders.name()), partition, items });
        self.submit(import, Vec::new(), effect).await.map(|_| ())
    }

    async fn write_keys(&mut self) -> Checked {
        let mut effect = Effect::default();
        let mut writes: Vec<KeyWrite> = Vec::new();
        for _ in 0..6 {
            let write = self.along(&mut effect);
            writes.extend(write);
        }
        if writes.is_empty() {
            return Ok(());
        }
        // Of several changes of a key, the last one counts.
        let mut last = Vec::new();
        for (key, value) in effect.keys.drain(..).rev() {
            if last.iter().all(|(other, _)| *other != key) {
                last.push((key, value));
            }
        }
        let effect = Effect { keys: last, ..Effect::default() };
        self.submit(Request::WriteKeys(WriteKeys { writes }), Vec::new(), effect).await.map(|_| ())
    }

    /// The smallest operation that needs disk space.
    pub(super) async fn write_a_key(&mut self) -> Checked {
        let value = self.oracle.number();
        let effect = Effect { keys: vec![(0, Some(value))], ..Effect::default() };
        let write = KeyWrite {
            key: Bytes::copy_from_slice(&0u64.to_be_bytes()),
            value: Some(Bytes::copy_from_slice(&value.to_be_bytes())),
            condition: KeyCondition::Any,
        };
        self.submit(Request::WriteKeys(WriteKeys { writes: vec![write] }), Vec::new(), effect).await.map(|_| ())
    }

    async fn advance_cursor(&mut self) -> Checked {
        let changes =
            ReadChanges { cursor: READER.to_owned(), after: None, limit: 1 + self.random.below(20), wait: Span::ZERO };
        let page = match self.store.changes(changes).await {
            Ok(page) => page,
            // The request was in the batch that failed.
            Err(StoreError::Poisoned) if self.is_faulty => {
                self.is_down = true;
                return Ok(());
            }
            Err(error) => return Err(format!("reading the feed failed: {error}")),
        };
        let position = page.position;
        if position < self.oracle.cursor {
            return Err(format!("the feed is at {position}, before the cursor {}", self.oracle.cursor));
        }
        let effect = Effect { cursor: Some(position), ..Effect::default() };
        let advance = Cursor::Advance { name: READER.to_owned(), position };
        self.submit(Request::Cursor(advance), Vec::new(), effect).await.map(|_| ())
    }
}

pub(super) fn message_id(item: u64) -> Box<str> {
    format!("message-{item}").into()
}

/// The expected item after it was settled; `None` if it is removed.
pub(super) fn after(expected: ExpectedItem, test_queue: TestQueue, action: &SettleAction) -> Option<ExpectedItem> {
    match (action, test_queue) {
        (SettleAction::Complete { .. }, TestQueue::Dead) => {
            Some(ExpectedItem { phase: LetterPhase::Completed, ..expected })
        }
        (SettleAction::Complete { .. }, _) | (SettleAction::Dead { .. }, TestQueue::Orders | TestQueue::Brief) => None,
        (SettleAction::Dead { .. } | SettleAction::Retry { .. }, TestQueue::Fragile) => Some(expected.or_dead()),
        _ => Some(expected),
    }
}
