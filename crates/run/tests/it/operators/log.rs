//! Everything that was asked and told, letter by letter.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use redrive_core::{CaptureReason, ItemId, LetterId};
use redrive_model::{Content, DeadCause, ItemInfo, NewLetter, Rejection, RetryAt, SettleAction, StoredItem};
use redrive_store::{Clock, ManualClock, Reply, Request, StoreError};

use super::letter::{Ask, End, Letter, Told, View};
use super::order::Entry;
use super::tally::Tally;

#[derive(Debug)]
pub(super) struct Log {
    clock: ManualClock,
    inner: Mutex<Inner>,
}

/// The number of a request that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ticket(usize);

#[derive(Debug, Default)]
pub(super) struct Inner {
    points: usize,
    open: BTreeMap<Ticket, Request>,
    pub(super) letters: BTreeMap<LetterId, Vec<Entry>>,
    /// Claims whose answer was not heard: any letter may have been taken.
    unheard_claims: Vec<Entry>,
    /// Captures whose answer was not heard, until their letter is seen.
    unheard_captures: Vec<(Box<str>, Entry)>,
    fences: BTreeMap<ItemId, LetterId>,
    /// Claims by the number of the delivery.
    claims: BTreeMap<(LetterId, u32), Claimed>,
    /// What was done already, by a handler's own word.
    done: BTreeSet<(LetterId, String)>,
    /// The steps of the play.
    pub(super) step: u64,
    pub(super) total: u64,
    pub(super) problems: Vec<String>,
    pub(super) tally: Tally,
}

#[derive(Debug, Clone, Copy)]
struct Claimed {
    step: u64,
    is_unknown: bool,
    has_begun: bool,
}

impl Log {
    pub(super) fn new(clock: &ManualClock) -> Self {
        Self { clock: clock.clone(), inner: Mutex::default() }
    }

    pub(super) fn read(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn begin(&self, request: Request) -> Ticket {
        let mut inner = self.read();
        inner.points += 1;
        inner.total += 1;
        let ticket = Ticket(inner.points);
        inner.open.insert(ticket, request);
        ticket
    }

    /// A request was answered, or nobody heard how.
    pub(super) fn end(&self, ticket: Ticket, answer: Option<&Result<Reply, StoreError>>) {
        let mut inner = self.read();
        let Some(request) = inner.open.remove(&ticket) else { return };
        inner.points += 1;
        let told = Heard { begun: ticket.0, ended: inner.points, at: self.clock.now() };
        inner.write_down(told, request, answer);
    }

    /// The store ends here: what is open may have been done before, and is not any more.
    pub(super) fn end_all(&self) {
        let open: Vec<Ticket> = self.read().open.keys().copied().collect();
        for ticket in open {
            self.end(ticket, None);
        }
    }

    /// Whether somebody waits for an answer, apart from those who wait for letters.
    pub(super) fn is_busy(&self) -> bool {
        self.read().open.values().any(|request| !matches!(request, Request::ClaimDue(_)))
    }

    /// A handler begins.
    pub(super) fn begin_work(&self, letter: LetterId, delivery: u32, body: &str) {
        let mut inner = self.read();
        let (step, is_done) = (inner.step, inner.done.contains(&(letter, body.to_owned())));
        let problem = match inner.claims.get_mut(&(letter, delivery)) {
            None => Some("without a claim"),
            Some(claimed) if claimed.has_begun => Some("twice under one claim"),
            // Whoever archives or purges in a later step must find that nothing begins any more.
            Some(claimed) if claimed.step != step => Some("long after its claim"),
            Some(claimed) if is_done && !claimed.is_unknown => Some("after it was done, and nobody was told"),
            Some(claimed) => {
                claimed.has_begun = true;
                None
            }
        };
        inner.tally.count(if is_done { "work: again, and told so" } else { "work: begun" });
        if let Some(problem) = problem {
            inner.problems.push(format!("letter {letter} was tried {problem} (delivery {delivery})"));
        }
    }

    pub(super) fn did(&self, letter: LetterId, body: String) {
        self.read().done.insert((letter, body));
    }

    /// The story of every letter, and the claims whose answer was not heard.
    pub(super) fn stories(&self) -> (BTreeMap<LetterId, Vec<Entry>>, Vec<Entry>) {
        let inner = self.read();
        (inner.letters.clone(), inner.unheard_claims.clone())
    }
}

/// When a request was open.
#[derive(Clone, Copy)]
struct Heard {
    begun: usize,
    ended: usize,
    at: redrive_core::Time,
}

impl Heard {
    fn entry(self, ask: Ask, told: Option<Told>) -> Entry {
        Entry { ask, told, begun: self.begun, ended: self.ended, at: self.at }
    }
}

impl Inner {
    fn note(&mut self, letter: LetterId, heard: Heard, ask: Ask, told: Option<Told>) {
        self.tally.asked(&ask, told.as_ref());
        self.letters.entry(letter).or_default().push(heard.entry(ask, told));
    }

