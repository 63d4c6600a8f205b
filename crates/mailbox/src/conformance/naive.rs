//! The naive model: a list of messages that every operation scans.

use std::collections::HashMap;

use bytes::Bytes;
use redrive_core::{Span, Time};

use crate::{
    HandOverSpec, LeaseExtension, MailboxCounts, MailboxSettings, MessageId, NackSpec, NewMessage, RawMessage,
    ReceiptHandle, Verdict,
};

#[derive(Debug)]
pub(super) struct NaiveMailbox {
    settings: MailboxSettings,
    /// In the order of their sends.
    messages: Vec<NaiveMessage>,
    accepted: HashMap<MessageId, Time>,
}

#[derive(Debug, Clone)]
struct NaiveMessage {
    id: MessageId,
    body: Bytes,
    enqueued_at: Time,
    first_received_at: Option<Time>,
    count: u32,
    uncharged: u32,
    last_error: Option<String>,
    verdict: Option<Verdict>,
    parts: Vec<String>,
    state: NaiveState,
    /// It was received before, even if that was undone.
    was_received: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum NaiveState {
    Pending,
    Leased(ReceiptHandle, Time),
    Delayed(Time),
}

impl NaiveMailbox {
    pub(super) fn new(settings: MailboxSettings) -> Self {
        Self { settings, messages: Vec::new(), accepted: HashMap::new() }
    }

    pub(super) fn pass_time(&mut self, now: Time) {
        let kept = self.settings.retention;
        for message in &mut self.messages {
            match message.state {
                NaiveState::Leased(_, due) | NaiveState::Delayed(due) if due <= now => {
                    message.state = NaiveState::Pending;
                }
                _ => {}
            }
        }
        self.messages.retain(|message| {
            let is_leased = matches!(message.state, NaiveState::Leased(..));
            is_leased || message.verdict.is_some() || kept.is_zero() || message.enqueued_at.saturating_add(kept) > now
        });
        self.accepted.retain(|_, until| *until > now);
    }

    /// Whether the mailbox accepts this explicit id without effect.
    pub(super) fn has_accepted(&self, id: &MessageId) -> bool {
        self.accepted.contains_key(id) || self.messages.iter().any(|message| message.id == *id)
    }

    pub(super) fn is_full(&self) -> bool {
        self.settings.capacity.is_some_and(|most| self.messages.len() as u64 >= most.get())
    }

    /// Adds a message that the backend has accepted.
    pub(super) fn sent(&mut self, now: Time, id: MessageId, message: &NewMessage) {
        if message.id.is_some() {
            if self.has_accepted(&id) {
                return;
            }
            self.accepted.insert(id.clone(), now.saturating_add(self.settings.marker_retention()));
        }
        assert!(!self.is_full(), "a full mailbox accepted {id}");
        self.messages.push(NaiveMessage {
            id,
            body: message.body.clone(),
            enqueued_at: now,
            first_received_at: None,
            count: 0,
            uncharged: 0,
            last_error: None,
            verdict: None,
            parts: Vec::new(),
            state: NaiveState::Pending,
            was_received: false,
        });
    }

    /// Checks what a receive returned, and applies it. The order of messages that were received before is free.
    pub(super) fn received(&mut self, now: Time, most: u32, visibility: Span, got: &[RawMessage]) {
        let visible = self.messages.iter().filter(|message| message.state == NaiveState::Pending);
        assert_eq!(got.len(), visible.count().min(most as usize), "number of messages: {self:#?}");
        let is_new = |message: &&NaiveMessage| message.state == NaiveState::Pending && !message.was_received;
        let expected_new: Vec<MessageId> =
            self.messages.iter().filter(is_new).map(|message| message.id.clone()).collect();
        let new: Vec<MessageId> =
            got.iter().map(|message| message.id().clone()).filter(|id| expected_new.contains(id)).collect();
        assert_eq!(new, expected_new[..new.len()], "first deliveries are in order");
        for message in got {
            assert_eq!(self.find(message.id()).state, NaiveState::Pending, "{message:?}");
            self.lease(now, visibility, message);
        }
        // A lease of zero has ended.
        self.pass_time(now);
    }

