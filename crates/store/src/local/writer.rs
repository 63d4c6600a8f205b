//! The single writer.
//!
//! It takes what requests there are, does them all in memory, makes their facts durable with one sync, and then
//! releases the answers. Nothing is seen outside before it is durable; a read, too, waits for what it saw.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError};
use std::time::Duration;

use redrive_core::{Span, Time};
use redrive_journal::{AppendError, Use};
use redrive_queue::{Claim, Content, Facts, Lease, Moment, Place, Refusal, Relocate, State, Tick, WriteKeys};
use tokio::sync::oneshot;

use super::answer::{Answer, Shape, location};
use super::execute::Bench;
use super::keeper::{Keeper, Wanted};
use super::message::{Message, ReplyTo, Request};
use super::options::Vitals;
use super::readers::{Job, Readers};
use super::room;
use super::waiting::{Waiter, Waiting, Want};
use crate::{Clock, Operation, Reply, StoreError};

#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) state: State,
    pub(crate) keeper: Keeper,
    pub(crate) inbox: Receiver<Message>,
    pub(crate) readers: Readers,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Random,
    pub(crate) limits: Limits,
    pub(crate) vitals: Arc<Vitals>,
    pub(crate) facts: Facts,
    pub(crate) waiting: Waiting,
    /// What did not fit into the last batch.
    pub(crate) held: Option<Message>,
    pub(crate) mode: Mode,
    /// Documents to be written again that had no room in the last batch.
    pub(crate) postponed: Option<Relocation>,
    /// Queues in which something is there for those who wait, and it was not their turn.
    pub(crate) unserved: BTreeSet<u32>,
    /// A batch had no room for what happens by itself: the next one is for that alone.
    pub(crate) owes_upkeep: bool,
    /// There is no room even for what happens by itself.
    pub(crate) is_stuck: bool,
    /// Something was written that no later batch proves.
    pub(crate) is_unproven: bool,
    pub(crate) idle_proof: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    Working,
    /// The disk failed: only reads, of what was acknowledged.
    ReadOnly,
    /// The disk failed, and what was acknowledged could not be read again.
    Blind,
}

/// What one batch may hold.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) requests: usize,
    /// Facts of requests; more only by one request that is larger by itself.
    pub(crate) bytes: usize,
    /// One request.
    pub(crate) request_bytes: usize,
    /// Everything.
    pub(crate) batch_bytes: usize,
    /// Things that happen by themselves.
    pub(crate) transitions: usize,
    pub(crate) allowance: Allowance,
}

/// Who is still served in a batch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Allowance {
    waiters: usize,
    items: u64,
    letters: usize,
}

impl Limits {
    pub(crate) fn of_segment(segment_bytes: usize) -> Self {
        let share = segment_bytes / 16;
        Self {
            requests: 1024,
            bytes: (segment_bytes / 4).min(8 << 20),
            request_bytes: segment_bytes / 8 * 7 - 8 * 1024,
            batch_bytes: segment_bytes - 2 * 1024,
            transitions: (share / room::TRANSITION).clamp(1, 256),
            allowance: Allowance {
                waiters: (share / room::LEASE).clamp(1, 4096),
                items: (share as u64 / 5).clamp(1, 1 << 20),
                letters: (share / room::LETTER).clamp(1, 1024),
            },
        }
    }
}

/// Numbers that need only be different.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    /// SplitMix64: every state gives another number, and all of them come.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }
}

/// What one batch is about.
#[derive(Debug, Default)]
struct Turn {
    requests: Vec<Request>,
    relocations: Vec<Relocation>,
    end: Option<End>,
}

#[derive(Debug)]
pub(crate) struct Relocation {
    documents: Vec<Relocate>,
    done: SyncSender<bool>,
}

/// Why the writer ends.
#[derive(Debug)]
enum End {
    Closed(oneshot::Sender<Result<(), StoreError>>),
    /// Nobody has the store any more.
    Abandoned,
}

type Answers = Vec<(ReplyTo, Result<Answer, StoreError>)>;

/// What there is room for.
#[derive(Debug, Clone, Copy)]
struct Room {
    purpose: Use,
    /// Whether what happens by itself may happen.
    for_upkeep: bool,
}

