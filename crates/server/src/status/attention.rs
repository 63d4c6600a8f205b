//! What needs attention: the rules, their order and their sentences.

use std::cmp::Reverse;

use redrive_core::{QueueName, Span, Status, Time};
use redrive_proto::redrive::v1::{Attention, QueueStatus, RouteStatusEntry, ServerStatus};

use super::queue_pass::SeenQueue;
use super::retries::QueueRetries;
use crate::api_error::ApiError;
use crate::auth::{Permission, Permissions, namespace_of, or_system};
use crate::letters::{StalledRun, degraded};
use crate::request_context::RequestContext;
use crate::settings::Settings;
use crate::wire::big_count;

/// Maximum number of entries that are returned.
const ENTRIES_MAX: usize = 50;
/// Retries that are due for longer than this are late. A shorter delay is normal while many letters are due.
const LATE_AFTER: Span = Span::from_mins(5);
/// An index whose oldest change waits for longer than this is behind.
const BEHIND_AFTER_MS: i64 = 60_000;

/// What needs attention, the most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AttentionKind {
    StoreFailed,
    DiskFull,
    Damaged,
    Stranded,
    QueueFull,
    IndexDown,
    ProcessorFailing,
    TargetWithoutQueue,
    RouteFailing,
    BreakerOpen,
    RetriesPaused,
    RetriesStopped,
    RetriesLate,
    RunEndedEarly,
    RunWaiting,
    Paused,
    RoutePaused,
    DiskLow,
    IndexBehind,
    NearlyFull,
    NoTarget,
    TooManyLetters,
    OldLetters,
    Exhausted,
}