    fn write_down(&mut self, heard: Heard, request: Request, answer: Option<&Result<Reply, StoreError>>) {
        // An error that is no refusal does not say what was done.
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
                    self.captured(heard, new.clone(), captured);
                }
            }
            Request::ClaimDue(claim) => {
                let ask = Ask::Claim { lease: claim.lease };
                match answer {
                    Some(Ok(Reply::ClaimDue(claimed))) => self.taken(heard, &claimed.letters, &ask),
                    Some(_) => {}
                    None => self.unheard_claims.push(heard.entry(ask, None)),
                }
            }
            Request::ClaimById(claim) => {
                let ask = Ask::ClaimByHand { lease: claim.lease };
                match answer {
                    Some(Ok(Reply::ClaimById(claimed))) => self.taken(heard, &claimed.letters, &ask),
                    answer => self.note(claim.letters[0].id, heard, ask, answer.map(told)),
                }
            }
            Request::Archive(archive) => self.note(archive.letters[0], heard, Ask::Archive, answer.map(told)),
            Request::Restore(restore) => self.note(restore.letters[0], heard, Ask::Restore, answer.map(told)),
            Request::Purge(purge) => self.note(purge.letters[0], heard, Ask::Purge, answer.map(told)),
            Request::Edit(edit) => {
                let content = edit.content.as_ref().expect("an edit of these plays has a content");
                let body = text(&content.payload);
                let ask = Ask::Edit { body, max_retries: edit.max_retries.unwrap_or_default() };
                self.note(edit.letter, heard, ask, answer.map(told));
            }
            Request::Settle(settle) => self.settled(heard, settle.items, answer),
            Request::Extend(extend) => self.extended(heard, &extend, answer),
            Request::GetLetter(get) => {
                let told = answer.map(|answer| match answer {
                    Ok(Reply::GetLetter(letter)) => Told::Seen(view(&letter.info, &letter.content)),
                    answer => told(answer),
                });
                self.note(get.letter, heard, Ask::Look, told);
            }
            Request::ListLetters(_) => {
                if let Some(Ok(Reply::ListLetters(items))) = answer {
                    self.listed(heard, items);
                }
            }
            _ => {}
        }
    }

    fn captured(&mut self, heard: Heard, new: NewLetter, captured: Option<redrive_model::Captured>) {
        let max_retries = new.max_retries;
        let letter = Letter::new(text(&new.content.payload), new.policy, max_retries, heard.at);
        let ask = Ask::Capture(Box::new(letter));
        match captured {
            None => {
                self.tally.count("capture: unheard");
                self.unheard_captures.push((new.source_id, heard.entry(ask, None)));
            }
            Some(captured) if captured.reason == CaptureReason::Enqueued => {
                self.note(captured.letter, heard, ask, Some(Told::Done));
            }
            Some(captured) if captured.reason == CaptureReason::Merged => {
                self.note(captured.letter, heard, Ask::Merge, Some(Told::Done));
            }
            Some(captured) => self.problems.push(format!("a capture became {captured:?}")),
        }
    }

    fn taken(&mut self, heard: Heard, items: &[StoredItem], ask: &Ask) {
        let (Ask::Claim { lease } | Ask::ClaimByHand { lease }) = ask else { return };
        for item in items {
            let letter = item.info.letter.as_ref().expect("only letters are here");
            let deadline = item.info.state.lease_deadline().expect("it is claimed");
            let at = redrive_core::Time::from_micros(deadline.as_micros() - i64::try_from(lease.as_micros()).unwrap());
            let is_unknown = letter.is_outcome_unknown;
            self.fences.insert(item.info.id, letter.id);
            let claimed = Claimed { step: self.step, is_unknown, has_begun: false };
            self.claims.insert((letter.id, item.info.deliveries + 1), claimed);
            self.note(letter.id, heard, ask.clone(), Some(Told::Taken { fence: item.info.id, at, is_unknown }));
        }
    }

    fn settled(
        &mut self,
        heard: Heard,
        items: Vec<redrive_model::Settlement>,
        answer: Option<&Result<Reply, StoreError>>,
    ) {
        for (index, item) in items.into_iter().enumerate() {
            let told = match answer {
                Some(Ok(Reply::Settle(answers))) => match answers.get(index) {
                    Some(Ok(_)) => Some(Told::Done),
                    Some(Err(_)) => Some(Told::Stale),
                    // Nothing was done of what stands behind one that was refused.
                    None => continue,
                },
                Some(_) => continue,
                None => None,
            };
            let letter = self.fences.get(&item.id).copied().expect("who settles has claimed");
            self.note(letter, heard, Ask::Settle { fence: item.id, end: end(&item.action) }, told);
        }
    }

    fn extended(&mut self, heard: Heard, extend: &redrive_model::Extend, answer: Option<&Result<Reply, StoreError>>) {
        let lease = extend.lease.expect("a runner says how long");
        for (index, fence) in extend.ids.iter().enumerate() {
            let told = match answer {
                Some(Ok(Reply::Extend(deadlines))) => match &deadlines[index] {
                    Ok(deadline) => Some(Told::Deadline(*deadline)),
                    Err(Rejection::NotLeased { .. } | Rejection::NoSuchItem(_)) => Some(Told::Stale),
                    Err(_) => continue,
                },
                Some(_) => continue,
                None => None,
            };
            let letter = self.fences.get(fence).copied().expect("who extends has claimed");
            self.note(letter, heard, Ask::Extend { fence: *fence, lease }, told);
        }
    }

    /// All letters were listed.
    fn listed(&mut self, heard: Heard, items: &[StoredItem]) {
        let mut live = BTreeSet::new();
        let mut seen = BTreeSet::new();
        for item in items {
            let letter = item.info.letter.as_ref().expect("only letters are here");
            let source = item.info.source_id.clone().unwrap_or_default();
            if !self.letters.contains_key(&letter.id) {
                self.first_seen(item);
            }
            if letter.status.is_live() && !live.insert(source.clone()) {
                self.problems.push(format!("two live letters have the source id {source}"));
            }
            seen.insert(letter.id);
            self.note(letter.id, heard, Ask::Look, Some(Told::Seen(view(&item.info, &item.content))));
        }
        // What had happened by now was seen: the others never did.
        self.unheard_captures.retain(|(_, entry)| entry.ended >= heard.begun);
        let is_older = |entries: &Vec<Entry>| entries.first().is_some_and(|entry| entry.ended < heard.begun);
        let older = self.letters.iter().filter(|(_, entries)| is_older(entries)).map(|(letter, _)| *letter);
        let missing: Vec<LetterId> = older.filter(|letter| !seen.contains(letter)).collect();
        for letter in missing {
            self.note(letter, heard, Ask::Look, Some(Told::NoSuchLetter));
        }
    }

    /// A letter of a capture whose answer nobody heard.
    fn first_seen(&mut self, item: &StoredItem) {
        let letter = item.info.letter.as_ref().expect("only letters are here");
        let body = text(&item.content.payload);
        let is_it = |(source, entry): &(Box<str>, Entry)| {
            let Ask::Capture(captured) = &entry.ask else { return false };
            let is_alike = captured.policy == letter.policy && captured.max_retries == letter.max_retries;
            item.info.source_id.as_ref() == Some(source) && captured.view.body == body && is_alike
        };
        match self.unheard_captures.iter().position(is_it) {
            Some(index) => {
                let (_, entry) = self.unheard_captures.remove(index);
                self.tally.count("capture: unheard, and there");
                self.letters.insert(letter.id, vec![entry]);
            }
            None => self.problems.push(format!("letter {} came from nowhere", letter.id)),
        }
    }
}