/// A caller that waits for its answer asks again at once: looking for it costs less than sleeping and being woken.
const LOOKS_BEFORE_SLEEP: u32 = 2_000;

/// So many items are read ahead, and no more bytes.
const READ_AHEAD: usize = 64;
const READ_AHEAD_BYTES: usize = 256 * 1024;

impl Writer {
    /// Works until the store is closed.
    pub(crate) fn run(mut self) {
        loop {
            let Turn { requests, relocations, end } = self.gather();
            self.work(requests, relocations);
            if let Some(end) = end {
                return self.close(end);
            }
        }
    }

    /// Waits for something to do, and takes what there is, up to a batch.
    fn gather(&mut self) -> Turn {
        let mut turn = Turn::default();
        if std::mem::take(&mut self.owes_upkeep) {
            return turn;
        }
        let mut bytes = 0;
        let mut next = match self.held.take() {
            Some(held) => Some(held),
            None => self.first(&mut turn),
        };
        while let Some(message) = next {
            let size = self.size_of(&message);
            if bytes > 0 && bytes + size > self.limits.bytes {
                self.held = Some(message);
                break;
            }
            bytes += size;
            match message {
                Message::Request(request) => turn.requests.push(request),
                Message::Relocate { documents, done } => turn.relocations.push(Relocation { documents, done }),
                Message::Compacted { shelf, outcome } => {
                    if let Keeper::Log(log) = &mut self.keeper {
                        log.compacted(shelf, outcome);
                    }
                }
                Message::ReadAhead { contents } => self.read_ahead(contents),
                Message::Wake => {}
                Message::Close(reply) => turn.end = Some(End::Closed(reply)),
            }
            if turn.requests.len() >= self.limits.requests || turn.end.is_some() {
                break;
            }
            next = self.inbox.try_recv().ok();
        }
        turn
    }

    fn size_of(&self, message: &Message) -> usize {
        match message {
            Message::Request(request) => room::bytes_max(&request.operation, &request.along, &self.state),
            Message::Relocate { documents, .. } => relocation_bytes(documents),
            Message::ReadAhead { .. } | Message::Wake | Message::Compacted { .. } | Message::Close(_) => 0,
        }
    }

