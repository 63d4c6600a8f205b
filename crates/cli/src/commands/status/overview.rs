//! The overview as text: what needs attention, queues, destinations and server.

use std::io::Write;

use anyhow::Result;
use redrive_client::proto::Timestamp;
use redrive_client::proto::redrive::v1::{
    DestinationStatus, QueueStatus, ServerStatus, StatusGetResponse, StatusTotals,
};
use redrive_core::Span;

use super::next_step::next_step;
use crate::console::{Column, Fields, FittedRows, counted, non_zero, or_dash, printable, relative, rough};

/// An overview, ready to be printed.
#[derive(Debug)]
pub(super) struct Overview<'s> {
    status: &'s StatusGetResponse,
    address: &'s str,
}

const ATTENTION: &[Column] =
    &[Column::text("SEVERITY"), Column::text("PROBLEM").cut(30), Column::text("NEXT").from(110).cut(20)];

const QUEUES: &[Column] = &[
    Column::text("QUEUE").cut(12),
    Column::text("STATE"),
    Column::number("READY"),
    Column::number("LEASED"),
    Column::number("SCHEDULED").from(120),
    Column::number("DEAD"),
    Column::number("EXHAUSTED").from(120),
    Column::number("LIMIT").from(100),
    Column::number("OLDEST"),
    Column::number("IN/MIN"),
    Column::number("OUT/MIN"),
    Column::number("WAITING").from(160),
    Column::text("NAMESPACE").from(140).cut(10),
    Column::text("DEAD QUEUE").from(160).cut(12),
    Column::text("TARGET").from(100).cut(12),
];

const RETRIES: &[Column] = &[
    Column::text("QUEUE").cut(12),
    Column::text("STATE"),
    Column::number("RUNNING"),
    Column::text("DESTINATION").cut(12),
    Column::text("BREAKER"),
    Column::text("OPEN SINCE").from(100),
    Column::text("NEXT CALL"),
    Column::text("FAILING SINCE").from(140),
    Column::text("LAST ERROR").cut(12),
];

const ROUTES: &[Column] = &[
    Column::text("ROUTE").cut(12),
    Column::text("STATE"),
    Column::text("HEALTHY"),
    Column::number("RUNNING"),
    Column::number("LAG"),
    Column::number("DONE/MIN"),
    Column::number("LETTERS/MIN").from(100),
    Column::text("NAMESPACE").from(140).cut(10),
    Column::text("ERROR").cut(12),
];

impl<'s> Overview<'s> {
    pub(super) const fn new(status: &'s StatusGetResponse, address: &'s str) -> Self {
        Self { status, address }
    }

    /// The text for an output of this width.
    pub(super) fn print(&self, width: Option<usize>) -> Result<String> {
        let mut text = Vec::new();
        self.attention(&mut text, width)?;
        self.queues(&mut text, width)?;
        self.retries(&mut text, width)?;
        self.routes(&mut text, width)?;
        self.server(&mut text)?;
        Ok(String::from_utf8(text)?)
    }

    fn attention(&self, mut text: &mut Vec<u8>, width: Option<usize>) -> Result<()> {
        let (shown, total) = (&self.status.attention, self.status.attention_total);
        if shown.is_empty() {
            return Ok(writeln!(text, "nothing needs attention\n")?);
        }
        let omitted = total.saturating_sub(i64::try_from(shown.len())?);
        let more = if omitted > 0 { format!(", the {} most severe of {total}", shown.len()) } else { String::new() };
        writeln!(text, "needs attention{more}")?;
        let mut rows = FittedRows::new(&mut text, ATTENTION, width);
        for entry in shown {
            rows.push(vec![entry.severity.clone(), entry.message.clone(), next_step(entry)])?;
        }
        rows.finish()?;
        Ok(writeln!(text)?)
    }

    fn queues(&self, mut text: &mut Vec<u8>, width: Option<usize>) -> Result<()> {
        writeln!(text, "{}", totals(&self.status.totals.unwrap_or_default()))?;
        if self.status.queues.is_empty() {
            return Ok(writeln!(text)?);
        }
        let mut rows = FittedRows::new(&mut text, QUEUES, width);
        for queue in &self.status.queues {
            rows.push(self.row(queue))?;
        }
        rows.finish()?;
        if !self.status.next.is_empty() {
            let next = printable(&self.status.next);
            writeln!(text, "more queues follow: redrive status --from {next}")?;
        }
        Ok(writeln!(text)?)
    }

    fn row(&self, queue: &QueueStatus) -> Vec<String> {
        vec![
            queue.queue_name.clone(),
            if queue.is_paused { "paused" } else { "active" }.to_owned(),
            queue.ready.to_string(),
            queue.leased.to_string(),
            queue.scheduled.to_string(),
            queue.dead.to_string(),
            queue.exhausted.to_string(),
            queue.limit.map_or_else(|| "-".to_owned(), |limit| limit.to_string()),
            self.oldest(queue),
            rate(queue.in_per_minute),
            rate(queue.out_per_minute),
            queue.waiting.to_string(),
            queue.namespace.clone(),
            or_dash(&queue.dead_queue).to_owned(),
            or_dash(&queue.target).to_owned(),
        ]
    }