fn told(answer: &Result<Reply, StoreError>) -> Told {
    match answer {
        Ok(Reply::Archive(0) | Reply::Restore(0) | Reply::Purge(0)) => Told::Already,
        Ok(_) => Told::Done,
        Err(StoreError::Rejected(Rejection::LetterConflict { status, .. })) => Told::Conflict(*status),
        Err(StoreError::Rejected(Rejection::NoSuchLetter(_))) => Told::NoSuchLetter,
        Err(StoreError::Rejected(Rejection::SourceHeld { .. })) => Told::Held,
        Err(error) => panic!("nobody can make anything of this: {error}"),
    }
}

fn view(info: &ItemInfo, content: &Content) -> View {
    let letter = info.letter.as_ref().expect("only letters are here");
    View {
        status: letter.status,
        retries: letter.retries,
        total_attempts: letter.total_attempts,
        next_retry_at: letter.next_retry_at,
        is_unknown: letter.is_outcome_unknown,
        body: text(&content.payload),
    }
}

fn end(action: &SettleAction) -> End {
    match action {
        SettleAction::Complete { .. } => End::Done,
        SettleAction::Retry { at: RetryAt::Decided(at), charged, .. } => End::Retry { at: *at, is_charged: *charged },
        SettleAction::Retry { at: RetryAt::Undecided(_), .. } => panic!("a runner decides when"),
        SettleAction::Dead { why: DeadCause::Permanent, .. } => End::Permanent,
        SettleAction::Dead { why: DeadCause::Exhausted, .. } => End::Exhausted,
        SettleAction::Dead { why: DeadCause::Spent, .. } => End::Spent,
        SettleAction::Release => End::Release,
        SettleAction::Defer { until } => End::Defer { until: *until },
        SettleAction::Lost => panic!("a runner knows what became of its claims"),
        SettleAction::RedeliverForHandOver { .. } => panic!("a letter is where it would be handed over to"),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
