//! Random histories, compared with the model.

use super::model::{Decided, Event, History, SECOND, Settings};
use crate::cases;
use proptest::prelude::*;
use proptest::sample::Index;
use redrive_core::{
    Breaker, BreakerConfig, BreakerState, Failed, FailedCall, MonotonicTime, Permit, RowVerdict, Served, Span,
};

/// The number of different pieces of work.
const WORKS: u32 = 8;

#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// Time passes, in microseconds.
    Wait(u64),
    /// Time passes until a call is admitted, or until just before that.
    WaitUntilAdmitted {
        has_just_arrived: bool,
        is_early: bool,
    },
    Call {
        has_just_arrived: bool,
    },
    /// One of the calls under way ends.
    End {
        call: Index,
        work: u32,
        ended: Ended,
    },
    Poll,
    HasNoOtherWork,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Ended {
    /// Served if the number is small enough for the destination of this history, else failed.
    Answered(u8),
    Served,
    NotSent,
    RetryAfter(u64),
    Abandoned,
}

pub(super) fn any_step() -> impl Strategy<Value = Step> {
    let wait = prop_oneof![
        4 => 1..100_000u64,
        3 => 100_000..2_000_000u64,
        2 => 2_000_000..20_000_000u64,
        2 => 20_000_000..400_000_000u64,
        2 => prop::sample::select(vec![100_000u64, 1_000_000, 5_000_000, 10_000_000, 30_000_000]),
    ];
    let retry_after = prop_oneof![0..3_000_000u64, 0..600_000_000u64];
    let ended = prop_oneof![
        16 => (0..100u8).prop_map(Ended::Answered),
        2 => Just(Ended::NotSent),
        1 => retry_after.prop_map(Ended::RetryAfter),
        1 => Just(Ended::Abandoned),
    ];
    prop_oneof![
        3 => wait.prop_map(Step::Wait),
        6 => (prop::bool::weighted(0.2), prop::bool::weighted(0.2))
            .prop_map(|(has_just_arrived, is_early)| Step::WaitUntilAdmitted { has_just_arrived, is_early }),
        12 => prop::bool::weighted(0.2).prop_map(|has_just_arrived| Step::Call { has_just_arrived }),
        10 => (any::<Index>(), 0..WORKS, ended).prop_map(|(call, work, ended)| Step::End { call, work, ended }),
        2 => Just(Step::Poll),
        1 => Just(Step::HasNoOtherWork),
    ]
}

/// Single steps, and outages: a piece of work that fails in several of them needs more luck than single steps have.
fn any_steps() -> impl Strategy<Value = Vec<Step>> {
    let outage = (any::<Index>(), 0..WORKS, 0..WORKS, 0..WORKS, 29_000_000..40_000_000u64);
    let outage = outage.prop_map(|(call, first, works, last, lasts)| {
        let until_admitted = Step::WaitUntilAdmitted { has_just_arrived: false, is_early: false };
        let calls = |work: u32, ended: Ended| {
            let end = Step::End { call, work: work % WORKS, ended };
            [until_admitted, Step::Call { has_just_arrived: false }, end]
        };
        let failed = (first..first + works).flat_map(|work| calls(work, Ended::Answered(u8::MAX)));
        let served = [last, last + 1].into_iter().flat_map(|work| calls(work, Ended::Served));
        failed.chain([Step::Wait(lasts), Step::Poll]).chain(served).collect::<Vec<Step>>()
    });
    let steps = prop_oneof![20 => any_step().prop_map(|step| vec![step]), 1 => outage];
    prop::collection::vec(steps, 1..90).prop_map(|steps| steps.concat())
}

fn any_settings() -> impl Strategy<Value = Settings> {
    (1..=6usize, prop::sample::select(vec![1_000_000u64, 3_000_000, 10_000_000]), 1..=2usize, 1..=9usize).prop_map(
        |(threshold, longest_wait, probes, calls_at_once)| Settings {
            threshold,
            longest_wait,
            probes,
            probe_timeout: 15_000_000,
            patience: 60_000_000,
            calls_at_once,
        },
    )
}