    /// The first message of a turn; `None` when there is something to do without one.
    fn first(&mut self, turn: &mut Turn) -> Option<Message> {
        let has_upkeep = self.has_upkeep();
        for _ in 0..LOOKS_BEFORE_SLEEP {
            match self.inbox.try_recv() {
                Ok(message) => return Some(message),
                Err(TryRecvError::Disconnected) => {
                    turn.end = Some(End::Abandoned);
                    return None;
                }
                Err(TryRecvError::Empty) if has_upkeep => return None,
                Err(TryRecvError::Empty) => std::hint::spin_loop(),
            }
        }
        let proof = self.is_unproven.then_some(Duration::from_micros(self.idle_proof.as_micros()));
        let event = self.next_event().and_then(|at| self.clock.until(at));
        let received = match event.into_iter().chain(proof).min() {
            Some(wait) => self.inbox.recv_timeout(wait),
            None => self.inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match received {
            Ok(message) => Some(message),
            Err(RecvTimeoutError::Disconnected) => {
                turn.end = Some(End::Abandoned);
                None
            }
            Err(RecvTimeoutError::Timeout) => {
                if proof.is_some_and(|proof| event.is_none_or(|event| proof <= event)) {
                    self.prove();
                }
                None
            }
        }
    }

    /// Whether there is something to do by itself, now.
    fn has_upkeep(&self) -> bool {
        let is_sweeping = matches!(&self.keeper, Keeper::Log(log) if log.is_sweeping());
        self.mode == Mode::Working
            && !self.is_stuck
            && (is_sweeping || !self.unserved.is_empty() || self.next_event().is_some_and(|at| at <= self.clock.now()))
    }

    /// When something happens by itself, or somebody has waited long enough.
    fn next_event(&self) -> Option<Time> {
        if self.mode != Mode::Working {
            return None;
        }
        let claims = self.waiting.claims().filter_map(|(_, claim)| claim.next_due(&self.state));
        let events = [self.state.next_timer(), self.waiting.next_deadline()];
        events.into_iter().flatten().chain(claims).min()
    }

    /// One batch.
    fn work(&mut self, requests: Vec<Request>, mut relocations: Vec<Relocation>) {
        relocations.extend(self.postponed.take());
        Vitals::add(&self.vitals.requests, requests.len() as u64);
        let moment = Moment::new(self.clock.now(), self.random.next());
        let mut answers: Answers = Vec::with_capacity(requests.len());
        if self.mode != Mode::Working {
            self.read_only(requests, moment, &mut answers);
            return self.release(answers);
        }
        let is_busy = !requests.is_empty();
        let (requests, room) = self.admit(requests, &relocations, &mut answers);
        if room.for_upkeep {
            if let Keeper::Log(log) = &mut self.keeper
                && relocations.is_empty()
            {
                log.sweep(&mut self.state, is_busy, &mut self.facts);
            }
            Tick { limit: self.limits.transitions }.apply(&mut self.state, moment, &mut self.facts);
            self.relocate(&relocations, moment);
        }
        self.dismiss_late(|deadline| deadline < moment.now, &mut answers);
        // Of what came together, new items come first, then those who wait for them, then what became of others.
        let (settles, others): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(|request| matches!(request.operation, Operation::Settle(_)));
        let mut asked = BTreeSet::new();
        for request in others {
            self.request(request, moment, &mut asked, &mut answers);
        }
        let mut left = self.limits.allowance;
        self.serve(asked, &mut left, moment, &mut answers);
        for request in settles {
            self.request(request, moment, &mut BTreeSet::new(), &mut answers);
        }
        self.serve(BTreeSet::new(), &mut left, moment, &mut answers);
        self.dismiss_late(|deadline| deadline <= moment.now, &mut answers);
        let is_kept = self.commit(answers, room.purpose);
        if self.owes_upkeep && !room.for_upkeep {
            // Only one is ever under way.
            self.postponed = relocations.pop();
        }
        for Relocation { done, .. } in relocations {
            // Whoever asked may be gone.
            let _gone = done.send(is_kept && room.for_upkeep);
        }
    }

    /// Refuses what finds no room, before anything is done.
    fn admit(
        &mut self,
        requests: Vec<Request>,
        relocations: &[Relocation],
        answers: &mut Answers,
    ) -> (Vec<Request>, Room) {
        let is_busy = !requests.is_empty();
        let (requests, too_large): (Vec<_>, Vec<_>) =
            requests.into_iter().partition(|request| self.bytes_of(request) <= self.limits.request_bytes);
        for request in too_large {
            let refusal = Refusal::TooLarge { bytes: self.bytes_of(&request), most: self.limits.request_bytes };
            answers.push((request.reply, Err(StoreError::Refused(refusal))));
        }
        let upkeep = self.upkeep_bytes(relocations, is_busy);
        let bytes: usize = requests.iter().map(|request| self.bytes_of(request)).sum();
        // A request that fills a file by itself has it alone, and what happens by itself comes next.
        let for_upkeep = bytes == 0 || bytes + upkeep <= self.limits.batch_bytes;
        self.owes_upkeep = !for_upkeep;
        let needed = bytes + if for_upkeep { upkeep } else { self.serve_bytes() };
        if self.reserve(needed, Use::Ordinary) {
            self.vitals.is_full.store(false, Ordering::Relaxed);
            self.is_stuck = false;
            return (requests, Room { purpose: Use::Ordinary, for_upkeep });
        }
        self.admit_on_full_disk(requests, upkeep, answers)
    }

    /// Takes only what frees room.
    fn admit_on_full_disk(
        &mut self,
        requests: Vec<Request>,
        upkeep: usize,
        answers: &mut Answers,
    ) -> (Vec<Request>, Room) {
        self.vitals.is_full.store(true, Ordering::Relaxed);
        if let Keeper::Log(log) = &mut self.keeper {
            log.wish_for_room();
            log.sweep_on_full_disk(&self.state);
        }
        let is_taken = |request: &Request| {
            room::purpose(&request.operation) == Use::FreesRoom || room::is_read(&request.operation)
        };
        let (freeing, ordinary): (Vec<_>, Vec<_>) = requests.into_iter().partition(is_taken);
        answers.extend(ordinary.into_iter().map(|request| (request.reply, Err(StoreError::Full))));
        let bytes: usize = freeing.iter().map(|request| self.bytes_of(request)).sum();
        self.owes_upkeep = false;
        for (for_upkeep, more) in [(true, upkeep), (false, self.serve_bytes())] {
            if bytes + more <= self.limits.batch_bytes && self.reserve(bytes + more, Use::FreesRoom) {
                self.is_stuck = !for_upkeep;
                return (freeing, Room { purpose: Use::FreesRoom, for_upkeep });
            }
        }
        self.is_stuck = true;
        let (reads, others): (Vec<_>, Vec<_>) =
            freeing.into_iter().partition(|request| room::is_read(&request.operation));
        answers.extend(others.into_iter().map(|request| (request.reply, Err(StoreError::Full))));
        (reads, Room { purpose: Use::FreesRoom, for_upkeep: false })
    }

    fn reserve(&self, bytes: usize, purpose: Use) -> bool {
        match self.keeper.reserve(bytes, purpose) {
            Ok(()) => true,
            Err(AppendError::Full { .. }) => false,
            Err(error) => {
                tracing::error!(error = %error, "no room could be made sure of");
                false
            }
        }
    }

    fn bytes_of(&self, request: &Request) -> usize {
        let waits = match &request.operation {
            Operation::Lease(lease) => {
                usize::try_from(lease.wanted.batch.min(self.limits.allowance.items)).unwrap_or(0) * 5
            }
            Operation::Claim(_) => self.limits.allowance.letters * room::LETTER,
            _ => 0,
        };
        waits + room::bytes_max(&request.operation, &request.along, &self.state)
    }

    /// No less than what happens by itself in one batch takes, those who wait included.
    fn upkeep_bytes(&self, relocations: &[Relocation], is_busy: bool) -> usize {
        let own = match &self.keeper {
            Keeper::Log(log) if relocations.is_empty() => log.sweep_bytes(&self.state, is_busy),
            Keeper::Log(_) => relocations.iter().map(|relocation| relocation_bytes(&relocation.documents)).sum(),
            Keeper::Memory(_) => 0,
        };
        own + self.limits.transitions * room::TRANSITION + self.serve_bytes()
    }

    /// No less than serving those who wait takes.
    fn serve_bytes(&self) -> usize {
        let Allowance { waiters, items, letters } = self.limits.allowance;
        let waiters = usize::try_from(self.waiting.len()).unwrap_or(usize::MAX).min(waiters);
        let items = self.waiting.batches().min(self.state.items_in_slots()).min(items);
        let letters = if self.waiting.claims().next().is_some() { letters } else { 0 };
        waiters * room::LEASE + letters * room::LETTER + usize::try_from(items).unwrap_or(usize::MAX).saturating_mul(5)
    }

    fn relocate(&mut self, relocations: &[Relocation], moment: Moment) {
        for document in relocations.iter().flat_map(|relocation| &relocation.documents) {
            let is_held = document.clone().apply(&mut self.state, moment, &mut self.facts);
            Vitals::add(&self.vitals.relocated, u64::from(is_held));
        }
    }

    fn bench(&mut self, moment: Moment) -> Bench<'_> {
        Bench { state: &mut self.state, facts: &mut self.facts, keeper: &self.keeper, moment }
    }

