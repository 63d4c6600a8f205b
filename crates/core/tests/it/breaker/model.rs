//! A breaker that stores nothing but what happened, and answers every question by reading all of it.

/// Times and spans are microseconds.
const MS: u64 = 1_000;
pub(super) const SECOND: u64 = 1_000 * MS;
const MINUTE: u64 = 60 * SECOND;

#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    pub(super) threshold: usize,
    pub(super) longest_wait: u64,
    pub(super) probes: usize,
    pub(super) probe_timeout: u64,
    pub(super) patience: u64,
    pub(super) calls_at_once: usize,
}

/// Something that happened. A call is a number, and so is a piece of work.
#[derive(Debug, Clone, Copy)]
pub(super) enum Event {
    Admitted { call: usize, has_just_arrived: bool },
    Served { call: usize, work: u32 },
    Failed { call: usize, work: u32, was_sent: bool, retry_after: Option<u64> },
    Abandoned { call: usize },
    Polled,
    HasNoOtherWork,
}

#[derive(Debug)]
pub(super) struct History {
    pub(super) settings: Settings,
    events: Vec<(u64, Event)>,
    /// What reading the events has found, in order. Only the last one may go on.
    streaks: Vec<Streak>,
    /// What each event has decided about which work.
    decisions: Vec<(usize, u32, Decided)>,
}

/// Calls that have failed one after the other, and the pause that they have caused; by the numbers of events. It ends by
/// a served call, and if there is a pause, with that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Streak {
    first: usize,
    pause: Option<usize>,
    end: Option<usize>,
}

/// What an event has decided about a piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decided {
    Charged,
    Forgiven,
}

impl History {
    pub(super) fn new(settings: Settings) -> Self {
        Self { settings, events: Vec::new(), streaks: Vec::new(), decisions: Vec::new() }
    }

    /// Appends an event and returns its number.
    pub(super) fn push(&mut self, at: u64, event: Event) -> usize {
        self.events.push((at, event));
        self.streaks = self.read_streaks();
        let last = self.events.len() - 1;
        let mut works: Vec<u32> = (0..last).filter_map(|event| self.failed_work(event)).collect();
        works.sort_unstable();
        works.dedup();
        let decisions = works.into_iter().filter_map(|work| Some((last, work, self.decision(last, work)?)));
        let decisions: Vec<_> = decisions.collect();
        self.decisions.extend(decisions);
        last
    }

    fn at(&self, event: usize) -> u64 {
        self.events[event].0
    }

    fn served_work(&self, event: usize) -> Option<u32> {
        match self.events[event].1 {
            Event::Served { work, .. } => Some(work),
            _ => None,
        }
    }

    fn failed_work(&self, event: usize) -> Option<u32> {
        match self.events[event].1 {
            Event::Failed { work, .. } => Some(work),
            _ => None,
        }
    }

    fn call_served(&self, event: usize) -> Option<usize> {
        match self.events[event].1 {
            Event::Served { call, .. } => Some(call),
            _ => None,
        }
    }

    // Streaks and pauses

    fn read_streaks(&self) -> Vec<Streak> {
        let mut streaks: Vec<Streak> = Vec::new();
        let mut from = 0;
        while let Some(first) = (from..self.events.len()).find(|event| self.failed_work(*event).is_some()) {
            let pause = (first..self.events.len()).find(|event| self.is_pause_due(first, *event));
            streaks.push(Streak { first, pause, end: None });
            let end = (first..self.events.len()).find(|event| self.is_end(&streaks, *event));
            let pause = pause.filter(|pause| end.is_none_or(|end| *pause < end));
            streaks.pop();
            streaks.push(Streak { first, pause, end });
            let Some(end) = end else { break };
            from = end + 1;
        }
        streaks
    }

    fn current(&self) -> Option<Streak> {
        self.streaks.last().copied().filter(|streak| streak.end.is_none())
    }

    /// The current streak and the beginning of its pause.
    fn current_pause(&self) -> Option<(Streak, usize)> {
        let streak = self.current()?;
        Some((streak, streak.pause?))
    }

    /// Whether the different pieces of work that have failed from one event to another are as many as pause the
    /// destination, where four count as one that were charged before.
    fn is_full(&self, first: usize, last: usize) -> bool {
        let mut quarters = 0;
        for event in first..=last {
            let Some(work) = self.failed_work(event) else { continue };
            if (first..event).all(|before| self.failed_work(before) != Some(work)) {
                quarters += if self.was_charged_before(event, work) { 1 } else { 4 };
            }
        }
        quarters >= 4 * self.settings.threshold
    }