impl AttentionKind {
    /// The severity, and the name on the wire.
    const fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::StoreFailed => ("critical", "store_failed"),
            Self::DiskFull => ("critical", "disk_full"),
            Self::Damaged => ("critical", "damaged"),
            Self::Stranded => ("critical", "stranded"),
            Self::QueueFull => ("critical", "queue_full"),
            Self::IndexDown => ("warning", "index_down"),
            Self::ProcessorFailing => ("warning", "processor_failing"),
            Self::TargetWithoutQueue => ("warning", "target_without_queue"),
            Self::RouteFailing => ("warning", "route_failing"),
            Self::BreakerOpen => ("warning", "breaker_open"),
            Self::RetriesPaused => ("warning", "retries_paused"),
            Self::RetriesStopped => ("warning", "retries_stopped"),
            Self::RetriesLate => ("warning", "retries_late"),
            Self::RunEndedEarly => ("warning", "run_ended_early"),
            Self::RunWaiting => ("warning", "run_waiting"),
            Self::Paused => ("warning", "paused"),
            Self::RoutePaused => ("warning", "route_paused"),
            Self::DiskLow => ("warning", "disk_low"),
            Self::IndexBehind => ("warning", "index_behind"),
            Self::NearlyFull => ("warning", "nearly_full"),
            Self::NoTarget => ("notice", "no_target"),
            Self::TooManyLetters => ("notice", "too_many_letters"),
            Self::OldLetters => ("notice", "old_letters"),
            Self::Exhausted => ("notice", "exhausted"),
        }
    }

    /// What the command that helps needs in the namespace of the entry.
    const fn needs(self) -> Option<Permission> {
        match self {
            Self::StoreFailed | Self::DiskFull | Self::DiskLow | Self::Stranded => None,
            Self::QueueFull
            | Self::NearlyFull
            | Self::TooManyLetters
            | Self::OldLetters
            | Self::NoTarget
            | Self::Exhausted
            | Self::ProcessorFailing
            | Self::BreakerOpen
            | Self::RetriesLate
            | Self::RunWaiting
            | Self::IndexDown
            | Self::IndexBehind => Some(Permission::LettersRead),
            Self::RunEndedEarly => Some(Permission::LettersRetry),
            Self::RetriesPaused | Self::RetriesStopped => Some(Permission::LettersConfigure),
            Self::Damaged => Some(Permission::QueueStats),
            Self::TargetWithoutQueue => Some(Permission::QueueCreate),
            Self::Paused => Some(Permission::QueueUpdate),
            Self::RouteFailing => Some(Permission::RoutesRead),
            Self::RoutePaused => Some(Permission::RoutesWrite),
        }
    }

    fn message(self, name: &str, count: i64) -> String {
        let many = |one: &str, more: &str| if count == 1 { format!("1 {one}") } else { format!("{count} {more}") };
        let letters = || many("letter", "letters");
        match self {
            Self::StoreFailed => {
                "the disk failed: only reads are answered until the server is started again".to_owned()
            }
            Self::DiskFull => "the disk is full: only requests that free space are accepted".to_owned(),
            Self::Damaged => {
                format!("{} of '{name}' set aside: damaged on disk", many("item or letter", "items or letters"))
            }
            Self::Stranded => {
                format!("{} of '{name}' died, and the dead queue does not exist", many("item", "items"))
            }
            Self::QueueFull => {
                format!("'{name}' is full, captures are rejected: its max_size is reached by {}", letters())
            }
            Self::IndexDown => format!("the index does not accept letters: {count} wait in the store"),
            Self::ProcessorFailing => format!("letters of '{name}' cannot be claimed or settled"),
            Self::TargetWithoutQueue => {
                format!("the queue '{name}' of dlq.targets does not exist: create it, or restart the server")
            }
            Self::RouteFailing => format!("the route '{name}' does not proceed"),
            Self::BreakerOpen => {
                format!("the circuit breaker of {} of '{name}' is not closed", many("destination", "destinations"))
            }
            Self::RetriesPaused => format!("the retries of '{name}' are paused: {} due", letters()),
            Self::RetriesStopped => format!("the retries of '{name}' are stopped: {} due", letters()),
            Self::RunEndedEarly => format!("a bulk run on '{name}' ended early: {} not tried", letters()),
            Self::RunWaiting => format!("a bulk run on '{name}' waits: {} left", letters()),
            Self::RetriesLate => {
                let late = LATE_AFTER.as_micros() / 60_000_000;
                format!("{} of '{name}' due, the first for more than {late} minutes", letters())
            }
            Self::Paused => format!("'{name}' is paused: {} waiting", many("item", "items")),
            Self::RoutePaused => {
                format!("the route '{name}' is paused: {} waiting", many("record or message", "records or messages"))
            }
            Self::DiskLow => "the disk is nearly full: requests that add data will be rejected".to_owned(),
            Self::IndexBehind => format!("the index is behind: {count} changes wait in the store"),
            Self::NearlyFull => format!("'{name}' is nearly full: {}", letters()),
            Self::NoTarget => {
                format!("{} of '{name}' pending without a target for retries", letters())
            }
            Self::TooManyLetters => format!("'{name}' has more letters than dlq.degraded_depth: {count}"),
            Self::OldLetters => format!("letters of '{name}' are pending for longer than dlq.degraded_age"),
            Self::Exhausted => format!("{} of '{name}' exhausted: no retries left", letters()),
        }
    }
}

/// One entry, before its sentence is written. Only the most severe entries get one.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Finding {
    kind: AttentionKind,
    /// The queue or the route; empty for the server.
    name: String,
    /// Its namespace; empty for the server, and for routes of the system.
    namespace: String,
    /// Of a bulk run: its id, and why it does not proceed.
    run: (String, String),
    count: i64,
}

impl Finding {
    fn new(kind: AttentionKind, namespace: &str, name: &str, count: i64) -> Self {
        let (name, namespace) = (name.to_owned(), namespace.to_owned());
        Self { kind, name, namespace, run: Default::default(), count }
    }