    /// Does a request, or has it wait.
    fn request(&mut self, request: Request, moment: Moment, asked: &mut BTreeSet<u32>, answers: &mut Answers) {
        let Request { operation, along, reply } = request;
        match operation {
            Operation::Lease(_) | Operation::Claim(_) if !along.is_empty() => {
                answers.push((reply, Err(Refusal::NothingAlong.into())));
            }
            Operation::Lease(_) | Operation::Claim(_) if self.waiting.is_full() => {
                answers.push((reply, Err(StoreError::Overloaded)));
            }
            Operation::Lease(lease) => {
                let deadline = moment.now.saturating_add(lease.wait);
                let waits = lease.wanted.check().and_then(|()| match self.state.number_of(&lease.queue) {
                    None => Err(Refusal::NoSuchQueue(lease.queue)),
                    Some(queue) => self.check_client(queue, lease.client_id.as_deref()).map(|()| queue),
                });
                match waits {
                    Ok(queue) => {
                        let want = Want::Items(lease.wanted);
                        self.waiting.add(queue, Waiter { client: lease.client_id, deadline, want, reply });
                        asked.insert(queue);
                    }
                    Err(refusal) => answers.push((reply, Err(refusal.into()))),
                }
            }
            Operation::Claim(request) => {
                let deadline = moment.now.saturating_add(request.wait);
                let queue = request.claim.check().map(|()| self.state.number_of(&request.claim.queue));
                match queue {
                    Err(refusal) => answers.push((reply, Err(refusal.into()))),
                    Ok(Some(queue)) => {
                        let want = Want::DueLetters(request.claim);
                        self.waiting.add(queue, Waiter { client: None, deadline, want, reply });
                        asked.insert(queue);
                    }
                    Ok(None) => answers.push((reply, Err(Refusal::NoSuchQueue(request.claim.queue).into()))),
                }
            }
            operation => {
                let deleted = match &operation {
                    Operation::DeleteQueue(delete) => self.state.number_of(&delete.name),
                    _ => None,
                };
                let asked_about = match &operation {
                    Operation::Stats(stats) => self.state.number_of(&stats.queue),
                    _ => None,
                };
                let mut answer = self.bench(moment).execute(operation, WriteKeys { writes: along });
                if let (Some(queue), Ok(Answer::Ready(Reply::Stats(stats)))) = (asked_about, &mut answer) {
                    stats.waiting = self.waiting.count(queue);
                }
                if let (Some(queue), Ok(_)) = (deleted, &answer) {
                    let gone = self.waiting.take_queue(queue).into_iter();
                    answers.extend(gone.map(|waiter| (waiter.reply, Err(StoreError::QueueGone))));
                }
                answers.push((reply, answer));
            }
        }
    }

