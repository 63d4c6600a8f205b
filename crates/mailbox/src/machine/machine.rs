//! The state machine.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use bytes::Bytes;
use foldhash::fast::RandomState;
use redrive_core::{Span, Time};

use super::stored::{MessageState, Stored};
use crate::{
    BrowsedMessage, HandOverSpec, LeaseExtension, MailboxCounts, MailboxSettings, MessageId, NackSpec, RawMessage,
    ReceiptHandle,
};

/// The messages of one mailbox.
#[derive(Debug, Default)]
pub(crate) struct Machine {
    settings: MailboxSettings,
    messages: HashMap<MessageId, Stored, RandomState>,
    /// All messages in the order of their sends, in which they are browsed.
    sent: BTreeMap<u64, MessageId>,
    /// By position. Messages that are released get the positions before the first one.
    pending: BTreeMap<i64, MessageId>,
    /// Leased and delayed messages, by the time at which they become visible.
    invisible: BTreeSet<(Time, MessageId)>,
    leased: u64,
    /// Messages that are not leased, by the end of their retention.
    expires: BTreeSet<(Time, MessageId)>,
    /// Explicit ids that were accepted, until the end of the time for which they are remembered.
    accepted: HashMap<MessageId, Time, RandomState>,
    accepted_until: BTreeSet<(Time, MessageId)>,
    /// Messages removed at the end of their retention since the last call of `take_expired`.
    expired: u64,
    /// The number of the next message. Numbers are never used again.
    next_number: u64,
}

/// A message to be added.
#[derive(Debug)]
pub(crate) struct Submission {
    pub(crate) id: MessageId,
    /// Whether the sender supplied the id, to be accepted once.
    pub(crate) is_explicit: bool,
    pub(crate) body: Bytes,
    pub(crate) reply_to: Option<Arc<str>>,
}

/// Why an operation changed nothing.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum MachineError {
    Stale,
    Full,
}

impl Machine {
    pub(crate) fn new(settings: MailboxSettings) -> Self {
        Self { settings, ..Self::default() }
    }

    /// Lets the time pass.
    fn advance(&mut self, now: Time) {
        while let Some((due, id)) = self.invisible.first()
            && *due <= now
        {
            let id = id.clone();
            self.enter_pending_at_tail(&id);
        }
        while let Some((end, _)) = self.expires.first()
            && *end <= now
        {
            let Some((_, id)) = self.expires.pop_first() else { break };
            self.remove(&id);
            self.expired += 1;
        }
        while let Some((end, _)) = self.accepted_until.first()
            && *end <= now
        {
            let Some((_, id)) = self.accepted_until.pop_first() else { break };
            self.accepted.remove(&id);
        }
    }

    /// Adds a message. An explicit id that was accepted before is accepted without effect.
    pub(crate) fn send(&mut self, now: Time, new: Submission) -> Result<(), MachineError> {
        self.advance(now);
        if self.messages.contains_key(&new.id) || (new.is_explicit && self.accepted.contains_key(&new.id)) {
            return Ok(());
        }
        if self.settings.capacity.is_some_and(|most| self.messages.len() as u64 >= most.get()) {
            return Err(MachineError::Full);
        }
        let kept = self.settings.retention;
        let expires_at = (!kept.is_zero()).then(|| now.saturating_add(kept));
        if new.is_explicit {
            let until = now.saturating_add(self.settings.marker_retention());
            self.accepted.insert(new.id.clone(), until);
            self.accepted_until.insert((until, new.id.clone()));
        }
        let position = self.tail();
        self.pending.insert(position, new.id.clone());
        let number = self.next_number;
        self.next_number += 1;
        self.sent.insert(number, new.id.clone());
        self.expires.extend(expires_at.map(|at| (at, new.id.clone())));
        let stored = Stored {
            number,
            body: new.body,
            reply_to: new.reply_to,
            enqueued_at: now,
            first_received_at: None,
            delivery_count: 0,
            uncharged: 0,
            last_error: None,
            verdict: None,
            parts: Vec::new(),
            expires_at,
            state: MessageState::Pending(position),
        };
        self.messages.insert(new.id, stored);
        Ok(())
    }

    /// Leases the first visible messages. The nonce must never have been used before.
    pub(crate) fn receive(&mut self, now: Time, most: u32, visibility: Span, nonce: &Arc<str>) -> Vec<RawMessage> {
        self.advance(now);
        let deadline = now.saturating_add(visibility);
        let mut received = Vec::new();
        for _ in 0..most {
            let Some((_, id)) = self.pending.pop_first() else { break };
            received.extend(self.lease(now, id, deadline, nonce));
        }
        received
    }