    /// The entry for a caller with these permissions in the namespace.
    fn into_entry(self, held: Permissions) -> Attention {
        let Self { kind, name, namespace, run: (run, cause), count } = self;
        let mut message = kind.message(&name, count);
        if !cause.is_empty() {
            message += &format!("; {cause}");
        }
        let is_of_route = matches!(kind, AttentionKind::RouteFailing | AttentionKind::RoutePaused);
        let (route_name, queue_name) = if is_of_route { (name, String::new()) } else { (String::new(), name) };
        let lacking = kind.needs().filter(|needed| !held.has(*needed));
        let missing_permission = lacking.map(|needed| needed.name().to_owned()).unwrap_or_default();
        let (severity, kind) = kind.texts();
        let (severity, kind) = (severity.to_owned(), kind.to_owned());
        Attention { severity, kind, message, queue_name, count, route_name, namespace, run, missing_permission }
    }
}

/// The entries found so far.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Finding>);

impl Findings {
    fn add(&mut self, kind: AttentionKind, namespace: &str, queue: &str, count: i64) {
        self.0.push(Finding::new(kind, namespace, queue, count));
    }

    /// Applies the rules about a route: one that should run must be healthy, and nothing should wait for one that is
    /// paused.
    pub(super) fn check_route(&mut self, route: &RouteStatusEntry, should_run: bool) {
        let waiting = route.lag.filter(|lag| route.state == "paused" && *lag > 0);
        let (kind, count) = match waiting {
            _ if should_run && !route.is_healthy => (AttentionKind::RouteFailing, 0),
            Some(lag) => (AttentionKind::RoutePaused, lag),
            None => return,
        };
        self.add(kind, &route.namespace, &route.name, count);
    }

    /// Applies the rules about a bulk run: it should proceed until no letter is left.
    pub(super) fn check_run(&mut self, run: StalledRun) {
        let kind = if run.has_ended { AttentionKind::RunEndedEarly } else { AttentionKind::RunWaiting };
        let finding = Finding::new(kind, &run.namespace, run.queue.as_str(), big_count(run.letters));
        self.0.push(Finding { run: (run.id, run.cause), ..finding });
    }

    /// Applies the rules about the server.
    pub(super) fn check_server(&mut self, server: &ServerStatus) {
        match server.store.as_str() {
            "failed" => self.add(AttentionKind::StoreFailed, "", "", 0),
            "full" => self.add(AttentionKind::DiskFull, "", "", 0),
            _ if is_low(server) => self.add(AttentionKind::DiskLow, "", "", 0),
            _ => {}
        }
        match server.index.as_str() {
            "down" => self.add(AttentionKind::IndexDown, "", "", server.index_outbox_depth),
            "catching_up" if server.index_lag_ms > BEHIND_AFTER_MS => {
                self.add(AttentionKind::IndexBehind, "", "", server.index_outbox_depth);
            }
            _ => {}
        }
    }

    /// Applies the rules about the numbers of a queue.
    pub(super) fn check_queue(&mut self, queue: &SeenQueue<'_>, status: &QueueStatus, limits: &Settings, now: Time) {
        let SeenQueue { settings, stats, has_target, .. } = queue;
        let name = settings.name.as_str();
        let mut add = |kind, count| self.add(kind, namespace_of(settings), name, count);
        let pending = stats.letters.of(Status::Pending);
        let is_full = stats.max_size.is_some_and(|most| stats.letters.live() >= most);
        let is_late = stats.next_due_at.is_some_and(|at| at.saturating_add(LATE_AFTER) < now);
        if status.damaged > 0 {
            add(AttentionKind::Damaged, status.damaged);
        }
        if status.stranded > 0 {
            add(AttentionKind::Stranded, status.stranded);
        }
        if is_full {
            add(AttentionKind::QueueFull, status.dead);
        }
        if *has_target && is_late && stats.overdue > 0 {
            add(AttentionKind::RetriesLate, status.overdue);
        }
        if settings.is_paused && status.ready > 0 {
            add(AttentionKind::Paused, status.ready);
        }
        for reason in degraded(stats, limits, now) {
            match reason {
                "depth" => add(AttentionKind::TooManyLetters, status.dead),
                "age" => add(AttentionKind::OldLetters, 0),
                "utilization" if !is_full => add(AttentionKind::NearlyFull, status.dead),
                _ => {}
            }
        }
        if !has_target && pending > 0 {
            add(AttentionKind::NoTarget, big_count(pending));
        }
        if status.exhausted > 0 {
            add(AttentionKind::Exhausted, status.exhausted);
        }
    }

