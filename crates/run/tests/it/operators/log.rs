//! The log of all requests and replies, by letter.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use redrive_core::{CaptureReason, ItemId, LetterId};
use redrive_model::{Content, DeadCause, ItemInfo, NewLetter, Rejection, RetryAt, SettleAction, StoredItem};
use redrive_store::{Clock, ManualClock, Reply, Request, StoreError};

use super::coverage::Coverage;
use super::letter::{ClaimResult, Letter, LetterOp, LetterReply, LetterView};
use super::linearize::Entry;

#[derive(Debug)]
pub(super) struct RequestLog {
    clock: ManualClock,
    inner: Mutex<Inner>,
}

/// The number of an open request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RequestNumber(usize);

#[derive(Debug, Default)]
pub(super) struct Inner {
    points: usize,
    open: BTreeMap<RequestNumber, Request>,
    pub(super) letters: BTreeMap<LetterId, Vec<Entry>>,
    /// Claims without a reply: each may have claimed any letter.
    claims_without_reply: Vec<Entry>,
    /// Captures without a reply, until their letter is listed.
    captures_without_reply: Vec<(Box<str>, Entry)>,
    fences: BTreeMap<ItemId, LetterId>,
    /// Claims by letter and number of the delivery.
    claims: BTreeMap<(LetterId, u32), Claimed>,
    /// Work that a handler reported as done.
    done: BTreeSet<(LetterId, String)>,
    /// The current step of the scenario.
    pub(super) step: u64,
    pub(super) total: u64,
    pub(super) problems: Vec<String>,
    pub(super) coverage: Coverage,
}

#[derive(Debug, Clone, Copy)]
struct Claimed {
    step: u64,
    is_unknown: bool,
    has_begun: bool,
}

impl RequestLog {
    pub(super) fn new(clock: &ManualClock) -> Self {
        Self { clock: clock.clone(), inner: Mutex::default() }
    }

    pub(super) fn read(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin(&self, request: Request) -> RequestNumber {
        let mut inner = self.read();
        inner.points += 1;
        inner.total += 1;
        let number = RequestNumber(inner.points);
        inner.open.insert(number, request);
        number
    }

    /// Records the end of a request; `answer` is `None` if the reply was not received.
    pub(super) fn end(&self, number: RequestNumber, answer: Option<&Result<Reply, StoreError>>) {
        let mut inner = self.read();
        let Some(request) = inner.open.remove(&number) else { return };
        inner.points += 1;
        let interval = Interval { begun: number.0, ended: inner.points, at: self.clock.now() };
        inner.record(interval, request, answer);
    }

    /// Ends every open request without a reply: the store crashes, and each may have taken effect before.
    pub(super) fn end_all(&self) {
        let open: Vec<RequestNumber> = self.read().open.keys().copied().collect();
        for number in open {
            self.end(number, None);
        }
    }

    /// Whether a request is open, except claims, which wait for due letters.
    pub(super) fn is_busy(&self) -> bool {
        self.read().open.values().any(|request| !matches!(request, Request::ClaimDue(_)))
    }

    /// Records the begin of a handler.
    pub(super) fn begin_work(&self, letter: LetterId, delivery: u32, body: &str) {
        let mut inner = self.read();
        let (step, is_done) = (inner.step, inner.done.contains(&(letter, body.to_owned())));
        let problem = match inner.claims.get_mut(&(letter, delivery)) {
            None => Some("without a claim"),
            Some(claimed) if claimed.has_begun => Some("twice under one claim"),
            // After an archive or purge in a later step, no handler may begin.
            Some(claimed) if claimed.step != step => Some("long after its claim"),
            Some(claimed) if is_done && !claimed.is_unknown => {
                Some("after it was done, without the flag for an unknown outcome")
            }
            Some(claimed) => {
                claimed.has_begun = true;
                None
            }
        };
        inner.coverage.count(if is_done { "work: repeated, outcome flagged as unknown" } else { "work: begun" });
        if let Some(problem) = problem {
            inner.problems.push(format!("letter {letter} was tried {problem} (delivery {delivery})"));
        }
    }

    pub(super) fn record_done(&self, letter: LetterId, body: String) {
        self.read().done.insert((letter, body));
    }

    /// The history of every letter, and the claims without a reply.
    pub(super) fn histories(&self) -> (BTreeMap<LetterId, Vec<Entry>>, Vec<Entry>) {
        let inner = self.read();
        (inner.letters.clone(), inner.claims_without_reply.clone())
    }
}

/// The time between the begin and the end of a request.
#[derive(Clone, Copy)]
struct Interval {
    begun: usize,
    ended: usize,
    at: redrive_core::Time,
}

impl Interval {
    fn entry(self, op: LetterOp, reply: Option<LetterReply>) -> Entry {
        Entry { op, reply, begun: self.begun, ended: self.ended, at: self.at }
    }
}

impl Inner {
    fn push(&mut self, letter: LetterId, interval: Interval, op: LetterOp, reply: Option<LetterReply>) {
        self.coverage.count_op(&op, reply.as_ref());
        self.letters.entry(letter).or_default().push(interval.entry(op, reply));
    }