    /// Leases the message with this id, unless it is leased.
    pub(crate) fn take(&mut self, now: Time, id: &MessageId, visibility: Span, nonce: &Arc<str>) -> Option<RawMessage> {
        self.advance(now);
        if matches!(self.messages.get(id)?.state, MessageState::Leased { .. }) {
            return None;
        }
        self.leave_state(id);
        self.lease(now, id.clone(), now.saturating_add(visibility), nonce)
    }

    /// Leases a message that is in no index of another state.
    fn lease(&mut self, now: Time, id: MessageId, deadline: Time, nonce: &Arc<str>) -> Option<RawMessage> {
        let stored = self.messages.get_mut(&id)?;
        stored.delivery_count = stored.delivery_count.saturating_add(1);
        let first_received_at = *stored.first_received_at.get_or_insert(now);
        stored.state = MessageState::Leased { deadline, nonce: Arc::clone(nonce) };
        if let Some(end) = stored.expires_at {
            self.expires.remove(&(end, id.clone()));
        }
        self.invisible.insert((deadline, id.clone()));
        self.leased += 1;
        Some(RawMessage {
            handle: ReceiptHandle::new(id, Arc::clone(nonce)),
            body: stored.body.clone(),
            reply_to: stored.reply_to.clone(),
            delivery_count: stored.delivery_count,
            uncharged: stored.uncharged,
            enqueued_at: stored.enqueued_at,
            first_received_at,
            deadline,
            lease: deadline.since(now),
            last_error: stored.last_error.clone(),
            verdict: stored.verdict.clone(),
            parts: stored.parts.clone(),
        })
    }

    /// The first messages from this number on, in the order of their sends, and the number from which others follow.
    pub(crate) fn browse(&mut self, now: Time, from: u64, most: usize) -> (Vec<BrowsedMessage>, Option<u64>) {
        self.advance(now);
        let mut rest = self.sent.range(from..);
        let read = |(_, id): (&u64, &MessageId)| {
            let stored = self.messages.get(id)?;
            Some(BrowsedMessage {
                id: id.clone(),
                body: stored.body.clone(),
                reply_to: stored.reply_to.clone(),
                delivery_count: stored.delivery_count,
                enqueued_at: stored.enqueued_at,
                is_leased: matches!(stored.state, MessageState::Leased { .. }),
            })
        };
        let messages = rest.by_ref().take(most).filter_map(read).collect();
        (messages, rest.next().map(|(number, _)| *number))
    }

    pub(crate) fn begin_hand_over(
        &mut self,
        now: Time,
        handle: &ReceiptHandle,
        spec: &HandOverSpec,
    ) -> Result<Time, MachineError> {
        let stored = self.leased(now, handle)?;
        stored.last_error = Some(Arc::from(spec.bounded_error()));
        stored.verdict = Some(spec.verdict.clone());
        self.extend(now, handle, LeaseExtension::to(spec.lease))
    }

    pub(crate) fn acknowledge(&mut self, now: Time, handle: &ReceiptHandle) -> Result<(), MachineError> {
        self.leased(now, handle)?;
        self.remove(handle.id());
        Ok(())
    }

    pub(crate) fn nack(&mut self, now: Time, handle: &ReceiptHandle, spec: &NackSpec) -> Result<(), MachineError> {
        let stored = self.leased(now, handle)?;
        stored.uncharged = stored.uncharged.saturating_add(u32::from(!spec.charge));
        if let Some(error) = spec.bounded_error() {
            stored.last_error = Some(Arc::from(error));
        }
        stored.verdict = spec.verdict.clone().or_else(|| stored.verdict.take());
        if !spec.parts.is_empty() {
            stored.parts.clone_from(&spec.parts);
        }
        if spec.delay.is_zero() {
            self.enter_pending_at_tail(handle.id());
        } else {
            self.leave_state(handle.id());
            let until = now.saturating_add(spec.delay);
            self.invisible.insert((until, handle.id().clone()));
            self.enter(handle.id(), MessageState::Delayed { until });
        }
        // It may have outlived its retention while it was leased.
        self.advance(now);
        Ok(())
    }