    /// A queue of `dlq.targets` that does not exist, and the namespace in which it is created.
    pub(super) fn add_missing_queue(&mut self, queue: &QueueName, namespace: &str) {
        self.add(AttentionKind::TargetWithoutQueue, namespace, queue.as_str(), 0);
    }

    /// Applies the rules about the retries of a queue of this namespace, of which so many letters are due.
    pub(super) fn check_retries(&mut self, retries: &QueueRetries, namespace: &str, overdue: i64) {
        let status = &retries.status;
        let halted = match status.state.as_str() {
            "paused" => Some(AttentionKind::RetriesPaused),
            "stopped" | "draining" => Some(AttentionKind::RetriesStopped),
            _ => None,
        };
        if let Some(kind) = halted.filter(|_| overdue > 0) {
            // The letters are late for this reason.
            self.0.retain(|found| (found.kind, &found.name) != (AttentionKind::RetriesLate, &status.queue_name));
            self.add(kind, namespace, &status.queue_name, overdue);
        }
        if !retries.is_progressing {
            self.add(AttentionKind::ProcessorFailing, namespace, &status.queue_name, 0);
        }
        if status.open_breakers > 0 {
            self.add(AttentionKind::BreakerOpen, namespace, &status.queue_name, status.open_breakers);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The most severe entries; of equal ones, those with the largest counts.
    pub(super) async fn into_entries(mut self, ctx: &RequestContext) -> Result<Vec<Attention>, ApiError> {
        self.sort();
        let mut entries = Vec::new();
        for finding in self.0.into_iter().take(ENTRIES_MAX) {
            let held = ctx.permissions_in(or_system(&finding.namespace)).await?;
            entries.push(finding.into_entry(held));
        }
        Ok(entries)
    }

    fn sort(&mut self) {
        self.0.sort_by(|one, other| {
            let key = |finding: &Finding| (finding.kind, Reverse(finding.count));
            key(one).cmp(&key(other)).then_with(|| (&one.name, &one.namespace).cmp(&(&other.name, &other.namespace)))
        });
    }
}

/// Whether less disk space is free than the threshold says.
fn is_low(server: &ServerStatus) -> bool {
    server.disk_free_bytes.zip(server.disk_low_bytes).is_some_and(|(free, low)| free < low)
}

#[cfg(test)]
mod tests {
    use redrive_proto::redrive::v1::RetriesStatus;

    use super::*;

    fn server(store: &str, index: &str, index_lag_ms: i64) -> ServerStatus {
        let (store, index) = (store.to_owned(), index.to_owned());
        ServerStatus { store, index, index_lag_ms, index_outbox_depth: 7, ..ServerStatus::default() }
    }

    /// Fails unless a check finds exactly these kinds, with these counts.
    fn assert_finds(expected: &[(&str, i64)], check: impl FnOnce(&mut Findings)) {
        let mut findings = Findings::default();
        check(&mut findings);
        findings.sort();
        let found: Vec<_> = findings.0.iter().map(|found| (found.kind.texts().1, found.count)).collect();
        assert_eq!(found, expected, "{findings:?}");
    }

    #[test]
    fn a_failed_or_full_store_and_an_index_that_is_down_or_behind_need_attention() {
        for (server, expected) in [
            (server("ok", "off", 0), &[][..]),
            (server("unknown", "ok", 90_000), &[]),
            (server("failed", "off", 0), &[("store_failed", 0)]),
            (server("full", "down", 0), &[("disk_full", 0), ("index_down", 7)]),
            (server("ok", "catching_up", 60_000), &[]),
            (server("ok", "catching_up", 60_001), &[("index_behind", 7)]),
        ] {
            assert_finds(expected, |findings| findings.check_server(&server));
        }
    }

    #[test]
    fn a_disk_below_its_threshold_needs_attention_unless_it_is_full() {
        for (free, low, expected) in [(Some(99), Some(100), true), (Some(100), Some(100), false), (None, None, false)] {
            let space = ServerStatus { disk_free_bytes: free, disk_low_bytes: low, ..server("ok", "off", 0) };
            let expected = if expected { &[("disk_low", 0)][..] } else { &[] };
            assert_finds(expected, |findings| findings.check_server(&space));
            let full = ServerStatus { store: "full".to_owned(), ..space };
            assert_finds(&[("disk_full", 0)], |findings| findings.check_server(&full));
        }
    }

    #[test]
    fn due_letters_of_paused_or_stopped_retries_need_attention_at_once() {
        for (state, overdue, expected) in [
            ("paused", 0, &[][..]),
            ("paused", 2, &[("retries_paused", 2)]),
            ("stopped", 1, &[("retries_stopped", 1)]),
            ("draining", 1, &[("retries_stopped", 1)]),
            ("running", 2, &[("retries_late", 2)]),
        ] {
            let (queue_name, state) = ("dead".to_owned(), state.to_owned());
            let status = RetriesStatus { queue_name, state, ..RetriesStatus::default() };
            assert_finds(expected, |findings| {
                if overdue > 0 {
                    findings.add(AttentionKind::RetriesLate, "shop", "dead", overdue);
                }
                findings.check_retries(&QueueRetries { status, is_progressing: true }, "shop", overdue);
            });
        }
    }

    #[test]
    fn a_paused_route_needs_attention_while_something_waits_for_it() {
        for (state, lag, expected) in [
            ("paused", Some(7), &[("route_paused", 7)][..]),
            ("paused", Some(0), &[]),
            ("paused", None, &[]),
            ("stopped", Some(7), &[]),
        ] {
            let route = RouteStatusEntry { state: state.to_owned(), lag, ..RouteStatusEntry::default() };
            assert_finds(expected, |findings| findings.check_route(&route, false));
        }
    }

    #[test]
    fn a_runner_that_does_not_progress_and_an_open_breaker_need_attention() {
        for (is_progressing, open_breakers, expected) in [
            (true, 0, &[][..]),
            (false, 0, &[("processor_failing", 0)]),
            (true, 2, &[("breaker_open", 2)]),
            (false, 1, &[("processor_failing", 0), ("breaker_open", 1)]),
        ] {
            let status = RetriesStatus { queue_name: "dead".to_owned(), open_breakers, ..RetriesStatus::default() };
            let retries = QueueRetries { status, is_progressing };
            assert_finds(expected, |findings| findings.check_retries(&retries, "shop", 0));
        }
    }

    #[test]
    fn a_route_that_should_run_and_does_not_proceed_needs_attention() {
        let route = |is_healthy| RouteStatusEntry {
            namespace: "shop".to_owned(),
            name: "orders".to_owned(),
            is_healthy,
            ..RouteStatusEntry::default()
        };
        for (is_healthy, should_run, expected) in [(true, true, 0), (false, false, 0), (false, true, 1)] {
            let mut findings = Findings::default();
            findings.check_route(&route(is_healthy), should_run);
            assert_eq!(findings.len(), expected);
            for entry in findings.0.into_iter().map(|found| found.into_entry(Permissions::ALL)) {
                let named = (entry.route_name.as_str(), entry.namespace.as_str(), entry.queue_name.as_str());
                assert_eq!((named, entry.kind.as_str()), (("orders", "shop", ""), "route_failing"));
            }
        }
    }

    #[test]
    fn severities_follow_the_order_of_the_kinds() {
        let mut findings = Findings::default();
        for kind in [AttentionKind::Exhausted, AttentionKind::NearlyFull, AttentionKind::StoreFailed] {
            findings.add(kind, "", "", 0);
        }
        findings.sort();
        let severities: Vec<&str> = findings.0.iter().map(|found| found.kind.texts().0).collect();
        assert_eq!(severities, ["critical", "warning", "notice"]);
    }
}