    fn record(&mut self, interval: Interval, request: Request, answer: Option<&Result<Reply, StoreError>>) {
        // Any error but a rejection leaves open whether the request took effect.
        let answer =
            answer.filter(|answer| matches!(answer, Ok(_) | Err(StoreError::Rejected(_) | StoreError::TimedOut)));
        match request {
            Request::Capture(capture) => {
                for (index, new) in capture.letters.iter().enumerate() {
                    let captured = match answer {
                        Some(Ok(Reply::Capture(captured))) => captured.get(index).copied(),
                        Some(_) => continue,
                        None => None,
                    };
                    self.captured(interval, new.clone(), captured);
                }
            }
            Request::ClaimDue(claim) => {
                let op = LetterOp::Claim { lease: claim.lease };
                match answer {
                    Some(Ok(Reply::ClaimDue(claimed))) => self.claimed(interval, &claimed.letters, &op),
                    Some(_) => {}
                    None => self.claims_without_reply.push(interval.entry(op, None)),
                }
            }
            Request::ClaimById(claim) => {
                let op = LetterOp::ManualClaim { lease: claim.lease };
                match answer {
                    Some(Ok(Reply::ClaimById(claimed))) => self.claimed(interval, &claimed.letters, &op),
                    answer => self.push(claim.letters[0].id, interval, op, answer.map(reply_of)),
                }
            }
            Request::Archive(archive) => {
                self.push(archive.letters[0], interval, LetterOp::Archive, answer.map(reply_of));
            }
            Request::Restore(restore) => {
                self.push(restore.letters[0], interval, LetterOp::Restore, answer.map(reply_of));
            }
            Request::Purge(purge) => self.push(purge.letters[0], interval, LetterOp::Purge, answer.map(reply_of)),
            Request::Edit(edit) => {
                let content = edit.content.as_ref().expect("every edit here has a content");
                let body = text(&content.payload);
                let op = LetterOp::Edit { body, max_retries: edit.max_retries.unwrap_or_default() };
                self.push(edit.letter, interval, op, answer.map(reply_of));
            }
            Request::Settle(settle) => self.settled(interval, settle.items, answer),
            Request::Extend(extend) => self.extended(interval, &extend, answer),
            Request::GetLetter(get) => {
                let reply = answer.map(|answer| match answer {
                    Ok(Reply::GetLetter(letter)) => LetterReply::View(view(&letter.info, &letter.content)),
                    answer => reply_of(answer),
                });
                self.push(get.letter, interval, LetterOp::Read, reply);
            }
            Request::ListLetters(_) => {
                if let Some(Ok(Reply::ListLetters(items))) = answer {
                    self.listed(interval, items);
                }
            }
            _ => {}
        }
    }