    pub(crate) fn release(&mut self, now: Time, handle: &ReceiptHandle) -> Result<(), MachineError> {
        let stored = self.leased(now, handle)?;
        stored.delivery_count = stored.delivery_count.saturating_sub(1);
        if stored.delivery_count == 0 {
            stored.first_received_at = None;
        }
        self.leave_state(handle.id());
        let position = self.pending.first_key_value().map_or(0, |(first, _)| first - 1);
        self.pending.insert(position, handle.id().clone());
        self.enter(handle.id(), MessageState::Pending(position));
        self.advance(now);
        Ok(())
    }

    pub(crate) fn extend(
        &mut self,
        now: Time,
        handle: &ReceiptHandle,
        extension: LeaseExtension,
    ) -> Result<Time, MachineError> {
        let stored = self.leased(now, handle)?;
        let MessageState::Leased { deadline, .. } = &mut stored.state else { return Err(MachineError::Stale) };
        let before = *deadline;
        let new = now.saturating_add(extension.timeout);
        let new = if extension.may_shorten { new } else { new.max(before) };
        *deadline = new;
        self.invisible.remove(&(before, handle.id().clone()));
        self.invisible.insert((new, handle.id().clone()));
        Ok(new)
    }

    /// Whether the handle is valid.
    pub(crate) fn check(&mut self, now: Time, handle: &ReceiptHandle) -> Result<(), MachineError> {
        self.leased(now, handle).map(|_| ())
    }

    /// Removes everything but the memory of accepted ids, and returns the number of messages.
    pub(crate) fn purge(&mut self, now: Time) -> u64 {
        self.advance(now);
        let removed = self.messages.len() as u64;
        self.messages.clear();
        self.sent.clear();
        self.pending.clear();
        self.invisible.clear();
        self.expires.clear();
        self.leased = 0;
        removed
    }

    pub(crate) fn counts(&mut self, now: Time) -> MailboxCounts {
        self.advance(now);
        let leased = self.leased;
        MailboxCounts { pending: self.pending.len() as u64, leased, delayed: self.invisible.len() as u64 - leased }
    }

    /// Whether there is neither a message nor a remembered id.
    pub(crate) fn is_empty(&mut self, now: Time) -> bool {
        self.advance(now);
        self.messages.is_empty() && self.accepted.is_empty()
    }

    /// When the next message becomes visible without an operation.
    pub(crate) fn next_due(&self) -> Option<Time> {
        self.invisible.first().map(|(due, _)| *due)
    }

    pub(crate) fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Every index that is not empty, but for the memory of accepted ids.
    #[cfg(feature = "conformance")]
    pub(crate) fn stored(&self) -> Vec<String> {
        let Self { messages, sent, pending, invisible, expires, leased, .. } = self;
        let sizes = [
            ("messages", messages.len() as u64),
            ("sent", sent.len() as u64),
            ("pending", pending.len() as u64),
            ("invisible", invisible.len() as u64),
            ("expires", expires.len() as u64),
            ("leased", *leased),
        ];
        sizes.iter().filter(|(_, size)| *size > 0).map(|(index, size)| format!("{index}: {size}")).collect()
    }

    #[cfg(feature = "conformance")]
    pub(crate) fn bodies(&self) -> impl Iterator<Item = &Bytes> {
        self.messages.values().map(|stored| &stored.body)
    }

    /// How many messages outlived their retention since the last call.
    pub(crate) fn take_expired(&mut self) -> u64 {
        std::mem::take(&mut self.expired)
    }

    /// The message of a valid handle.
    fn leased(&mut self, now: Time, handle: &ReceiptHandle) -> Result<&mut Stored, MachineError> {
        self.advance(now);
        let stored = self.messages.get_mut(handle.id()).ok_or(MachineError::Stale)?;
        match &stored.state {
            MessageState::Leased { nonce, .. } if **nonce == *handle.nonce() => Ok(stored),
            _ => Err(MachineError::Stale),
        }
    }

    /// The position after the last one.
    fn tail(&self) -> i64 {
        self.pending.last_key_value().map_or(0, |(last, _)| last + 1)
    }

    fn enter_pending_at_tail(&mut self, id: &MessageId) {
        self.leave_state(id);
        let position = self.tail();
        self.pending.insert(position, id.clone());
        self.enter(id, MessageState::Pending(position));
    }

    /// Removes a message from the index of its state.
    fn leave_state(&mut self, id: &MessageId) {
        let Some(stored) = self.messages.get(id) else { return };
        match &stored.state {
            MessageState::Pending(position) => drop(self.pending.remove(position)),
            state @ (MessageState::Leased { .. } | MessageState::Delayed { .. }) => {
                self.leased -= u64::from(matches!(state, MessageState::Leased { .. }));
                if let Some(due) = state.due() {
                    self.invisible.remove(&(due, id.clone()));
                }
            }
        }
    }

