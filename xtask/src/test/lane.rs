//! Which tests run in which lane.

use std::collections::BTreeSet;

use super::executable::TestExecutable;
use crate::services;

/// The module that contains the tests of a service, in every crate.
pub(super) fn module(service: &str) -> String {
    format!("with_{}::", services::identifier(service))
}

/// The services that a test needs, from its path.
fn needs<'s>(test: &str, services: &'s [String]) -> BTreeSet<&'s str> {
    services.iter().map(String::as_str).filter(|service| test.contains(&module(service))).collect()
}

/// Groups the services: the variants of one server (`redis`, `redis-cluster`) share a lane, and so do services that one
/// test needs.
pub(super) fn lanes<'s>(services: &'s [String], executables: &[TestExecutable]) -> Vec<BTreeSet<&'s str>> {
    let mut lanes: Vec<BTreeSet<&str>> = Vec::new();
    let variants = services.iter().map(|service| {
        let family = |name: &str| name.split('-').next().map(str::to_owned);
        services.iter().map(String::as_str).filter(|other| family(other) == family(service)).collect()
    });
    let tests = executables.iter().flat_map(|executable| &executable.tests).map(|test| needs(test, services));
    for together in variants.chain(tests) {
        let (joined, others): (Vec<_>, Vec<_>) = lanes.into_iter().partition(|lane| !lane.is_disjoint(&together));
        lanes = others;
        if !together.is_empty() {
            lanes.push(joined.into_iter().flatten().chain(together).collect());
        }
    }
    lanes.sort();
    lanes
}

/// The tests of an executable that a lane runs, as libtest selects them: a path that contains one of `filters` (any, if
/// there are none) and none of `skips`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TestSelection {
    filters: Vec<String>,
    skips: Vec<String>,
}

impl TestSelection {
    /// The tests without a service.
    pub(super) fn computing(services: &[String]) -> Self {
        Self { filters: Vec::new(), skips: services.iter().map(|service| module(service)).collect() }
    }

    /// The tests of these services; those that also need a service that is not running are skipped.
    pub(super) fn with(running: &[&str], missing: &[String]) -> Self {
        Self {
            filters: running.iter().map(|service| module(service)).collect(),
            skips: missing.iter().map(|service| module(service)).collect(),
        }
    }

    pub(super) fn contains(&self, test: &str) -> bool {
        (self.filters.is_empty() || self.filters.iter().any(|filter| test.contains(filter)))
            && !self.skips.iter().any(|skip| test.contains(skip))
    }

    pub(super) fn arguments(&self) -> Vec<String> {
        let skips = self.skips.iter().flat_map(|skip| ["--skip".to_owned(), skip.clone()]);
        self.filters.iter().cloned().chain(skips).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test::executable::sample;

    fn names(services: &[&str]) -> Vec<String> {
        services.iter().map(|&service| service.to_owned()).collect()
    }

    #[test]
    fn the_variants_of_a_server_share_a_lane_and_other_services_do_not() {
        let services = names(&["kafka", "opensearch", "redis", "redis-cluster", "redis-durable"]);
        let tests = ["with_kafka::a", "b", "with_redis_cluster::c"];
        let expected = [vec!["kafka"], vec!["opensearch"], vec!["redis", "redis-cluster", "redis-durable"]];
        let expected: Vec<BTreeSet<&str>> = expected.into_iter().map(|lane| lane.into_iter().collect()).collect();
        assert_eq!(lanes(&services, &[sample(&tests)]), expected);
    }

    #[test]
    fn the_services_of_one_test_share_a_lane() {
        let services = names(&["kafka", "opensearch", "prometheus", "redis", "redis-durable"]);
        let tests = ["with_kafka::a::with_redis_durable::b", "with_prometheus::with_opensearch::c"];
        let expected = [vec!["kafka", "redis", "redis-durable"], vec!["opensearch", "prometheus"]];
        let expected: Vec<BTreeSet<&str>> = expected.into_iter().map(|lane| lane.into_iter().collect()).collect();
        assert_eq!(lanes(&services, &[sample(&tests)]), expected);
    }

    #[test]
    fn every_test_is_in_one_lane_or_skipped() {
        let services = names(&["kafka", "redis", "redis-durable"]);
        let selections = [
            TestSelection::computing(&services),
            TestSelection::with(&["kafka"], &[]),
            TestSelection::with(&["redis"], &names(&["redis-durable"])),
        ];
        let lanes_of = |test: &str| selections.iter().map(|lane| u8::from(lane.contains(test))).collect::<Vec<_>>();
        assert_eq!(lanes_of("a::b"), [1, 0, 0]);
        assert_eq!(lanes_of("with_kafka::b"), [0, 1, 0]);
        assert_eq!(lanes_of("a::with_redis::b"), [0, 0, 1]);
        assert_eq!(lanes_of("with_redis_durable::b"), [0, 0, 0]);
        assert_eq!(lanes_of("with_redis_durable::with_redis::b"), [0, 0, 0]);
    }

    #[test]
    fn libtest_gets_the_filters_and_the_skips() {
        let selection = TestSelection::with(&["redis"], &names(&["redis-durable"]));
        assert_eq!(selection.arguments(), ["with_redis::", "--skip", "with_redis_durable::"]);
    }
}