    fn captured(&mut self, interval: Interval, new: NewLetter, captured: Option<redrive_model::Captured>) {
        let max_retries = new.max_retries;
        let letter = Letter::new(text(&new.content.payload), new.policy, max_retries, interval.at);
        let op = LetterOp::Capture(Box::new(letter));
        match captured {
            None => {
                self.coverage.count("capture: no reply");
                self.captures_without_reply.push((new.source_id, interval.entry(op, None)));
            }
            Some(captured) if captured.reason == CaptureReason::Enqueued => {
                self.push(captured.letter, interval, op, Some(LetterReply::Done));
            }
            Some(captured) if captured.reason == CaptureReason::Merged => {
                self.push(captured.letter, interval, LetterOp::Merge, Some(LetterReply::Done));
            }
            Some(captured) => self.problems.push(format!("unexpected result of a capture: {captured:?}")),
        }
    }

    fn claimed(&mut self, interval: Interval, items: &[StoredItem], op: &LetterOp) {
        let (LetterOp::Claim { lease } | LetterOp::ManualClaim { lease }) = op else { return };
        for item in items {
            let letter = item.info.letter.as_ref().expect("the queue has letters only");
            let deadline = item.info.state.lease_deadline().expect("the letter is claimed");
            let at = redrive_core::Time::from_micros(deadline.as_micros() - i64::try_from(lease.as_micros()).unwrap());
            let is_unknown = letter.is_outcome_unknown;
            self.fences.insert(item.info.id, letter.id);
            let claimed = Claimed { step: self.step, is_unknown, has_begun: false };
            self.claims.insert((letter.id, item.info.deliveries + 1), claimed);
            self.push(
                letter.id,
                interval,
                op.clone(),
                Some(LetterReply::Claimed { fence: item.info.id, at, is_unknown }),
            );
        }
    }

    fn settled(
        &mut self,
        interval: Interval,
        items: Vec<redrive_model::Settlement>,
        answer: Option<&Result<Reply, StoreError>>,
    ) {
        for (index, item) in items.into_iter().enumerate() {
            let reply = match answer {
                Some(Ok(Reply::Settle(answers))) => match answers.get(index) {
                    Some(Ok(_)) => Some(LetterReply::Done),
                    Some(Err(_)) => Some(LetterReply::Stale),
                    // Items after one that was rejected were not settled.
                    None => continue,
                },
                Some(_) => continue,
                None => None,
            };
            let letter = self.fences.get(&item.id).copied().expect("only the holder of a claim settles");
            self.push(letter, interval, LetterOp::Settle { fence: item.id, result: result_of(&item.action) }, reply);
        }
    }

    fn extended(
        &mut self,
        interval: Interval,
        extend: &redrive_model::Extend,
        answer: Option<&Result<Reply, StoreError>>,
    ) {
        let lease = extend.lease.expect("a runner sets the lease");
        for (index, fence) in extend.ids.iter().enumerate() {
            let reply = match answer {
                Some(Ok(Reply::Extend(deadlines))) => match &deadlines[index] {
                    Ok(deadline) => Some(LetterReply::Deadline(*deadline)),
                    Err(Rejection::NotLeased { .. } | Rejection::NoSuchItem(_)) => Some(LetterReply::Stale),
                    Err(_) => continue,
                },
                Some(_) => continue,
                None => None,
            };
            let letter = self.fences.get(fence).copied().expect("only the holder of a claim extends it");
            self.push(letter, interval, LetterOp::Extend { fence: *fence, lease }, reply);
        }
    }