    fn check_client(&mut self, queue: u32, client: Option<&str>) -> Result<(), Refusal> {
        match client {
            Some("") => Err(Refusal::NoClientId),
            Some(client) if self.waiting.has_client(queue, client) => Err(Refusal::DuplicateClient),
            _ => Ok(()),
        }
    }

    /// Gives items to those who wait for them: in the queues named, and in those where something became available.
    fn serve(&mut self, asked: BTreeSet<u32>, left: &mut Allowance, moment: Moment, answers: &mut Answers) {
        let mut queues = self.state.take_woken();
        queues.extend(asked);
        queues.append(&mut self.unserved);
        let is_due = |claim: &Claim| claim.next_due(&self.state).is_some_and(|at| at <= moment.now);
        queues.extend(self.waiting.claims().filter(|(_, claim)| is_due(claim)).map(|(queue, _)| queue));
        for queue in queues {
            self.serve_items(queue, left, moment, answers);
            self.serve_letters(queue, left, moment, answers);
        }
    }

    fn serve_items(&mut self, queue: u32, left: &mut Allowance, moment: Moment, answers: &mut Answers) {
        // Each of those who are served gets one at least.
        let most = usize::try_from(self.state.available(queue)).unwrap_or(usize::MAX);
        if most == 0 {
            return;
        }
        let wants = self.waiting.of(queue).filter_map(|(number, waiter)| match &waiter.want {
            Want::Items(wanted) => Some((number, *wanted)),
            Want::DueLetters(_) => None,
        });
        let (numbers, mut requests): (Vec<u64>, Vec<redrive_queue::Wanted>) = wants.take(most).unzip();
        if numbers.is_empty() {
            return;
        }
        requests.truncate(left.waiters);
        let fair = left.items / (requests.len() as u64).max(1);
        if requests.is_empty() || fair == 0 {
            self.unserved.insert(queue);
            return;
        }
        for request in &mut requests {
            request.batch = request.batch.min(fair);
        }
        let grants = Lease { queue, requests: &requests }.apply(&mut self.state, moment, &mut self.facts);
        for (number, grant) in numbers.into_iter().zip(grants) {
            if grant.items.is_empty() {
                continue;
            }
            left.waiters -= 1;
            left.items -= grant.items.len() as u64;
            let Some(name) = self.state.name_of(queue) else { continue };
            let shape = Shape::Leased { queue: name, partition: grant.partition };
            let answer = self.bench(moment).items(grant.items, shape, Wanted::Content);
            if let Some(waiter) = self.waiting.remove(queue, number) {
                answers.push((waiter.reply, Ok(answer)));
            }
        }
        let waits_for_items = |(_, waiter): (u64, &Waiter)| matches!(waiter.want, Want::Items(_));
        if self.state.available(queue) > 0 && self.waiting.of(queue).any(waits_for_items) {
            self.unserved.insert(queue);
        }
    }

