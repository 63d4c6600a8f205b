//! The metrics of routes.

use futures_util::future::join_all;
use redrive_core::BreakerState;
use redrive_routes::{RouteId, RouteIntent, RouteStatus, RunningRoutes};

use super::page::Page;

type Counter = fn(&RouteStatus) -> u64;
type Gauge = fn(&RouteStatus) -> Option<i64>;

const COUNTERS: [(&str, &str, Counter); 3] = [
    ("redrive_route_done_total", "Work of a route that was done", |status| status.totals.done),
    ("redrive_route_retried_total", "Attempts of a route that failed and are repeated", |status| status.totals.retried),
    ("redrive_route_letters_total", "Letters of a route", |status| status.totals.letters),
];

const GAUGES: [(&str, &str, Gauge); 5] = [
    ("redrive_route_healthy", "1 if a route that should run does, and proceeds", |status| {
        (status.intent == RouteIntent::Run).then(|| status.is_healthy().into())
    }),
    ("redrive_route_paused_by_outage", "1 while the target of a route is down and the route waits", |status| {
        Some(status.health.as_ref()?.is_paused_by_outage.into())
    }),
    ("redrive_route_running", "Running calls of a route", |status| i64::try_from(status.health.as_ref()?.running).ok()),
    ("redrive_route_open_breakers", "Circuit breakers of a route that are open or half-open", |status| {
        let destinations = &status.health.as_ref()?.destinations;
        i64::try_from(destinations.iter().filter(|found| found.breaker != BreakerState::Closed).count()).ok()
    }),
    (
        "redrive_route_lag",
        "Records between the positions of a route and the ends of its partitions, or messages of its mailbox",
        RouteStatus::lag,
    ),
];

pub(super) async fn render(routes: &RunningRoutes) -> String {
    let ids = routes.ids(None);
    let statuses = join_all(ids.iter().map(|id| routes.status(id))).await;
    let routes: Vec<(&RouteId, RouteStatus)> =
        ids.iter().zip(statuses).filter_map(|(id, status)| Some((id, status?))).collect();
    let mut page = Page::default();
    if routes.is_empty() {
        return page.into_text();
    }
    for (name, means, counter) in COUNTERS {
        page.metric(name, "counter", means, routes.iter().map(|(id, status)| (labels(id), counter(status))));
    }
    for (name, means, gauge) in GAUGES {
        let series = routes.iter().filter_map(|(id, status)| Some((labels(id), gauge(status)?)));
        page.metric(name, "gauge", means, series);
    }
    page.into_text()
}

fn labels(id: &RouteId) -> [(&str, &str); 2] {
    [("namespace", &id.namespace), ("route", &id.name)]
}