    /// Sets a state other than leased, in which the retention counts. It does not for a message that waits for its
    /// hand-over: until its letter exists, it is the only trace of the failure.
    fn enter(&mut self, id: &MessageId, state: MessageState) {
        let Some(stored) = self.messages.get_mut(id) else { return };
        stored.state = state;
        if let Some(end) = stored.expires_at.filter(|_| stored.verdict.is_none()) {
            self.expires.insert((end, id.clone()));
        }
    }

    fn remove(&mut self, id: &MessageId) {
        self.leave_state(id);
        let Some(stored) = self.messages.remove(id) else { return };
        self.sent.remove(&stored.number);
        if let Some(end) = stored.expires_at {
            self.expires.remove(&(end, id.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;
    use std::sync::Arc;

    use redrive_store::{Clock, SystemClock};

    use super::*;

    const START: Time = Time::from_secs(1_800_000_000);

    fn submission(id: &str) -> Submission {
        Submission { id: MessageId::new(id).unwrap(), is_explicit: true, body: Bytes::new(), reply_to: None }
    }

    fn at(secs: u64) -> Time {
        START.saturating_add(Span::from_secs(secs))
    }

    /// No index keeps what a removed message left.
    #[test]
    fn nothing_is_left_in_any_index_when_the_last_message_is_gone() {
        let mut machine =
            Machine::new(MailboxSettings { retention: Span::from_secs(100), ..MailboxSettings::default() });
        for id in ["acked", "expired while pending", "expired while delayed", "expired after its lease"] {
            machine.send(START, submission(id)).unwrap();
        }
        let nonce = Arc::from("n");
        let received = machine.receive(at(1), 10, Span::from_secs(200), &nonce);
        machine.acknowledge(at(2), &received[0].handle).unwrap();
        machine.nack(at(2), &received[1].handle, &NackSpec::default()).unwrap();
        machine.nack(at(2), &received[2].handle, &NackSpec::after(Span::from_secs(500))).unwrap();
        assert_eq!(machine.counts(at(99)), MailboxCounts { pending: 1, leased: 1, delayed: 1 });
        assert_eq!(machine.counts(at(100)), MailboxCounts { pending: 0, leased: 1, delayed: 0 });
        assert_eq!(machine.counts(at(201)), MailboxCounts::default());
        assert_eq!(machine.take_expired(), 3);
        let Machine { messages, sent, pending, invisible, expires, accepted, accepted_until, leased, .. } = &machine;
        assert!(sent.is_empty(), "{machine:?}");
        assert!(messages.is_empty() && pending.is_empty() && invisible.is_empty() && expires.is_empty(), "{machine:?}");
        assert!(accepted.is_empty() && accepted_until.is_empty() && *leased == 0, "{machine:?}");
    }

    #[test]
    fn a_message_that_outlived_its_retention_makes_room() {
        let settings = MailboxSettings {
            capacity: NonZeroU64::new(1),
            retention: Span::from_secs(10),
            ..MailboxSettings::default()
        };
        let mut machine = Machine::new(settings);
        machine.send(START, submission("a")).unwrap();
        assert_eq!(machine.send(at(9), submission("b")), Err(MachineError::Full));
        assert_eq!(machine.send(at(10), submission("b")), Ok(()));
    }
    /// How long it takes to browse this many messages, page by page.
    fn browsing_time(messages: u64) -> Span {
        let mut machine = Machine::new(MailboxSettings::default());
        for number in 0..messages {
            machine.send(START, submission(&number.to_string())).unwrap();
        }
        let start = SystemClock.monotonic();
        let (mut found, mut from) = (0, Some(0));
        while let Some(number) = from {
            let (page, next) = machine.browse(START, number, 10);
            found += page.len() as u64;
            from = next;
        }
        assert_eq!(found, messages);
        SystemClock.monotonic().since(start)
    }

    /// With 16 times as many messages, a page that looks at all of them would take 256 times as long for all pages.
    #[test]
    fn the_time_to_browse_a_mailbox_grows_with_its_messages_and_not_with_their_square() {
        let fastest = |messages| (0..5).map(|_| browsing_time(messages)).min().unwrap();
        let (few, many) = (fastest(1000), fastest(16_000));
        assert!(many < few.saturating_mul(80), "{few} for 1000 messages, {many} for 16 000");
    }
}
