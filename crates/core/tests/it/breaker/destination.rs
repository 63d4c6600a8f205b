//! A breaker with a clock, whose calls begin and end at once unless a test says otherwise.

use redrive_core::{
    Breaker, BreakerConfig, BreakerState, Failed, FailedCall, MonotonicTime, Permit, RowVerdicts, Served, Span,
};

pub(super) struct Destination {
    pub(super) breaker: Breaker<u32>,
    pub(super) now: MonotonicTime,
}

impl Destination {
    /// With the default settings: a threshold of five, one probe at a time, up to 10 s between probes.
    pub(super) fn usual() -> Self {
        Self::of(BreakerConfig::default())
    }

    pub(super) fn of(config: BreakerConfig) -> Self {
        // A time other than zero, so that a time that was never set is not mistaken for now.
        Self { breaker: Breaker::new(config), now: MonotonicTime::from_micros(1_000_000_000) }
    }

    /// Five pieces of work, 1 to 5, have just failed.
    pub(super) fn down() -> Self {
        Self::down_of(BreakerConfig::default())
    }

    pub(super) fn down_of(config: BreakerConfig) -> Self {
        let mut destination = Self::of(config);
        destination.go_down(1);
        destination
    }

    /// Five new pieces of work fail.
    #[track_caller]
    pub(super) fn go_down(&mut self, first: u32) {
        for work in first..first + 5 {
            self.fails(work);
        }
        assert!(self.breaker.is_paused());
    }

    pub(super) fn wait(&mut self, span: Span) {
        self.now = self.now.saturating_add(span);
    }

    pub(super) fn in_span(&self, span: Span) -> MonotonicTime {
        self.now.saturating_add(span)
    }

    #[track_caller]
    pub(super) fn admitted(&mut self) -> Permit {
        self.breaker.admit(false, self.now).expect("the call is admitted")
    }

    /// A call of work that has just arrived.
    #[track_caller]
    pub(super) fn admitted_on_arrival(&mut self) -> Permit {
        self.breaker.admit(true, self.now).expect("the call is admitted")
    }

    /// Waits until a call is admitted. Returns it and how long that took.
    #[track_caller]
    pub(super) fn admitted_after_wait(&mut self) -> (Permit, Span) {
        let begin = self.now;
        if let Some(held) = self.held() {
            self.now = MonotonicTime::from_micros(held.as_micros() - 1);
            assert_eq!(self.held(), Some(held), "a call is admitted before its time");
            self.now = held;
        }
        (self.admitted(), self.now.since(begin))
    }

    /// When a call is admitted, if none is now.
    #[track_caller]
    pub(super) fn held(&mut self) -> Option<MonotonicTime> {
        self.held_if(false)
    }

    #[track_caller]
    pub(super) fn held_on_arrival(&mut self) -> Option<MonotonicTime> {
        self.held_if(true)
    }

    #[track_caller]
    fn held_if(&mut self, has_just_arrived: bool) -> Option<MonotonicTime> {
        let held = self.breaker.held_until(has_just_arrived, self.now);
        held.map(|held| held.expect("it depends on the time alone"))
    }

    /// A call of the work is admitted and fails.
    #[track_caller]
    pub(super) fn fails(&mut self, work: u32) -> Failed {
        let permit = self.admitted();
        self.failed(permit, work)
    }

    /// Like [`fails`](Self::fails), when a call is admitted. Returns how long that took.
    #[track_caller]
    pub(super) fn fails_after_wait(&mut self, work: u32) -> Span {
        let (permit, waited) = self.admitted_after_wait();
        self.failed(permit, work);
        waited
    }

    pub(super) fn failed(&mut self, permit: Permit, work: u32) -> Failed {
        self.breaker.failed(permit, FailedCall::sent(&work), self.now, 0)
    }

    #[track_caller]
    pub(super) fn fails_with_retry_after(&mut self, work: u32, retry_after: Span) -> Failed {
        let permit = self.admitted();
        self.failed_with_retry_after(permit, work, retry_after)
    }

    pub(super) fn failed_with_retry_after(&mut self, permit: Permit, work: u32, retry_after: Span) -> Failed {
        let call = FailedCall { retry_after: Some(retry_after), ..FailedCall::sent(&work) };
        self.breaker.failed(permit, call, self.now, 0)
    }

    #[track_caller]
    pub(super) fn is_not_sent(&mut self, work: u32) -> Failed {
        let permit = self.admitted();
        self.breaker.failed(permit, FailedCall { was_sent: false, ..FailedCall::sent(&work) }, self.now, 0)
    }

    #[track_caller]
    pub(super) fn serves(&mut self, work: u32) -> Served<u32> {
        let permit = self.admitted();
        self.served(permit, work)
    }

    /// The destination serves a call that has just begun.
    pub(super) fn served(&mut self, permit: Permit, work: u32) -> Served<u32> {
        self.served_since(permit, work, self.now)
    }

    pub(super) fn served_since(&mut self, permit: Permit, work: u32, began_at: MonotonicTime) -> Served<u32> {
        self.breaker.served(permit, &work, began_at, self.now)
    }

    /// Two new pieces of work are served, which resumes the destination.
    #[track_caller]
    pub(super) fn resumes(&mut self) -> RowVerdicts<u32> {
        let (permit, _) = self.admitted_after_wait();
        assert!(!self.served(permit, 1_000_001).has_resumed);
        let served = self.serves(1_000_002);
        assert!(served.has_resumed && !self.breaker.is_paused());
        served.decided.expect("a pause ends with its row")
    }

    /// Returns whether that resumes the destination.
    pub(super) fn has_no_other_work(&mut self) -> bool {
        self.breaker.has_no_other_work(self.now).has_resumed
    }

    pub(super) fn state(&self) -> BreakerState {
        self.breaker.state(self.now)
    }
}
