//! Faults that are injected between the machine and its caller, which the comparison must detect.

use redrive_core::{Priority, Span, Time};
use redrive_model::{RetryAt, SettleAction, Settlement};

use redrive_store::conformance::model::answer::Answer;
use redrive_store::conformance::model::operation::Operation;

/// An injected fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fault {
    /// An answer does not match the effects.
    WrongAnswer,
    /// Deadlines take effect an instant late.
    LateClock,
    /// Uncharged attempts are charged, and charged ones are not.
    WrongCharge,
    /// The last waiting lease is served first.
    LastComeFirstServed,
    /// Priorities are ignored.
    NoPriorities,
    /// A second capture of the same message creates a second letter.
    ForgottenOrigin,
    /// Claims ignore excluded destinations.
    OpenBreaker,
    /// Retries and deferrals are an instant too early.
    EarlyRetry,
    /// The policy is evaluated although the holder has decided.
    DecidedTwice,
    /// A clear removes leased items, too.
    ClearedLeases,
    /// A restored letter stays archived.
    NoRestore,
    /// A released item loses its place.
    LostPlace,
    /// Message ids are not remembered.
    ForgottenId,
    /// A queue accepts items beyond its limit.
    NoLimit,
    /// A lease is never shortened.
    NotShortened,
    /// A verdict is not recorded.
    NoVerdict,
}

impl Fault {
    pub(crate) const ALL: [Self; 16] = [
        Self::WrongAnswer,
        Self::LateClock,
        Self::WrongCharge,
        Self::LastComeFirstServed,
        Self::NoPriorities,
        Self::ForgottenOrigin,
        Self::OpenBreaker,
        Self::EarlyRetry,
        Self::DecidedTwice,
        Self::ClearedLeases,
        Self::NoRestore,
        Self::LostPlace,
        Self::ForgottenId,
        Self::NoLimit,
        Self::NotShortened,
        Self::NoVerdict,
    ];

    /// The operation that the machine gets instead of the original.
    pub(crate) fn corrupt_operation(self, mut op: Operation) -> Operation {
        match (self, &mut op) {
            (Self::WrongCharge, Operation::Settle(settle)) => {
                settle.items.iter_mut().for_each(|item| {
                    if let SettleAction::Retry { charged, .. } = &mut item.action {
                        *charged = !*charged;
                    }
                });
            }
            (Self::EarlyRetry, Operation::Settle(settle)) => settle.items.iter_mut().for_each(hasten),
            (Self::DecidedTwice, Operation::Settle(settle)) => settle.items.iter_mut().for_each(forget_decision),
            (Self::LastComeFirstServed, Operation::Lease { requests, .. }) => requests.reverse(),
            (Self::NoPriorities, Operation::Produce(produce)) => {
                produce.items.iter_mut().for_each(|item| item.priority = Priority::Medium);
            }
            (Self::ForgottenOrigin, Operation::Capture(capture)) => {
                let mut letters = capture.letters.to_vec();
                letters.iter_mut().for_each(|letter| letter.context.origin.offset = None);
                capture.letters = letters.into();
            }
            (Self::OpenBreaker, Operation::ClaimDue(claim)) => claim.scope = redrive_model::DestinationFilter::all(),
            (Self::ClearedLeases, Operation::Clear(clear)) => clear.destructive = true,
            (Self::NoRestore, Operation::Restore(restore)) => restore.letters.clear(),
            (Self::LostPlace, Operation::Settle(settle)) => settle.items.iter_mut().for_each(|item| {
                if matches!(item.action, SettleAction::Release) {
                    item.action = SettleAction::Defer { until: Time::MIN };
                }
            }),
            (Self::ForgottenId, Operation::Produce(produce)) => {
                produce.items.iter_mut().for_each(|item| item.remember_for = None);
            }
            (Self::NoLimit, Operation::CreateQueue(create)) => create.settings.max_items = 0,
            (Self::NotShortened, Operation::Extend(extend)) => extend.may_shorten = false,
            (Self::NoVerdict, Operation::Settle(settle)) => settle.items.iter_mut().for_each(|item| {
                if let SettleAction::Note { notes, .. } = &mut item.action {
                    notes.verdict = None;
                }
            }),
            _ => {}
        }
        op
    }

    /// The time that the machine gets for a tick.
    pub(crate) fn clock(self, now: Time) -> Time {
        if self == Self::LateClock { now.saturating_sub(Span::from_micros(1)) } else { now }
    }

    /// The answer that the caller gets instead of the original.
    pub(crate) fn corrupt_answer(self, mut answer: Answer) -> Answer {
        if self != Self::WrongAnswer {
            return answer;
        }
        match &mut answer {
            Answer::Count(count) => *count += 1,
            Answer::Produced(produced) => produced.items.reverse(),
            Answer::Granted(grants) => grants.iter_mut().for_each(|(_, items)| items.truncate(1)),
            Answer::Settled(settled) => settled.truncate(1),
            Answer::Items(items) => items.truncate(1),
            _ => {}
        }
        answer
    }
}

fn hasten(settlement: &mut Settlement) {
    let instant = Span::from_micros(1);
    match &mut settlement.action {
        SettleAction::Retry { at: RetryAt::Decided(at) | RetryAt::Undecided(Some(at)), .. }
        | SettleAction::Defer { until: at } => {
            *at = at.saturating_sub(instant);
        }
        _ => {}
    }
}

fn forget_decision(settlement: &mut Settlement) {
    if let SettleAction::Retry { at, .. } = &mut settlement.action
        && let RetryAt::Decided(time) = *at
    {
        *at = RetryAt::Undecided(Some(time));
    }
}