    /// Records a list of all letters.
    fn listed(&mut self, interval: Interval, items: &[StoredItem]) {
        let mut live = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for item in items {
            let letter = item.info.letter.as_ref().expect("the queue has letters only");
            let source = item.info.source_id.clone().unwrap_or_default();
            if !self.letters.contains_key(&letter.id) {
                self.first_listed(item);
            }
            if letter.status.is_live() && !live.insert(source.clone()) {
                self.problems.push(format!("two live letters have the source id {source}"));
            }
            seen.insert(letter.id);
            self.push(letter.id, interval, LetterOp::Read, Some(LetterReply::View(view(&item.info, &item.content))));
        }
        // A capture that ended before the list and is not in it never took effect.
        self.captures_without_reply.retain(|(_, entry)| entry.ended >= interval.begun);
        let is_older = |entries: &Vec<Entry>| entries.first().is_some_and(|entry| entry.ended < interval.begun);
        let older = self.letters.iter().filter(|(_, entries)| is_older(entries)).map(|(letter, _)| *letter);
        let missing: Vec<LetterId> = older.filter(|letter| !seen.contains(letter)).collect();
        for letter in missing {
            self.push(letter, interval, LetterOp::Read, Some(LetterReply::NoSuchLetter));
        }
    }

    /// Assigns a new letter to its capture, whose reply was not received.
    fn first_listed(&mut self, item: &StoredItem) {
        let letter = item.info.letter.as_ref().expect("the queue has letters only");
        let body = text(&item.content.payload);
        let matches = |(source, entry): &(Box<str>, Entry)| {
            let LetterOp::Capture(captured) = &entry.op else { return false };
            let has_same_policy = captured.policy == letter.policy && captured.max_retries == letter.max_retries;
            item.info.source_id.as_ref() == Some(source) && captured.view.body == body && has_same_policy
        };
        match self.captures_without_reply.iter().position(matches) {
            Some(index) => {
                let (_, entry) = self.captures_without_reply.remove(index);
                self.coverage.count("capture: no reply, letter exists");
                self.letters.insert(letter.id, vec![entry]);
            }
            None => self.problems.push(format!("letter {} has no capture", letter.id)),
        }
    }
}

fn reply_of(answer: &Result<Reply, StoreError>) -> LetterReply {
    match answer {
        Ok(Reply::Archive(0) | Reply::Restore(0) | Reply::Purge(0)) => LetterReply::Unchanged,
        Ok(_) => LetterReply::Done,
        Err(StoreError::Rejected(Rejection::LetterConflict { status, .. })) => LetterReply::Conflict(*status),
        Err(StoreError::Rejected(Rejection::NoSuchLetter(_))) => LetterReply::NoSuchLetter,
        Err(StoreError::Rejected(Rejection::SourceHeld { .. })) => LetterReply::SourceIdInUse,
        Err(error) => panic!("unexpected error: {error}"),
    }
}

fn view(info: &ItemInfo, content: &Content) -> LetterView {
    let letter = info.letter.as_ref().expect("the queue has letters only");
    LetterView {
        status: letter.status,
        retries: letter.retries,
        total_attempts: letter.total_attempts,
        next_retry_at: letter.next_retry_at,
        is_unknown: letter.is_outcome_unknown,
        body: text(&content.payload),
    }
}

fn result_of(action: &SettleAction) -> ClaimResult {
    match action {
        SettleAction::Complete { .. } => ClaimResult::Done,
        SettleAction::Retry { at: RetryAt::Decided(at), charged, .. } => {
            ClaimResult::Retry { at: *at, is_charged: *charged }
        }
        SettleAction::Retry { at: RetryAt::Undecided(_) | RetryAt::After(_), .. } => {
            panic!("a runner decides the time of a retry")
        }
        SettleAction::Dead { why: DeadCause::Permanent, .. } => ClaimResult::Permanent,
        SettleAction::Dead { why: DeadCause::Exhausted, .. } => ClaimResult::Exhausted,
        SettleAction::Dead { why: DeadCause::Spent, .. } => ClaimResult::Spent,
        SettleAction::Release => ClaimResult::Release,
        SettleAction::Defer { until } => ClaimResult::Defer { until: *until },
        SettleAction::Lost => panic!("a runner reports no lost claims"),
        SettleAction::RedeliverForHandOver { .. } => panic!("a letter is already in its dead queue"),
        SettleAction::Note { .. } => panic!("a runner leaves no notes"),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