    fn serve_letters(&mut self, queue: u32, left: &mut Allowance, moment: Moment, answers: &mut Answers) {
        let claims: Vec<(u64, Claim)> = self
            .waiting
            .of(queue)
            .filter_map(|(number, waiter)| match &waiter.want {
                Want::DueLetters(claim) => Some((number, claim.clone())),
                Want::Items(_) => None,
            })
            .collect();
        for (number, mut claim) in claims {
            if left.letters == 0 {
                return;
            }
            claim.batch = claim.batch.min(left.letters as u64);
            let answer = match claim.apply(&mut self.state, moment, &mut self.facts) {
                Ok(letters) if letters.is_empty() => continue,
                Ok(letters) => {
                    left.letters -= letters.len();
                    Ok(self.bench(moment).items(letters, Shape::Items, Wanted::Content))
                }
                Err(refusal) => Err(refusal.into()),
            };
            if let Some(waiter) = self.waiting.remove(queue, number) {
                answers.push((waiter.reply, answer));
            }
        }
    }

    /// Those who have waited long enough get nothing.
    fn dismiss_late(&mut self, is_late: impl Fn(Time) -> bool, answers: &mut Answers) {
        let late = self.waiting.take_late(is_late).into_iter();
        answers.extend(late.map(|waiter| (waiter.reply, Err(StoreError::TimedOut))));
    }

    /// Makes it durable, and only then tells anybody; whether it is durable.
    fn commit(&mut self, answers: Answers, purpose: Use) -> bool {
        if !self.facts.is_empty() {
            match self.keeper.keep(&mut self.state, &self.facts, purpose) {
                Ok(()) => self.is_unproven = true,
                Err(error) => {
                    self.fail(&error, answers);
                    return false;
                }
            }
        }
        self.release(answers);
        self.facts.clear();
        if let Keeper::Log(log) = &mut self.keeper {
            log.tidy(&self.state);
        }
        for (queue, items) in self.state.take_lost() {
            tracing::warn!(queue = %queue, items, "items died, and their queue has no dead queue: they are gone");
        }
        true
    }

    fn release(&self, answers: Answers) {
        for (reply, answer) in answers {
            let answer = match answer {
                Ok(answer) => answer,
                Err(error) => {
                    // A caller that is gone does not want it any more; so below.
                    let _gone = reply.send(Err(error));
                    continue;
                }
            };
            let missing = answer.missing();
            let ahead = self.wanted_next(&answer, missing.len());
            let reader = match &self.keeper {
                Keeper::Log(log) if !missing.is_empty() => {
                    Some(log.reader().pinned(missing.into_iter().chain(ahead.iter().copied().map(location))))
                }
                _ => None,
            };
            let _gone = match reader {
                None => reply.send(answer.finish(None)),
                Some(Ok(reader)) => {
                    self.readers.read(Job { answer, reader, reply, ahead });
                    continue;
                }
                Some(Err(error)) => reply.send(Err(StoreError::Unreadable(error.to_string()))),
            };
        }
    }