fn config(settings: Settings) -> BreakerConfig {
    let longest_wait = Span::from_micros(settings.longest_wait);
    BreakerConfig::new(
        u32::try_from(settings.threshold).unwrap(),
        longest_wait,
        u32::try_from(settings.probes).unwrap(),
    )
    .unwrap()
    .with_probes_given_up_after(Span::from_micros(settings.probe_timeout))
    .with_patience(Span::from_micros(settings.patience))
    .for_calls_at_once(settings.calls_at_once)
}

fn time(micros: u64) -> MonotonicTime {
    MonotonicTime::from_micros(micros)
}

/// A breaker and its model, in the same history.
struct Pair {
    breaker: Breaker<u32>,
    history: History,
    under_way: Vec<(usize, Permit)>,
    calls: usize,
    now: u64,
}

impl Pair {
    fn new(settings: Settings) -> Self {
        let (breaker, history) = (Breaker::new(config(settings)), History::new(settings));
        Self { breaker, history, under_way: Vec::new(), calls: 0, now: 1 }
    }

    fn step(&mut self, step: Step, served_percent: u8) -> Result<(), TestCaseError> {
        match step {
            Step::Wait(span) => self.now += span,
            Step::WaitUntilAdmitted { has_just_arrived, is_early } => {
                if let Some(Some(held)) = self.breaker.held_until(has_just_arrived, time(self.now)) {
                    self.now = (held.as_micros() - u64::from(is_early)).max(self.now);
                }
            }
            Step::Call { has_just_arrived } => self.call(has_just_arrived)?,
            Step::End { call, work, ended } if !self.under_way.is_empty() => {
                let (call, permit) = self.under_way.remove(call.index(self.under_way.len()));
                self.end(call, permit, work, ended, served_percent)?;
            }
            Step::End { .. } => {}
            Step::Poll => {
                let was_paused = self.history.is_paused();
                self.history.push(self.now, Event::Polled);
                let has_paused = !was_paused && self.history.is_paused();
                prop_assert_eq!(self.breaker.poll(time(self.now)), has_paused);
            }
            Step::HasNoOtherWork => {
                let event = self.history.push(self.now, Event::HasNoOtherWork);
                let served = self.breaker.has_no_other_work(time(self.now));
                self.assert_served(&served, event)?;
            }
        }
        self.assert_views()
    }

    fn call(&mut self, has_just_arrived: bool) -> Result<(), TestCaseError> {
        let expected = self.history.answer(has_just_arrived, self.now).map_err(|at| at.map(time));
        match self.breaker.admit(has_just_arrived, time(self.now)) {
            Ok(permit) => {
                prop_assert_eq!(Ok(permit.is_probe()), expected);
                self.history.push(self.now, Event::Admitted { call: self.calls, has_just_arrived });
                self.under_way.push((self.calls, permit));
                self.calls += 1;
            }
            Err(held) => prop_assert_eq!(Err(held), expected),
        }
        Ok(())
    }

    fn end(
        &mut self,
        call: usize,
        permit: Permit,
        work: u32,
        ended: Ended,
        served_percent: u8,
    ) -> Result<(), TestCaseError> {
        let now = time(self.now);
        let is_served = match ended {
            Ended::Answered(number) => number < served_percent,
            Ended::Served => true,
            Ended::NotSent | Ended::RetryAfter(_) | Ended::Abandoned => false,
        };
        let (was_sent, retry_after) = match ended {
            Ended::Abandoned => {
                self.history.push(self.now, Event::Abandoned { call });
                self.breaker.abandoned(permit);
                return Ok(());
            }
            Ended::Answered(_) | Ended::Served if is_served => {
                let began = time(self.history.began(call));
                let event = self.history.push(self.now, Event::Served { call, work });
                let served = self.breaker.served(permit, &work, began, now);
                return self.assert_served(&served, event);
            }
            Ended::Answered(_) | Ended::Served => (true, None),
            Ended::NotSent => (false, None),
            Ended::RetryAfter(hint) => (true, Some(hint)),
        };
        let event = self.history.push(self.now, Event::Failed { call, work, was_sent, retry_after });
        let retry_after = retry_after.map(Span::from_micros);
        let failed = self.breaker.failed(permit, FailedCall { work: &work, was_sent, retry_after }, now, 0);
        let (is_first, has_paused) = self.history.failure(event);
        prop_assert_eq!(failed, Failed { is_first, has_paused });
        Ok(())
    }