    /// Whether a streak that begins with `first` is long enough at `event` to pause the destination.
    fn is_pause_due(&self, first: usize, event: usize) -> bool {
        match self.events[event].1 {
            Event::Failed { .. } => self.is_full(first, event),
            Event::Polled => self.at(event) - self.at(first) >= 5 * SECOND,
            _ => false,
        }
    }

    /// Whether the event ends the last one of the streaks.
    fn is_end(&self, streaks: &[Streak], event: usize) -> bool {
        let pause = streaks.last().and_then(|streak| streak.pause).filter(|pause| *pause < event);
        let Some(pause) = pause else { return self.served_work(event).is_some() };
        let before = self.sequence(streaks, pause, event);
        match self.events[event].1 {
            Event::Served { work, .. } => before.is_some_and(|before| before != work),
            Event::HasNoOtherWork => before.is_some(),
            _ => false,
        }
    }

    /// The work of the last call that was served in the pause and before `event`, if no work has failed since that was
    /// neither in the row nor charged before.
    fn sequence(&self, streaks: &[Streak], pause: usize, event: usize) -> Option<u32> {
        let is_interruption = |event: &usize| {
            self.failed_work(*event).is_some_and(|work| {
                self.last_failure(streaks, *event, work).is_none() && !self.was_charged_before(*event, work)
            })
        };
        let last = (pause + 1..event).rev().find(|event| self.served_work(*event).is_some() || is_interruption(event));
        self.served_work(last?)
    }

    pub(super) fn is_paused(&self) -> bool {
        self.current_pause().is_some()
    }

    pub(super) fn waits_for_other_work(&self) -> bool {
        let pause = self.current_pause();
        pause.is_some_and(|(_, pause)| self.sequence(&self.streaks, pause, self.events.len()).is_some())
    }

    pub(super) fn pauses_at(&self) -> Option<u64> {
        let streak = self.current().filter(|streak| streak.pause.is_none())?;
        Some(self.at(streak.first) + 5 * SECOND)
    }

    // The row

    /// The last failure of the work before `event`, if the work is in the row then: neither served nor decided since.
    fn last_failure(&self, streaks: &[Streak], event: usize, work: u32) -> Option<usize> {
        let failure = (0..event).rev().find(|event| self.failed_work(*event) == Some(work))?;
        (!self.is_over(streaks, failure, event, work)).then_some(failure)
    }

    /// Whether the work has left the row between a failure and another event.
    fn is_over(&self, streaks: &[Streak], failure: usize, event: usize, work: u32) -> bool {
        (failure + 1..event)
            .any(|event| self.served_work(event) == Some(work) || self.decides(streaks, event, self.at(failure)))
    }

    /// Whether the event decides about work in the row that has last failed at this time: it had when the served call
    /// began, or it belongs to the outage that has ended.
    fn decides(&self, streaks: &[Streak], event: usize, failed_at: u64) -> bool {
        let is_of = |streak: &&Streak| streak.first <= event && streak.end.is_none_or(|end| event <= end);
        let streak = streaks.iter().find(is_of);
        let pause = streak.and_then(|streak| streak.pause).filter(|pause| *pause < event);
        let Some((streak, pause)) = streak.zip(pause) else {
            return self.call_served(event).is_some_and(|call| failed_at <= self.began(call));
        };
        let began = (pause..=event).filter_map(|event| self.call_served(event)).map(|call| self.began(call)).max();
        streak.end == Some(event) && (self.is_outage(*streak, event) || began.is_some_and(|began| failed_at <= began))
    }

    /// Whether a call of the work in the row was sent and has failed; `None` if it is not in the row before `event`.
    fn sent_before(&self, event: usize, work: u32) -> Option<bool> {
        let mut failure = self.last_failure(&self.streaks, event, work)?;
        loop {
            if matches!(self.events[failure].1, Event::Failed { was_sent: true, .. }) {
                return Some(true);
            }
            let Some(before) = self.last_failure(&self.streaks, failure, work) else { return Some(false) };
            failure = before;
        }
    }

    pub(super) fn was_sent(&self, work: u32) -> Option<bool> {
        self.sent_before(self.events.len(), work)
    }

    fn is_first(&self, event: usize) -> bool {
        self.failed_work(event).is_some_and(|work| self.last_failure(&self.streaks, event, work).is_none())
    }

    /// Whether the failure is the first of its work in the row, and whether it has paused the destination.
    pub(super) fn failure(&self, event: usize) -> (bool, bool) {
        (self.is_first(event), self.streaks.iter().any(|streak| streak.pause == Some(event)))
    }

