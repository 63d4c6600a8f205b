//! What the histories cover: a history of rejected operations would test nothing.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write};

use redrive_model::{EndReason, Event, Rejection};
use redrive_store::conformance::model::answer::Answer;
use redrive_store::conformance::model::operation::Operation;

use super::USUAL;
use super::history::{History, Plan};

/// What a history has covered.
#[derive(Debug, Default)]
pub(crate) struct Coverage {
    steps: usize,
    /// The current operation.
    op: String,
    /// Counts of the applied operations and of the rejections.
    outcomes: BTreeMap<String, u64>,
}

impl Coverage {
    pub(crate) fn begin(&mut self, op: &Operation) {
        self.steps += 1;
        self.op = first_word(op);
    }

    pub(crate) fn end(&mut self, found: &Result<Answer, Rejection>) {
        let outcome = found.as_ref().map_or_else(first_word, |_| self.op.clone());
        *self.outcomes.entry(outcome).or_default() += 1;
        if let Ok(answer) = found {
            for rejection in answer.rejections() {
                *self.outcomes.entry(first_word(rejection)).or_default() += 1;
            }
        }
    }
}

/// The name of a variant. Formatting stops after it, because the fields may be long.
fn first_word(value: &impl Debug) -> String {
    struct Word(String);
    impl Write for Word {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            let end = text.find(|letter: char| !letter.is_ascii_alphanumeric());
            self.0.push_str(&text[..end.unwrap_or(text.len())]);
            if end.is_some() { Err(std::fmt::Error) } else { Ok(()) }
        }
    }
    let mut word = Word(String::new());
    // The error only means that the word has ended.
    let _ended = write!(word, "{value:?}");
    word.0
}

/// Every operation, and every rejection that the histories can get.
const OUTCOMES: &str = "
    Annotate Archive Capture ChangeIfUnchanged ClaimById ClaimDue Clear CreateQueue Cursor DeleteItems DeleteQueue Edit Extend HandBackLetters Import
    Lease LeaseByMessageId Produce Purge Reinstate Restore RestoreIfUnchanged Resume Settle UpdateQueue WriteKeys

    BadCursor BadKey BadPosition BadSourceId DeadQueueHasDeadQueue DuplicateLetter Empty IsDeadQueue KeyChanged
    LeaseTooLong LetterConflict LetterTooLarge NoBatchSize NoCustomBackoff NoDeadQueue NoSuchDependency NoPartitions NoSuchCursor NoSuchItem NoSuchLetter
    NoSuchPartition NoSuchQueue NotLeased NothingToClear OtherPayload OtherPayloadInRequest OwnDeadQueue QueueExists
    QueueFull QueueInUse RequestIdUsed SourceHeld TooManyAttempts TooManyItems TooManyReplays TooManyRetries TwiceInRequest
";

/// Rules without a counter, by the names that the model records.
const RULES: [&str; 58] = [
    "a generation after another",
    "archived automatically",
    "captured with the delays of its queue",
    "changed since it was seen",
    "completed before its archive",
    "completed with a produce",
    "edited in line",
    "exhausted before its archive",
    "exhausted before its claim and its archive",
    "exhausted for one that is archived",
    "exhausted for one that is exhausted",
    "exhausted for one that is gone",
    "failed again after an edit",
    "failed again after its end",
    "failed again before the end of its retry",
    "failed again while it waits",
    "failed again, and archived unsolved",
    "failed, and left the line",
    "freed",
    "freed in line",
    "freed of one of several",
    "freed while it was claimed",
    "handed back, and failed again",
    "handed back, and failed again already",
    "handed back, and its letter is gone",
    "handed back, and its letter is not free",
    "late",
    "late for a finished letter",
    "failed in part",
    "lost, and left the line",
    "merged in line",
    "not charged, and back in line",
    "not as it was seen",
    "not handed back, and changed",
    "not handed back, and full",
    "not handed back, and paused",
    "not handed back, and there",
    "not restored, and held",
    "not resumed, and not exhausted",
    "not resumed, and without retries",
    "not tried, and back in line",
    "over the size",
    "put back for an older one",
    "put back when it was free",
    "put back without its holder",
    "put back, and another",
    "put back, and held",
    "put back, and there",
    "put back, and waiting for itself",
    "released of a lost one",
    "remembered",
    "restored to the line",
    "retried, archived, and left the line",
    "sent again",
    "sent again too late",
    "shortened",
    "captured while retried where it is not merged",
    "two generations of a request",
];

/// What a number of histories has covered.
#[derive(Debug, Default)]
struct CoverageOfAll {
    histories: usize,
    steps: usize,
    points: usize,
    returns: usize,
    outcomes: BTreeMap<String, u64>,
    events: BTreeMap<Event, u64>,
    ends: BTreeMap<EndReason, u64>,
    rules: BTreeMap<&'static str, u64>,
}

impl CoverageOfAll {
    fn add(&mut self, history: &History) {
        for (what, count) in &history.coverage.outcomes {
            *self.outcomes.entry(what.clone()).or_default() += count;
        }
        for queue in &history.model.queues {
            queue.events.iter().for_each(|(why, count)| *self.events.entry(*why).or_default() += count);
            queue.ends.iter().for_each(|(ending, count)| *self.ends.entry(*ending).or_default() += count);
        }
        history.model.rules.iter().for_each(|(rule, count)| *self.rules.entry(rule).or_default() += count);
        self.histories += 1;
        self.steps += history.coverage.steps;
        self.points += history.machine.points.len();
        self.returns += history.machine.returns;
    }

    /// What no history has covered.
    fn missing(&self) -> Vec<String> {
        let outcomes = OUTCOMES.split_whitespace().filter(|what| !self.outcomes.contains_key(*what));
        // No request sets an item aside: only a damaged disk does.
        let events = Event::ALL.iter().filter(|why| **why != Event::SetAside && !self.events.contains_key(why));
        let ends = EndReason::ALL.iter().filter(|ending| !self.ends.contains_key(ending));
        let rules = RULES.iter().filter(|rule| !self.rules.contains_key(*rule));
        let counts = [("points", self.points > 50), ("returns", self.returns > 20)];
        let rare = counts.into_iter().filter(|(_, is_enough)| !is_enough).map(|(name, _)| name);
        let named = outcomes.chain(rules.copied()).chain(rare).map(str::to_owned);
        named.chain(events.map(|why| format!("{why:?}"))).chain(ends.map(|ending| format!("{ending:?}"))).collect()
    }
}

/// Most histories repeat what others have covered: the test ends with the first that leaves nothing missing.
#[test]
fn the_histories_cover_everything() {
    let mut covered = CoverageOfAll::default();
    for seed in 0..600 {
        let mut history = History::new(seed, Plan { is_recovered: true, audit_every: 50, ..USUAL });
        history.run().unwrap();
        covered.add(&history);
        if covered.missing().is_empty() {
            println!("{} histories, {} steps", covered.histories, covered.steps);
            return;
        }
    }
    panic!("never: {:?}\n{covered:?}", covered.missing());
}