    /// The age of the oldest pending letter or ready item.
    fn oldest(&self, queue: &QueueStatus) -> String {
        let time = |time: Option<Timestamp>| time.and_then(Timestamp::time);
        let oldest = time(queue.oldest_at).zip(time(self.status.now));
        oldest.map_or_else(|| "-".to_owned(), |(oldest, now)| rough(now.since(oldest)))
    }

    fn retries(&self, mut text: &mut Vec<u8>, width: Option<usize>) -> Result<()> {
        if self.status.retries.is_empty() {
            return Ok(writeln!(text, "destinations: no visible queue has a target for retries\n")?);
        }
        writeln!(text, "destinations")?;
        let mut rows = FittedRows::new(&mut text, RETRIES, width);
        for retries in &self.status.retries {
            let row = |destination: &DestinationStatus| {
                let DestinationStatus { destination, breaker, next_probe_at, failing_since, last_error, open_since } =
                    destination;
                let queue = [retries.queue_name.clone(), retries.state.clone(), retries.running.to_string()];
                let texts = [destination, breaker].map(|text| or_dash(text).to_owned());
                let times = [open_since, next_probe_at, failing_since].map(|time| relative(*time, self.status.now));
                queue.into_iter().chain(texts).chain(times).chain([or_dash(last_error).to_owned()]).collect()
            };
            if retries.destinations.is_empty() || !retries.error.is_empty() {
                rows.push(row(&DestinationStatus { last_error: retries.error.clone(), ..Default::default() }))?;
            }
            retries.destinations.iter().try_for_each(|destination| rows.push(row(destination)))?;
        }
        rows.finish()?;
        Ok(writeln!(text)?)
    }

    fn routes(&self, mut text: &mut Vec<u8>, width: Option<usize>) -> Result<()> {
        let (shown, total) = (&self.status.routes, self.status.routes_total);
        if shown.is_empty() {
            return Ok(());
        }
        let omitted = total.saturating_sub(i64::try_from(shown.len())?);
        let more = if omitted > 0 { format!(", {} of {total}", shown.len()) } else { String::new() };
        writeln!(text, "routes{more}")?;
        let mut rows = FittedRows::new(&mut text, ROUTES, width);
        for route in shown {
            rows.push(vec![
                route.name.clone(),
                route.state.clone(),
                if route.is_healthy { "yes" } else { "no" }.to_owned(),
                route.running.to_string(),
                route.lag.map_or_else(|| "-".to_owned(), |lag| lag.to_string()),
                rate(route.done_per_minute),
                rate(route.letters_per_minute),
                or_dash(&route.namespace).to_owned(),
                or_dash(&printable(&route.error)).to_owned(),
            ])?;
        }
        rows.finish()?;
        Ok(writeln!(text)?)
    }

    fn server(&self, text: &mut Vec<u8>) -> Result<()> {
        let server = self.status.server.clone().unwrap_or_default();
        Fields::new()
            .with("server", &format!("{}, version {}", self.address, server.version))
            .with("store", &store(&server))
            .with("journal", &format!("{}, {} of it live", bytes(server.log_bytes), bytes(server.live_bytes)))
            .with("disk", &disk(&server))
            .with("index", &index(&server))
            .print(text)
    }
}

/// The sums that are not zero, after the number of queues.
fn totals(totals: &StatusTotals) -> String {
    let StatusTotals { queues, paused, ready, leased, scheduled, stranded, damaged, dead, exhausted, overdue } =
        *totals;
    let mut text = counted(queues.unsigned_abs(), "queue");
    if paused > 0 {
        text += &format!(", {paused} paused");
    }
    let counts = non_zero(&[
        (ready, "ready"),
        (leased, "leased"),
        (scheduled, "scheduled"),
        (stranded, "stranded"),
        (damaged, "damaged"),
        (dead, "dead"),
        (exhausted, "exhausted"),
        (overdue, "overdue"),
    ]);
    if counts.is_empty() { text } else { format!("{text}: {counts}") }
}

fn rate(rate: f64) -> String {
    if rate >= 10.0 || rate == 0.0 { format!("{rate:.0}") } else { format!("{rate:.1}") }
}

fn store(server: &ServerStatus) -> String {
    if server.damaged == 0 {
        return server.store.clone();
    }
    format!("{}, {} damaged", server.store, server.damaged)
}

/// The free space, if the store is on a disk.
fn disk(server: &ServerStatus) -> String {
    let (Some(free), Some(total)) = (server.disk_free_bytes, server.disk_total_bytes) else { return "-".to_owned() };
    let low = server.disk_low_bytes.filter(|low| free < *low);
    let low = low.map_or_else(String::new, |low| format!(", low: less than {}", bytes(low)));
    format!("{} free of {}{low}", bytes(free), bytes(total))
}