    pub(super) fn has_row(&self) -> bool {
        let mut works = self.events.iter().filter_map(|(_, event)| match event {
            Event::Failed { work, .. } => Some(*work),
            _ => None,
        });
        self.is_paused() || works.any(|work| self.was_sent(work).is_some())
    }

    /// When the last piece of work has joined the row.
    pub(super) fn grew_at(&self) -> Option<u64> {
        let last = (0..self.events.len()).rev().find(|event| self.is_first(*event));
        last.filter(|_| self.has_row()).map(|event| self.at(event))
    }

    /// Whether as much work has failed without an answer as pauses the destination.
    pub(super) fn has_full_row(&self) -> bool {
        self.current().is_some_and(|streak| self.is_full(streak.first, self.events.len() - 1))
    }

    // RowVerdicts

    /// Whether the event has ended a pause.
    pub(super) fn has_resumed(&self, event: usize) -> bool {
        self.streaks.iter().any(|streak| streak.pause.is_some() && streak.end == Some(event))
    }

    /// What the event has decided about the work.
    pub(super) fn decided(&self, event: usize, work: u32) -> Option<Decided> {
        let is_it = |(of, about, _): &&(usize, u32, Decided)| (*of, *about) == (event, work);
        self.decisions.iter().find(is_it).map(|(_, _, decided)| *decided)
    }

    fn decision(&self, event: usize, work: u32) -> Option<Decided> {
        let failure = self.last_failure(&self.streaks, event, work)?;
        if self.served_work(event) == Some(work) || !self.decides(&self.streaks, event, self.at(failure)) {
            return None;
        }
        let may_forgive = self.is_end_of_outage(event) && self.outages(event, work) < 3;
        let is_forgiven = self.sent_before(event, work) == Some(false) || may_forgive;
        Some(if is_forgiven { Decided::Forgiven } else { Decided::Charged })
    }

    fn is_end_of_outage(&self, event: usize) -> bool {
        let ended = self.streaks.iter().find(|streak| streak.pause.is_some() && streak.end == Some(event));
        ended.is_some_and(|streak| self.is_outage(*streak, event))
    }

    fn is_outage(&self, streak: Streak, end: usize) -> bool {
        self.at(end) - self.at(streak.first) >= 30 * SECOND && self.is_full(streak.first, end)
    }

    fn last_served(&self, event: usize, work: u32) -> Option<usize> {
        (0..event).rev().find(|event| self.served_work(*event) == Some(work))
    }

    /// The outages before `event` in which the work was called and failed, since it was served.
    fn outages(&self, event: usize, work: u32) -> usize {
        let ends = (self.last_served(event, work).unwrap_or(0)..event).filter(|end| self.is_end_of_outage(*end));
        ends.filter(|end| {
            self.sent_before(*end, work) == Some(true) && self.decided(*end, work) == Some(Decided::Forgiven)
        })
        .count()
    }

    /// Whether an event before this one has charged the work, since it was served.
    fn was_charged_before(&self, event: usize, work: u32) -> bool {
        let served = self.last_served(event, work);
        self.decisions.iter().any(|(by, about, decided)| {
            *about == work && *decided == Decided::Charged && *by < event && served.is_none_or(|served| served < *by)
        })
    }

    pub(super) fn was_charged(&self, work: u32) -> bool {
        self.was_charged_before(self.events.len(), work)
    }

    // Calls

    fn admission(&self, call: usize) -> usize {
        let is_it = |(_, event): &(u64, Event)| matches!(event, Event::Admitted { call: of, .. } if *of == call);
        self.events.iter().position(is_it).expect("it was admitted")
    }

    /// When the call has begun.
    pub(super) fn began(&self, call: usize) -> u64 {
        self.at(self.admission(call))
    }

    fn is_running(&self, call: usize) -> bool {
        self.events.iter().all(|(_, event)| match event {
            Event::Served { call: of, .. } | Event::Failed { call: of, .. } | Event::Abandoned { call: of } => {
                *of != call
            }
            Event::Admitted { .. } | Event::Polled | Event::HasNoOtherWork => true,
        })
    }

    /// The calls that were admitted from an event on: the event, the call, and whether its work had just arrived.
    fn admitted_since(&self, first: usize) -> impl Iterator<Item = (usize, usize, bool)> {
        (first..self.events.len()).filter_map(|event| match self.events[event].1 {
            Event::Admitted { call, has_just_arrived } => Some((event, call, has_just_arrived)),
            _ => None,
        })
    }

    /// When each running probe of the pause is given up.
    pub(super) fn running_probes(&self, now: u64) -> Vec<u64> {
        let Some((_, pause)) = self.current_pause() else { return Vec::new() };
        self.admitted_since(pause)
            .filter(|(_, call, _)| self.is_running(*call))
            .map(|(event, _, _)| self.at(event) + self.settings.probe_timeout)
            .filter(|given_up| now < *given_up)
            .collect()
    }