    /// Whether a message with this id exists and no receiver has it.
    pub(super) fn can_take(&self, id: &MessageId) -> bool {
        let found = self.messages.iter().find(|message| message.id == *id);
        found.is_some_and(|message| !matches!(message.state, NaiveState::Leased(..)))
    }

    /// Checks a message that was taken by its id, and applies it.
    pub(super) fn taken(&mut self, now: Time, visibility: Span, taken: &RawMessage) {
        self.lease(now, visibility, taken);
        self.pass_time(now);
    }

    fn lease(&mut self, now: Time, visibility: Span, message: &RawMessage) {
        let deadline = now.saturating_add(visibility);
        let naive = self.find(message.id());
        assert!(!matches!(naive.state, NaiveState::Leased(..)), "{message:?}");
        naive.count += 1;
        naive.was_received = true;
        naive.state = NaiveState::Leased(message.handle.clone(), deadline);
        let first_received_at = *naive.first_received_at.get_or_insert(now);
        assert_eq!(message.body, naive.body);
        assert_eq!((message.delivery_count, message.uncharged), (naive.count, naive.uncharged), "{message:?}");
        assert_eq!((message.enqueued_at, message.first_received_at), (naive.enqueued_at, first_received_at));
        assert_eq!(message.last_error.as_deref(), naive.last_error.as_deref());
        assert_eq!(message.verdict, naive.verdict);
        assert_eq!((message.deadline, &message.parts), (deadline, &naive.parts));
    }

    pub(super) fn is_valid(&self, handle: &ReceiptHandle) -> bool {
        self.messages.iter().any(|message| matches!(&message.state, NaiveState::Leased(valid, _) if valid == handle))
    }

    pub(super) fn remove(&mut self, id: &MessageId) {
        self.messages.retain(|message| message.id != *id);
    }

    pub(super) fn nacked(&mut self, now: Time, id: &MessageId, spec: &NackSpec) {
        let message = self.find(id);
        message.uncharged += u32::from(!spec.charge);
        message.last_error = spec.last_error.clone().or_else(|| message.last_error.take());
        message.verdict = spec.verdict.clone().or_else(|| message.verdict.take());
        if !spec.parts.is_empty() {
            message.parts.clone_from(&spec.parts);
        }
        message.state = NaiveState::Delayed(now.saturating_add(spec.delay));
        self.pass_time(now);
    }

    pub(super) fn released(&mut self, now: Time, id: &MessageId) {
        let message = self.find(id);
        message.count -= 1;
        if message.count == 0 {
            message.first_received_at = None;
        }
        message.state = NaiveState::Pending;
        self.pass_time(now);
    }

    pub(super) fn began_hand_over(&mut self, now: Time, id: &MessageId, spec: &HandOverSpec) -> Time {
        let message = self.find(id);
        message.last_error = Some(spec.error.clone());
        message.verdict = Some(spec.verdict.clone());
        self.extended(now, id, LeaseExtension::to(spec.lease))
    }

    /// Applies an extension, and returns the expected deadline.
    pub(super) fn extended(&mut self, now: Time, id: &MessageId, extension: LeaseExtension) -> Time {
        let NaiveState::Leased(_, deadline) = &mut self.find(id).state else { panic!("{id} is not leased") };
        let new = now.saturating_add(extension.timeout);
        *deadline = if extension.may_shorten { new } else { new.max(*deadline) };
        let expected = *deadline;
        self.pass_time(now);
        expected
    }

    pub(super) fn purged(&mut self) -> u64 {
        let count = self.messages.len() as u64;
        self.messages.clear();
        count
    }

    pub(super) fn counts(&self) -> MailboxCounts {
        let count =
            |is: fn(&NaiveState) -> bool| self.messages.iter().filter(|message| is(&message.state)).count() as u64;
        MailboxCounts {
            pending: count(|state| matches!(state, NaiveState::Pending)),
            leased: count(|state| matches!(state, NaiveState::Leased(..))),
            delayed: count(|state| matches!(state, NaiveState::Delayed(_))),
        }
    }

    fn find(&mut self, id: &MessageId) -> &mut NaiveMessage {
        let found = self.messages.iter_mut().find(|message| message.id == *id);
        found.unwrap_or_else(|| panic!("{id} is gone in the model"))
    }
}
