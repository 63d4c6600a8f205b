//! `redrive queue stats`.

use anyhow::Result;
use redrive_client::proto::querator::{LogicalQueueStats, QueuePartitionStats};
use serde::Serialize;

use super::paused::PausedQueues;
use crate::console::{Align, Rows, say};
use crate::session::Session;

const HEADER: &[(&str, Align)] = &[
    ("PARTITION", Align::Text),
    ("READY", Align::Number),
    ("LEASED", Align::Number),
    ("SCHEDULED", Align::Number),
    ("DAMAGED", Align::Number),
    ("AVERAGE AGE", Align::Number),
    ("LEASED FOR", Align::Number),
];

pub(super) async fn run(queue: &str, session: &Session) -> Result<()> {
    let stats = session.call(session.client.queue(queue).stats()).await?;
    let paused = PausedQueues::of(session, queue).await?.get(queue);
    session.print(&StatsLine::new(queue, paused, &stats), |out| {
        let mut rows = Rows::new(out, HEADER);
        for partition in &stats.partitions {
            let ages = [partition.average_age.clone(), partition.average_leased_age.clone()];
            let counts = Counts::of(std::slice::from_ref(partition)).cells();
            let name = partition.partition.to_string();
            rows.push([name].into_iter().chain(counts).chain(ages).collect())?;
        }
        if stats.partitions.len() > 1 {
            let counts = Counts::of(&stats.partitions).cells();
            rows.push(["all".to_owned()].into_iter().chain(counts).collect())?;
        }
        rows.finish()?;
        if paused == Some(true) {
            say(format_args!("the queue is paused; resume it with: redrive queue resume {queue}"));
        }
        Ok(())
    })
}

#[derive(Debug, Serialize)]
struct Counts {
    ready: i64,
    leased: i64,
    scheduled: i64,
    damaged: i64,
}

impl Counts {
    fn of(partitions: &[QueuePartitionStats]) -> Self {
        let sum = |count: fn(&QueuePartitionStats) -> i32| partitions.iter().map(|part| i64::from(count(part))).sum();
        Self {
            ready: sum(|part| part.total.saturating_sub(part.total_leased)),
            leased: sum(|part| part.total_leased),
            scheduled: sum(|part| part.scheduled),
            damaged: sum(|part| part.damaged),
        }
    }

    fn cells(&self) -> [String; 4] {
        [self.ready, self.leased, self.scheduled, self.damaged].map(|count| count.to_string())
    }
}

/// A line of `--output json`.
#[derive(Debug, Serialize)]
struct StatsLine<'s> {
    queue_name: &'s str,
    /// `null` if the server does not tell.
    paused: Option<bool>,
    #[serde(flatten)]
    counts: Counts,
    /// The number of waiting requests.
    produce_waiting: i32,
    lease_waiting: i32,
    complete_waiting: i32,
    in_flight: i32,
    partitions: Vec<PartitionLine<'s>>,
}

#[derive(Debug, Serialize)]
struct PartitionLine<'s> {
    partition: i32,
    #[serde(flatten)]
    counts: Counts,
    average_age: &'s str,
    average_leased_age: &'s str,
}

impl<'s> StatsLine<'s> {
    fn new(queue_name: &'s str, paused: Option<bool>, stats: &'s LogicalQueueStats) -> Self {
        let partition = |part: &'s QueuePartitionStats| PartitionLine {
            partition: part.partition,
            counts: Counts::of(std::slice::from_ref(part)),
            average_age: &part.average_age,
            average_leased_age: &part.average_leased_age,
        };
        Self {
            queue_name,
            paused,
            counts: Counts::of(&stats.partitions),
            produce_waiting: stats.produce_waiting,
            lease_waiting: stats.lease_waiting,
            complete_waiting: stats.complete_waiting,
            in_flight: stats.in_flight,
            partitions: stats.partitions.iter().map(partition).collect(),
        }
    }
}
