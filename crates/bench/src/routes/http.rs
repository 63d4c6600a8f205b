//! A route to an HTTP target, beside a plain consumer that sends each record with the same client and concurrency.

use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use bytes::Bytes;
use rdkafka::Message;
use redrive_core::{Classifier, Span};
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_routes::{
    ClusterSettings, Connections, DesiredRoute, RouteDefinition, RouteEnvironment, RouteIntent, RouteOrigin,
    RunningRoutes, TargetSettings,
};
use redrive_run::StoreLetterBox;
use redrive_store::{Store, SystemClock};
use reqwest::Client;
use serde_json::json;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinSet;

use crate::figure::{Figure, Target, progress};
use crate::kafka::{Backlog, KafkaBench, PlainConsumer};
use crate::letters::HttpServer;
use crate::measure::median_of;

const CONCURRENCY: usize = 100;
const RUNS: usize = 3;
/// The time limit of a run.
const RUN_MAX: Duration = Duration::from_secs(180);

pub(super) fn figure(bench: &KafkaBench, backlog: &Backlog) -> Result<Figure> {
    progress("Kafka to an HTTP target");
    let rates = median_of(RUNS, || {
        let plain = plain(bench, backlog)?;
        // Started here, because it has a runtime and cannot be started within another one.
        let target = HttpServer::start()?;
        let own = bench.runtime.block_on(route(bench, backlog, &target))?;
        eprintln!("  {own:.0} records/s by the route, {plain:.0} by the plain consumer");
        Ok((own, plain))
    })?;
    Ok(Figure::of("kafka to http", "records/s of 1 KiB, 100 calls at a time", rates)
        .beside("plain consumer, same client", Target::RatioAtLeast(0.6)))
}

async fn route(bench: &KafkaBench, backlog: &Backlog, target: &HttpServer) -> Result<f64> {
    let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default())?);
    let classifier = Arc::clone(Classifier::built_in());
    let http = TargetSettings { http: Some(target.url()), ..TargetSettings::default() };
    let settings = bench.cluster.settings(&backlog.topic);
    let cluster = ClusterSettings {
        bootstrap_servers: settings.bootstrap_servers.clone(),
        properties: [].into(),
        namespaces: Vec::new(),
    };
    let connections = Connections {
        targets: [("target".to_owned(), http)].into(),
        clusters: [("main".to_owned(), cluster)].into(),
        ..Connections::default()
    };
    let written = json!({
        "name": "bench",
        "target": "target",
        "kafka": {
            "cluster": "main", "group_id": settings.group_id, "topics": settings.topics, "dlq_create_topics": true,
            "max_in_flight": CONCURRENCY,
        },
    });
    let definition = RouteDefinition::parse(written, &classifier)?;
    let env = RouteEnvironment {
        letter_box: Arc::new(StoreLetterBox::new(Arc::clone(&store))),
        store,
        clock: Arc::new(SystemClock),
        classifier,
        targets: Arc::default(),
    };
    let routes = RunningRoutes::new(env, connections);
    let id = definition.settings.id();
    routes.put(DesiredRoute { definition, origin: RouteOrigin::File, intent: RouteIntent::Run });
    let rate = rate(target, backlog.records).await;
    let status = routes.status(&id).await.context("the route has ended")?;
    ensure!(rate.is_ok() && status.is_healthy(), "{rate:?}: {status:?}");
    routes.stop(Span::from_secs(30)).await;
    rate
}

/// Records per second from the first to the last that the target accepted.
async fn rate(target: &HttpServer, records: u64) -> Result<f64> {
    let limit = Instant::now() + RUN_MAX;
    let until = async |count| {
        while target.accepted() < count {
            ensure!(Instant::now() < limit, "{} records of {records} arrived", target.accepted());
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        Ok(Instant::now())
    };
    let (begun, ended) = (until(1).await?, until(records).await?);
    Ok(records as f64 / ended.duration_since(begun).as_secs_f64())
}

/// A thread polls the records and hands each to a task, which sends it.
fn plain(bench: &KafkaBench, backlog: &Backlog) -> Result<f64> {
    let target = HttpServer::start()?;
    let client = Client::builder().no_proxy().build()?;
    let (sender, mut receiver) = mpsc::channel::<Bytes>(CONCURRENCY);
    let (url, records) = (target.url(), backlog.records);
    bench.runtime.spawn(async move {
        let permits = Arc::new(Semaphore::new(CONCURRENCY));
        let mut calls = JoinSet::new();
        while let Some(payload) = receiver.recv().await {
            let Ok(permit) = Arc::clone(&permits).acquire_owned().await else { return };
            let (client, url) = (client.clone(), url.clone());
            calls.spawn(async move {
                let answer = client.post(url).body(payload).send().await?.error_for_status()?;
                answer.bytes().await?;
                drop(permit);
                Ok::<(), reqwest::Error>(())
            });
            while let Some(ended) = calls.try_join_next() {
                if let Ok(Err(error)) = ended {
                    eprintln!("  a call of the plain consumer failed: {error}");
                }
            }
        }
        calls.join_all().await;
    });
    std::thread::scope(|scope| {
        let polling = scope.spawn(|| {
            let mut consumer = PlainConsumer::of_group(&bench.cluster, &backlog.topic)?;
            let mut polled = 0;
            while polled < records {
                let Some(record) = consumer.next()? else { continue };
                let payload = Bytes::copy_from_slice(record.payload().unwrap_or_default());
                polled += 1;
                if sender.blocking_send(payload).is_err() {
                    break;
                }
            }
            drop(sender);
            anyhow::Ok(())
        });
        let rate = bench.runtime.block_on(rate(&target, records));
        polling.join().map_err(|_| anyhow!("the plain consumer panicked"))??;
        rate
    })
}