    /// Compares what an event has changed.
    fn assert_served(&self, served: &Served<u32>, event: usize) -> Result<(), TestCaseError> {
        prop_assert_eq!(served.has_resumed, self.history.has_resumed(event));
        for work in 0..WORKS {
            let expected = self.history.decided(event, work).map(|decided| match decided {
                Decided::Charged => RowVerdict::Charged,
                Decided::Forgiven => RowVerdict::Forgiven,
            });
            let decided = served.decided.as_ref().and_then(|decided| decided.of(&work));
            prop_assert_eq!(decided, expected, "work {}", work);
        }
        Ok(())
    }

    fn assert_views(&self) -> Result<(), TestCaseError> {
        let (breaker, history, now) = (&self.breaker, &self.history, time(self.now));
        for has_just_arrived in [false, true] {
            let expected = history.answer(has_just_arrived, self.now).err().map(|at| at.map(time));
            prop_assert_eq!(breaker.held_until(has_just_arrived, now), expected, "arrived: {}", has_just_arrived);
            prop_assert!(expected.flatten().is_none_or(|at| at > now), "the breaker admits work in the future");
        }
        let next_probe = history.next_probe_at();
        let state = match next_probe {
            None => BreakerState::Closed,
            Some(at) if self.now < at && history.running_probes(self.now).is_empty() => BreakerState::Open,
            Some(_) => BreakerState::HalfOpen,
        };
        prop_assert_eq!(breaker.state(now), state);
        prop_assert_eq!(breaker.next_probe_at(now), next_probe.filter(|at| self.now < *at).map(time));
        prop_assert_eq!(breaker.is_paused(), history.is_paused());
        prop_assert_eq!(breaker.has_row(), history.has_row());
        prop_assert_eq!(breaker.pauses_at(), history.pauses_at().map(time));
        prop_assert_eq!(breaker.waits_for_other_work(), history.waits_for_other_work());
        for work in 0..WORKS {
            prop_assert_eq!(breaker.was_sent(&work), history.was_sent(work));
            prop_assert_eq!(breaker.was_charged(&work), history.was_charged(work));
        }
        prop_assert_eq!(breaker.has_full_row(), history.has_full_row());
        let grew_at = history.grew_at().filter(|_| !history.has_full_row());
        let mut in_row = (0..WORKS).filter(|work| history.was_sent(*work).is_some());
        let was_charged = in_row.all(|work| history.was_charged(work));
        let patience = history.settings.patience;
        let patience = if was_charged { patience.min(10 * SECOND) } else { patience };
        let impatient_at = grew_at.map(|at| time(at + patience));
        prop_assert_eq!(breaker.impatient_at(), impatient_at);
        Ok(())
    }

    /// No history stops a destination: when all calls have ended, a call is admitted sooner or later.
    fn assert_goes_on(mut self) -> Result<(), TestCaseError> {
        for (_, permit) in self.under_way {
            self.breaker.abandoned(permit);
        }
        self.now += 400_000_000;
        prop_assert!(self.breaker.admit(false, time(self.now)).is_ok());
        Ok(())
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn every_history_is_as_the_model_says(
        settings in any_settings(),
        served_percent in 0..70u8,
        steps in any_steps(),
    ) {
        let mut pair = Pair::new(settings);
        for step in steps {
            pair.step(step, served_percent)?;
        }
        pair.assert_goes_on()?;
    }
}