fn index(server: &ServerStatus) -> String {
    if server.index == "off" {
        return server.index.clone();
    }
    let lag = Span::from_millis(server.index_lag_ms.unsigned_abs());
    format!("{}, {} changes behind, {}", server.index, server.index_outbox_depth, rough(lag))
}

/// A size in its largest unit, as in `512 B` or `1.5 GiB`.
#[expect(clippy::cast_precision_loss, reason = "a size for people is approximate")]
fn bytes(count: i64) -> String {
    let mut size = count as f64;
    for unit in ["B", "KiB", "MiB", "GiB"] {
        if size < 1024.0 {
            return if unit == "B" { format!("{count} B") } else { format!("{size:.1} {unit}") };
        }
        size /= 1024.0;
    }
    format!("{size:.1} TiB")
}

#[cfg(test)]
mod tests {
    use redrive_client::proto::redrive::v1::{RetriesStatus, RouteStatusEntry};
    use redrive_core::Time;

    use super::*;

    #[test]
    fn open_breakers_and_errors_of_retries_are_shown() {
        let retries = |queue_name: &str, state: &str| RetriesStatus {
            queue_name: queue_name.to_owned(),
            state: state.to_owned(),
            ..RetriesStatus::default()
        };
        let now = Time::from_secs(1_800_000_000);
        let down = DestinationStatus {
            destination: "bank".to_owned(),
            breaker: "open".to_owned(),
            next_probe_at: Some(now.saturating_add(Span::from_secs(12)).into()),
            failing_since: Some(now.saturating_sub(Span::from_secs(5)).into()),
            open_since: Some(now.saturating_sub(Span::from_secs(3)).into()),
            last_error: "connection refused".to_owned(),
        };
        let up = DestinationStatus {
            destination: "post".to_owned(),
            breaker: "closed".to_owned(),
            ..DestinationStatus::default()
        };
        let failing = RetriesStatus { running: 3, destinations: vec![down, up], ..retries("orders-dead", "running") };
        let stuck = RetriesStatus { error: "the store is closed".to_owned(), ..retries("stuck", "running") };
        let status = StatusGetResponse {
            now: Some(now.into()),
            retries: vec![retries("dead", "stopped"), failing, stuck],
            ..Default::default()
        };
        let shown = Overview::new(&status, "http://localhost").print(Some(120)).unwrap();
        let expected = "\
destinations
QUEUE        STATE    RUNNING  DESTINATION  BREAKER  OPEN SINCE  NEXT CALL  LAST ERROR
dead         stopped        0  -            -        -           -          -
orders-dead  running        3  bank         open     3s ago      in 12s     connection refused
orders-dead  running        3  post         closed   -           -          -
stuck        running        0  -            -        -           -          the store is closed
";
        assert!(shown.contains(expected), "{shown}");
    }

    #[test]
    fn routes_are_shown_if_there_are_any() {
        let route = RouteStatusEntry {
            name: "orders".to_owned(),
            state: "running".to_owned(),
            lag: Some(7),
            done_per_minute: 120.0,
            error: "HTTP status 503".to_owned(),
            ..RouteStatusEntry::default()
        };
        let status = StatusGetResponse { routes: vec![route], routes_total: 101, ..Default::default() };
        let shown = Overview::new(&status, "http://localhost").print(Some(80)).unwrap();
        let expected = "\
routes, 1 of 101
ROUTE   STATE    HEALTHY  RUNNING  LAG  DONE/MIN  ERROR
orders  running  no             0    7       120  HTTP status 503
";
        assert!(shown.contains(expected), "{shown}");
        let shown = Overview::new(&StatusGetResponse::default(), "http://localhost").print(Some(80)).unwrap();
        assert!(!shown.contains("routes"), "{shown}");
    }

    #[test]
    fn free_space_and_size_of_the_disk_are_shown() {
        let server = ServerStatus {
            disk_free_bytes: Some(3 << 30),
            disk_total_bytes: Some(40 << 30),
            log_bytes: 64 << 20,
            ..ServerStatus::default()
        };
        let status = StatusGetResponse { server: Some(server), ..Default::default() };
        let shown = Overview::new(&status, "http://localhost").print(Some(80)).unwrap();
        assert!(shown.contains("\njournal  64.0 MiB, 0 B of it live\ndisk     3.0 GiB free of 40.0 GiB\n"), "{shown}");
        let low = ServerStatus { disk_low_bytes: Some(4 << 30), ..status.server.unwrap() };
        let status = StatusGetResponse { server: Some(low), ..Default::default() };
        let shown = Overview::new(&status, "http://localhost").print(Some(80)).unwrap();
        assert!(shown.contains("\ndisk     3.0 GiB free of 40.0 GiB, low: less than 4.0 GiB\n"), "{shown}");
    }

    #[test]
    fn sizes_and_rates_are_short() {
        assert_eq!(
            [0, 1_023, 1_024, 1_600_000, 5 << 40].map(bytes),
            ["0 B", "1023 B", "1.0 KiB", "1.5 MiB", "5.0 TiB"]
        );
        assert_eq!([0.0, 0.25, 9.94, 1234.5].map(rate), ["0", "0.2", "9.9", "1234"]);
    }
}