    /// What a call gets now: whether it is a probe, or else from when on there may be one, if that depends on time.
    pub(super) fn answer(&self, has_just_arrived: bool, now: u64) -> Result<bool, Option<u64>> {
        let Some((_, pause)) = self.current_pause() else { return self.answer_of_start(now) };
        let running = self.running_probes(now);
        if running.len() >= self.settings.probes {
            return Err(running.into_iter().min());
        }
        let mut at = self.next_probe(pause);
        if has_just_arrived {
            at = at.min(self.next_arrival(pause));
        }
        if now < at { Err(Some(at)) } else { Ok(true) }
    }

    // Probes

    pub(super) fn next_probe_at(&self) -> Option<u64> {
        self.current_pause().map(|(_, pause)| self.next_probe(pause))
    }

    /// The last served call of the pause, or its beginning.
    fn last_answer(&self, pause: usize) -> usize {
        (pause..self.events.len()).rev().find(|event| self.served_work(*event).is_some()).unwrap_or(pause)
    }

    /// When work that has not just arrived may probe.
    fn next_probe(&self, pause: usize) -> u64 {
        let answer = self.last_answer(pause);
        let failed_probes: Vec<usize> = (answer + 1..self.events.len())
            .filter(|event| matches!(self.events[*event].1, Event::Failed { call, .. } if self.admission(call) > pause))
            .collect();
        let waited = match failed_probes.last() {
            None => self.at(answer),
            Some(last) => {
                let doublings = u32::try_from(failed_probes.len() - 1).unwrap().min(30);
                self.at(*last) + (100 * MS * 2u64.pow(doublings)).min(self.settings.longest_wait)
            }
        };
        waited.max(self.retry_after())
    }

    /// When work that has just arrived may probe.
    fn next_arrival(&self, pause: usize) -> u64 {
        let last = self.admitted_since(pause).filter(|(_, _, has_just_arrived)| *has_just_arrived).last();
        let next = last.map_or(0, |(event, _, _)| self.at(event) + SECOND);
        next.max(self.retry_after())
    }

    /// The end of the `Retry-After` that the destination has sent since it served a call or resumed. A second one may
    /// shorten it, and does not lengthen it.
    fn retry_after(&self) -> u64 {
        let is_answer = |event: &usize| self.served_work(*event).is_some() || self.has_resumed(*event);
        let answer = (0..self.events.len()).rev().find(is_answer);
        let mut end = 0;
        for event in answer.unwrap_or(0)..self.events.len() {
            if let Event::Failed { retry_after: Some(hint), .. } = self.events[event].1 {
                let (at, hinted) = (self.at(event), self.at(event) + hint.min(5 * MINUTE));
                end = if at < end { hinted.min(end) } else { hinted };
            }
        }
        end
    }

    // The start after a pause

    fn answer_of_start(&self, now: u64) -> Result<bool, Option<u64>> {
        let running = |since: usize| self.admitted_since(since).filter(|(_, call, _)| self.is_running(*call)).count();
        match self.start() {
            Some(resumed) if running(resumed) >= self.calls_permitted(resumed, now) => {
                let second_half = self.at(resumed) + SECOND;
                Err((now < second_half).then_some(second_half))
            }
            _ => Ok(false),
        }
    }

    /// The event that has resumed the destination, if calls start slowly since.
    fn start(&self) -> Option<usize> {
        let last = self.streaks.iter().rev().find(|streak| streak.pause.is_some())?;
        let (pause, resumed) = (last.pause?, last.end?);
        let is_over = |event: usize| {
            self.served_work(event).is_some()
                && self.at(event) - self.at(resumed) >= SECOND
                && self.doubled(resumed, event) >= self.settings.calls_at_once
        };
        let is_long = self.at(resumed) - self.at(pause) > SECOND;
        (is_long && !(resumed + 1..self.events.len()).any(is_over)).then_some(resumed)
    }

    /// One, doubled by each call that was served after the destination has resumed.
    fn doubled(&self, resumed: usize, last: usize) -> usize {
        let served = (resumed + 1..=last).filter(|event| self.served_work(*event).is_some()).count();
        2usize.saturating_pow(u32::try_from(served).unwrap())
    }

    fn calls_permitted(&self, resumed: usize, now: u64) -> usize {
        let doubled = self.doubled(resumed, self.events.len() - 1);
        let half = (self.settings.calls_at_once / 2).max(1);
        if now - self.at(resumed) < SECOND { doubled.min(half) } else { doubled }
    }
}
