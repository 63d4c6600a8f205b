//! Each wrong setting of a route is one sentence.

use std::collections::BTreeMap;

use redrive_routes::{ClusterSettings, Connections, RouteDefinition, RouteOrigin, TargetSettings};

fn connections() -> Connections {
    let target = |settings| TargetSettings { namespaces: vec!["shop".to_owned()], ..settings };
    let http = target(TargetSettings { http: Some("http://127.0.0.1:1/".to_owned()), ..TargetSettings::default() });
    let back = target(TargetSettings { origin: true, ..TargetSettings::default() });
    let cluster = ClusterSettings {
        bootstrap_servers: "127.0.0.1:1".to_owned(),
        properties: BTreeMap::new(),
        namespaces: vec!["shop".to_owned()],
    };
    Connections {
        targets: BTreeMap::from([("http".to_owned(), http), ("back".to_owned(), back)]),
        clusters: BTreeMap::from([("main".to_owned(), cluster)]),
        servers: BTreeMap::new(),
    }
}

fn error(text: &str, origin: RouteOrigin) -> String {
    let written = serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
    match RouteDefinition::parse(written) {
        Ok(definition) => connections().check(&definition.settings, origin).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

const KAFKA: &str = r#"kafka = { cluster = "main", group_id = "g", topics = ["t"] }"#;

#[test]
fn each_wrong_setting_is_one_sentence() {
    let queue = r#"queue = { name = "orders" }"#;
    let cases = [
        (format!("name = 'a b'\ntarget = 'http'\n{queue}"), "name is invalid: 'a b'; allowed: a name of up to 512 bytes, without white space and '~'"),
        ("name = 'r'\ntarget = 'http'".to_owned(), "a route needs exactly one of kafka, queue and ingest"),
        (format!("name = 'r'\ntarget = 'http'\n{queue}\n{KAFKA}"), "a route needs exactly one of kafka, queue and ingest"),
        (format!("name = 'r'\n{queue}"), "a route with a kafka or queue source needs a target, and an ingest has none"),
        (format!("name = 'r'\ntarget = 'nowhere'\n{queue}"), "target 'nowhere' is not defined; defined: back, http"),
        (format!("name = 'r'\ntarget = 'back'\n{queue}"), "target must be an http, grpc or worker target; origin is for letters"),
        (format!("name = 'r'\ntarget = 'http'\ndead_queue = 'd'\n{queue}"), "dead_queue is for a kafka source; the letters of a queue go to its own dead queue"),
        ("name = 'r'\ntarget = 'http'\nqueue = { name = 'orders', server = 'far' }".to_owned(), "server 'far' is not defined; none is"),
        ("name = 'r'\ntarget = 'http'\nqueue = { name = 'orders', concurrency = 0 }".to_owned(), "queue.concurrency is invalid: '0'; allowed: 1 to 65536"),
        ("name = 'r'\ntarget = 'http'\nqueue = { name = 'orders', lease_ms = 1 }".to_owned(), "queue.lease_ms is invalid: '1'; allowed: 1000 to 3600000"),
        ("name = 'r'\ntarget = 'http'\nkafka = { cluster = 'other', group_id = 'g', topics = ['t'] }".to_owned(), "cluster 'other' is not defined; defined: main"),
        ("name = 'r'\ntarget = 'http'\nkafka = { cluster = 'main', topics = ['t'] }".to_owned(), "kafka.group_id is missing; allowed: the name of a consumer group"),
        ("name = 'r'\ntarget = 'http'\nkafka = { cluster = 'main', group_id = 'g', topics = ['t'], bootstrap_servers = 'h:1' }".to_owned(), "cluster defines bootstrap_servers and properties; remove them from the route"),
        ("name = 'r'\ntarget = 'http'\nkafka = { cluster = 'main', group_id = 'g', topics = ['t'], dlq_target = 'queue' }".to_owned(), "dead_queue is missing: the queue for the letters"),
        ("name = 'r'\ningest = { cluster = 'main', group_id = 'g', topics = ['t'] }".to_owned(), "dead_queue is missing: the queue for the letters"),
        (format!("name = 'r'\ntarget = 'http'\npolicy = {{ max_attempts = 0 }}\n{queue}"), "policy"),
        (format!("name = 'r'\ntarget = 'http'\non_outage = 'wait'\n{queue}"), "on_outage"),
        (format!("name = 'r'\ntarget = 'http'\ncolour = 'red'\n{queue}"), "unknown field `colour`"),
    ];
    for (text, expected) in cases {
        let found = error(&text, RouteOrigin::File);
        assert!(found.contains(expected), "{text}\n  {found}\n  {expected}");
        assert!(!found.contains('\n'), "one sentence: {found}");
    }
}

#[test]
fn a_route_of_the_api_uses_only_what_its_namespace_may_use() {
    let route = |namespace: &str| format!("name = 'r'\nnamespace = '{namespace}'\ntarget = 'http'\n{KAFKA}");
    let written = serde_json::to_value(route("shop").parse::<toml::Table>().unwrap()).unwrap();
    let definition = RouteDefinition::parse(written).unwrap();
    connections().check(&definition.settings, RouteOrigin::Api).unwrap();
    let expected =
        "target 'http' is not for namespace 'bank'; add the namespace to its namespaces in the configuration file";
    assert_eq!(error(&route("bank"), RouteOrigin::Api), expected);
    let own = "name = 'r'\nnamespace = 'shop'\ntarget = 'http'\nkafka = { bootstrap_servers = 'h:1', group_id = 'g', topics = ['t'] }";
    let expected = "cluster is missing: a route of the API uses a cluster of the configuration file";
    assert_eq!(error(own, RouteOrigin::Api), expected);
}

#[test]
fn the_shown_definition_has_no_secrets() {
    let text = "name = 'r'\ntarget = 'http'\nkafka = { bootstrap_servers = 'h:1', group_id = 'g', topics = ['t'], properties = { 'sasl.password' = '5ecret' } }";
    let written = serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap();
    let definition = RouteDefinition::parse(written).unwrap();
    let shown = definition.shown().to_string();
    assert!(shown.contains("sasl.password") && !shown.contains("5ecret"), "{shown}");
    assert!(!format!("{:?}", definition.settings).contains("5ecret"));
}