    /// What the next leases will ask for, where this one had to read a little from a backlog: reading a bit more
    /// costs nothing, and a handful of items at a time would wait for a handful of reads.
    fn wanted_next(&self, answer: &Answer, missing: usize) -> Vec<Place> {
        let Keeper::Log(log) = &self.keeper else { return Vec::new() };
        let Some((queue, partition)) = answer.leased_from().filter(|_| (1..READ_AHEAD / 2).contains(&missing)) else {
            return Vec::new();
        };
        let mut bytes = 0;
        let mut places = self.state.upcoming(queue, partition, READ_AHEAD);
        places.retain(|place| {
            bytes += place.len as usize;
            bytes <= READ_AHEAD_BYTES && log.cache.get(*place).is_none()
        });
        places
    }

    fn read_ahead(&mut self, contents: Vec<(Place, Arc<Content>)>) {
        let Keeper::Log(log) = &mut self.keeper else { return };
        for (place, content) in contents {
            // It may have been written again elsewhere, or be gone.
            if self.state.shelves().contains_key(&place.shelf) {
                log.cache.put_ahead(place, content);
            }
        }
    }

    /// A batch was not written: what is in memory is ahead of the disk, and nobody may see that.
    fn fail(&mut self, error: &AppendError, answers: Answers) {
        let cause = std::error::Error::source(error).map(ToString::to_string);
        let is_poisoned = matches!(error, AppendError::Poisoned(_));
        tracing::error!(error = %error, cause = cause.as_deref(), is_poisoned, "a batch could not be written");
        self.vitals.is_poisoned.store(is_poisoned, Ordering::Relaxed);
        self.facts.clear();
        let acknowledged = match &mut self.keeper {
            Keeper::Log(log) => {
                log.abandon_sweep();
                log.acknowledged()
            }
            Keeper::Memory(_) => Err("memory has no copy".to_owned()),
        };
        self.mode = match acknowledged {
            Ok(state) => {
                self.state = state;
                if is_poisoned { Mode::ReadOnly } else { Mode::Working }
            }
            Err(error) => {
                tracing::error!(error = %error, "what was acknowledged could not be read again");
                Mode::Blind
            }
        };
        // Where nothing was written, there was no room for it: that of some requests was reckoned too small.
        let told = if self.mode == Mode::Working { StoreError::Full } else { StoreError::Poisoned };
        let waiters = self.waiting.take_all().into_iter().map(|waiter| waiter.reply);
        for reply in answers.into_iter().map(|(reply, _)| reply).chain(waiters) {
            let _gone = reply.send(Err(told.clone()));
        }
    }

    fn read_only(&mut self, requests: Vec<Request>, moment: Moment, answers: &mut Answers) {
        for Request { operation, reply, .. } in requests {
            let is_answered = self.mode == Mode::ReadOnly && room::is_read(&operation);
            let answer = if is_answered {
                self.bench(moment).execute(operation, WriteKeys { writes: Vec::new() })
            } else {
                Err(StoreError::Poisoned)
            };
            answers.push((reply, answer));
        }
    }

    fn prove(&mut self) {
        self.is_unproven = false;
        if let Keeper::Log(log) = &mut self.keeper
            && let Err(error @ AppendError::Poisoned(_)) = log.prove()
        {
            self.fail(&error, Vec::new());
        }
    }

    fn close(mut self, end: End) {
        for waiter in self.waiting.take_all() {
            let _gone = waiter.reply.send(Err(StoreError::Closed));
        }
        for message in self.held.take().into_iter().chain(self.inbox.try_iter()) {
            if let Message::Request(request) = message {
                let _gone = request.reply.send(Err(StoreError::Closed));
            }
        }
        drop(self.inbox);
        drop(self.readers);
        let closed = match self.keeper {
            Keeper::Memory(_) => Ok(()),
            Keeper::Log(log) => log.close().map_err(|_| StoreError::Poisoned),
        };
        match end {
            End::Closed(reply) => {
                let _gone = reply.send(closed);
            }
            End::Abandoned => {
                if closed.is_err() {
                    tracing::error!("the disk failed while the store was closed");
                }
            }
        }
    }
}

/// No less than these documents take when they are written again.
fn relocation_bytes(documents: &[Relocate]) -> usize {
    documents.iter().map(|document| document.document.len() + 128).sum()
}
