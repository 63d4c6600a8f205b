//! Each wrong setting of a route is one sentence.

use std::collections::BTreeMap;
use std::error::Error;

use redrive_routes::{ClusterSettings, Connections, RedisServerSettings, RouteOrigin, SecretSource, TargetSettings};

use super::fixture::parse;

fn connections() -> Connections {
    let target = |settings| TargetSettings { namespaces: vec!["shop".to_owned()], ..settings };
    let http = target(TargetSettings { http: Some("http://127.0.0.1:1/".to_owned()), ..TargetSettings::default() });
    let back = target(TargetSettings { origin: true, ..TargetSettings::default() });
    let cluster = ClusterSettings {
        bootstrap_servers: "127.0.0.1:1".to_owned(),
        properties: BTreeMap::new(),
        namespaces: vec!["shop".to_owned()],
    };
    let redis = RedisServerSettings {
        url: Some("redis://127.0.0.1:1".to_owned()),
        namespaces: vec!["shop".to_owned()],
        ..RedisServerSettings::default()
    };
    Connections {
        targets: BTreeMap::from([("http".to_owned(), http), ("back".to_owned(), back)]),
        clusters: BTreeMap::from([("main".to_owned(), cluster)]),
        redis: BTreeMap::from([("main".to_owned(), redis)]),
        servers: BTreeMap::new(),
    }
}

fn error(text: &str, origin: RouteOrigin) -> String {
    match parse(text) {
        Ok(definition) => connections().check(&definition.settings, origin).unwrap_err().to_string(),
        Err(error) => error.to_string(),
    }
}

const KAFKA: &str = r#"kafka = { cluster = "main", group_id = "g", topics = ["t"] }"#;

/// The text of an error and of its causes.
fn with_causes(error: &(dyn Error + 'static)) -> String {
    let texts = std::iter::successors(Some(error), |&error| error.source()).map(ToString::to_string);
    texts.collect::<Vec<_>>().join(": ")
}

#[test]
fn each_wrong_setting_is_one_sentence() {
    let queue = r#"queue = { name = "orders" }"#;
    let cases = [
        (format!("name = 'a b'\ntarget = 'http'\n{queue}"), "name is invalid: 'a b'; allowed: a name of up to 512 bytes, without white space and '~'"),
        ("name = 'r'\ntarget = 'http'".to_owned(), "a route needs exactly one of kafka, queue, mailbox and ingest"),
        (format!("name = 'r'\ntarget = 'http'\n{queue}\n{KAFKA}"), "a route needs exactly one of kafka, queue, mailbox and ingest"),
        (format!("name = 'r'\n{queue}"), "a route with a kafka, queue or mailbox source needs a target, and an ingest has none"),
        (format!("name = 'r'\ntarget = 'nowhere'\n{queue}"), "target 'nowhere' is not defined for the namespace of the route; defined: back, http"),
        (format!("name = 'r'\ntarget = 'back'\n{queue}"), "target must be an http, grpc or worker target; origin is for letters"),
        (format!("name = 'r'\ntarget = 'http'\ndead_queue = 'd'\n{queue}"), "dead_queue is for a kafka or mailbox source; the letters of a queue go to its own dead queue"),
        ("name = 'r'\ntarget = 'http'\nqueue = { name = 'orders', server = 'far' }".to_owned(), "server 'far' is not defined for the namespace of the route; none is"),
        ("name = 'r'\ntarget = 'http'\nqueue = { name = 'orders', concurrency = 0 }".to_owned(), "queue.concurrency is invalid: '0'; allowed: 1 to 65536"),
        ("name = 'r'\ntarget = 'http'\nqueue = { name = 'orders', lease_ms = 1 }".to_owned(), "queue.lease_ms is invalid: '1'; allowed: 1000 to 3600000"),
        ("name = 'r'\ntarget = 'http'\nkafka = { cluster = 'other', group_id = 'g', topics = ['t'] }".to_owned(), "cluster 'other' is not defined for the namespace of the route; defined: main"),
        ("name = 'r'\ntarget = 'http'\nkafka = { cluster = 'main', topics = ['t'] }".to_owned(), "kafka.group_id is missing; allowed: the name of a consumer group"),
        ("name = 'r'\ntarget = 'http'\nkafka = { cluster = 'main', group_id = 'g', topics = ['t'], bootstrap_servers = 'h:1' }".to_owned(), "bootstrap_servers is a setting of [clusters.NAME], not of a source"),
        ("name = 'r'\ntarget = 'http'\nkafka = { cluster = 'main', group_id = 'g', topics = ['t'], dlq_target = 'queue' }".to_owned(), "dead_queue is missing: the queue for the letters"),
        ("name = 'r'\ningest = { cluster = 'main', group_id = 'g', topics = ['t'] }".to_owned(), "dead_queue is missing: the queue for the letters"),
        ("name = 'r'\ntarget = 'http'\nkafka = { group_id = 'g', topics = ['t'] }".to_owned(), "missing field `cluster`"),
        ("name = 'r'\ntarget = 'http'\nkafka = { cluster = 'main', group_id = 'g', topics = ['t'], on_outage = 'pause' }".to_owned(), "on_outage is a setting of the route, not of its source"),
        (format!("name = 'r'\nnamespace = '_system'\ntarget = 'http'\n{queue}"), "namespace is invalid: '_system'; allowed: the name of a namespace, or none"),
        (format!("name = 'r'\ntarget = 'http'\npolicy = {{ max_attempts = 0 }}\n{queue}"), "policy.max_attempts is invalid: '0'; allowed: "),
        (format!("name = 'r'\ntarget = 'http'\npolicy = {{ include = ['rule:user:paid'] }}\n{queue}"), "policy.include is invalid: 'rule:user:paid'; allowed: "),
        (format!("name = 'r'\ntarget = 'http'\non_outage = 'wait'\n{queue}"), "on_outage is invalid: 'wait'; allowed: dead_letter, pause"),
        (format!("name = 'r'\ntarget = 'http'\ncolour = 'red'\n{queue}"), "unknown field `colour`"),
        (format!("name = 'r'\ntarget = 7\n{queue}"), "target: invalid type: integer, expected a string"),
        ("name = 'r'\ntarget = 'http'\nkafka = { cluster = 'main', group_id = 'g', topics = 't' }".to_owned(), "kafka: topics: invalid type: string, expected a sequence"),
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
    connections().check(&parse(&route("shop")).unwrap().settings, RouteOrigin::Api).unwrap();
    // Names that it may not use are not revealed.
    let expected = "target 'http' is not defined for the namespace of the route; none is";
    assert_eq!(error(&route("bank"), RouteOrigin::Api), expected);
    let limits = [
        ("max_in_flight = 1001", "kafka.max_in_flight is invalid: '1001'; allowed: 1 to 1000"),
        ("queue_max_messages = 100001", "kafka.queue_max_messages is invalid: '100001'; allowed: 1 to 100000"),
        ("queue_max_bytes = 268435457", "kafka.queue_max_bytes is invalid: '268435457'; allowed: 1 to 268435456"),
        ("drain_timeout_ms = 300001", "kafka.drain_timeout_ms is invalid: '300001'; allowed: 0 to 300000"),
        (
            "consumer_properties = { 'client.rack' = 'a' }",
            "kafka must not have consumer_properties or producer_properties; the cluster has the properties",
        ),
    ];
    for (setting, expected) in limits {
        let text = route("shop").replace("topics = ['t']", "topics = [\"t\"]");
        let text = text.replace("topics = [\"t\"]", &format!("topics = [\"t\"], {setting}"));
        assert_eq!(error(&text, RouteOrigin::Api), expected);
        connections().check(&parse(&text).unwrap().settings, RouteOrigin::File).unwrap();
    }
}

#[test]
fn no_text_shows_a_secret() {
    let route = |setting: &str| {
        format!(
            "name = 'r'\ntarget = 'http'\nkafka = {{ cluster = 'main', group_id = 'g', topics = ['t'], {setting} }}"
        )
    };
    let definition = parse(&route("consumer_properties = { 'sasl.password' = '5ecret' }")).unwrap();
    let shown = definition.shown().to_string();
    assert!(shown.contains("sasl.password") && !shown.contains("5ecret"), "{shown}");
    assert!(!format!("{:?}", definition.settings).contains("5ecret"));
    for wrong in [
        "consumer_properties = { 'sasl.password' = 51234 }",
        "consumer_properties = 'sasl.password=51234'",
        "consumer_properties = { 'sasl.password' = 51234.5 }",
        "max_in_flight = '51234'",
    ] {
        let error = error(&route(wrong), RouteOrigin::File);
        assert!(error.contains("expected") && !error.contains("51234"), "{error}");
    }
}

#[test]
fn a_cluster_that_cannot_work_is_rejected() {
    let property = |name: &str, value: &str| (name.to_owned(), SecretSource::Text(value.into()));
    for (bootstrap_servers, properties, expected) in [
        ("", [].into(), "clusters.main: bootstrap_servers is missing; allowed: host:port, several separated by commas"),
        ("h:1", [property("no.such", "5ecret")].into(), "no.such"),
        ("h:1", [property("group.id", "g")].into(), "group.id"),
    ] {
        let cluster =
            ClusterSettings { bootstrap_servers: String::from(bootstrap_servers), properties, namespaces: vec![] };
        let connections = Connections { clusters: [("main".to_owned(), cluster)].into(), ..Connections::default() };
        let error = with_causes(&connections.check_definitions().unwrap_err());
        assert!(error.contains(expected) && !error.contains("5ecret"), "{error}");
    }
}

#[test]
fn each_wrong_setting_of_a_mailbox_is_one_sentence() {
    let route = |settings: &str, mailbox: &str| format!("name = 'r'\ntarget = 'http'\n{settings}\nmailbox = {mailbox}");
    let dead = "dead_queue = 'd'";
    let cases = [
        (
            dead,
            "{ name = '{a}', redis = 'main' }",
            "mailbox.name is invalid: '{a}'; allowed: 1 to 256 bytes without braces and control characters",
        ),
        (dead, "{ redis = 'main' }", "mailbox: missing field `name`"),
        (dead, "{ name = 'a' }", "mailbox: missing field `redis`"),
        (
            dead,
            "{ name = 'a', redis = 'other' }",
            "Redis server 'other' is not defined for the namespace of the route; defined: main",
        ),
        (dead, "{ name = 'a', redis = 'main', url = 'redis://h' }", "unknown field `url`"),
        (
            dead,
            "{ name = 'a', redis = 'main', lease_ms = 999 }",
            "mailbox.lease_ms is invalid: '999'; allowed: 1000 to 43200000",
        ),
        (
            dead,
            "{ name = 'a', redis = 'main', timeout_ms = 0 }",
            "mailbox.timeout_ms is invalid: '0'; allowed: 1 to 86400000",
        ),
        (
            dead,
            "{ name = 'a', redis = 'main', concurrency = 0 }",
            "mailbox.concurrency is invalid: '0'; allowed: 1 to 65536",
        ),
        (
            dead,
            "{ name = 'a', redis = 'main', concurrency = 'many' }",
            "mailbox: concurrency: invalid type: string, expected usize",
        ),
        (
            dead,
            "{ name = 'a', redis = 'main', body_bytes_max = 0 }",
            "mailbox.body_bytes_max is invalid: '0'; allowed: 1 to 268435456",
        ),
        (dead, "{ name = 'a', redis = 'main', replies = ['{r}'] }", "mailbox.replies is invalid: '{r}'; allowed: "),
        (
            dead,
            "{ name = 'a', redis = 'main', letters = 'a-dlq' }",
            "dead_queue excludes mailbox.letters; the letters of a mailbox go to one of them",
        ),
        (
            dead,
            "{ name = 'a', redis = 'main', replies = ['r'] }",
            "mailbox.replies need the results of the http target; set its body_is_result = true",
        ),
        (
            "",
            "{ name = 'a', redis = 'main' }",
            "dead_queue is missing: the queue for the letters, unless mailbox.letters names a mailbox",
        ),
        (
            "",
            "{ name = 'a', redis = 'main', letters = 'a' }",
            "mailbox.letters must be another mailbox than its source",
        ),
        ("", "{ name = 'a', redis = 'main', letters = '' }", "mailbox.letters is invalid: ''; allowed: "),
        (
            "queue = { name = 'orders' }",
            "{ name = 'a', redis = 'main', letters = 'b' }",
            "a route needs exactly one of kafka, queue, mailbox and ingest",
        ),
    ];
    for (settings, mailbox, expected) in cases {
        let found = error(&route(settings, mailbox), RouteOrigin::File);
        assert!(found.contains(expected), "{settings} {mailbox}\n  {found}\n  {expected}");
        assert!(!found.contains('\n'), "one sentence: {found}");
    }
    let api = |namespace: &str, concurrency: u32| {
        let mailbox = format!("{{ name = 'a', redis = 'main', letters = 'b', concurrency = {concurrency} }}");
        route(&format!("namespace = '{namespace}'"), &mailbox)
    };
    connections().check(&parse(&api("shop", 1000)).unwrap().settings, RouteOrigin::Api).unwrap();
    let expected = "mailbox.concurrency is invalid: '1001'; allowed: 1 to 1000";
    assert_eq!(error(&api("shop", 1001), RouteOrigin::Api), expected);
    let mut connections = connections();
    connections.redis.values_mut().for_each(|redis| redis.namespaces.clear());
    let refused = connections.check(&parse(&api("shop", 1)).unwrap().settings, RouteOrigin::Api).unwrap_err();
    let expected = "Redis server 'main' is not defined for the namespace of the route; none is";
    assert_eq!(refused.to_string(), expected);
}

#[test]
fn a_redis_server_that_cannot_work_is_rejected() {
    let missing = "{ file = '/no/such/file' }";
    let cases = [
        ("", "redis.main: url is missing; allowed: redis://host:port, or rediss://host:port".to_owned()),
        (
            "url = 'redis://h'\ncluster = ['redis://h']",
            "redis.main: cluster is invalid: 'url and cluster'; allowed: either url".to_owned(),
        ),
        ("url = 'http://ann:5ecret@h'", "redis.main: invalid Redis address: ".to_owned()),
        ("cluster = []", "redis.main: invalid Redis address: there is none".to_owned()),
        ("url = 'redis://h'\nuser = 'ann'", "redis.main: user needs password; set both, or remove user".to_owned()),
        (
            &format!("url = 'redis://h'\npassword = {missing}"),
            "redis.main: redis.password: cannot read /no/such/file: No such file".to_owned(),
        ),
        (
            "url = 'redis://h'\npassword = { env = 'NO_SUCH_VARIABLE' }",
            "redis.main: redis.password: the environment variable NO_SUCH_VARIABLE is not set".to_owned(),
        ),
        ("url = 'redis://h'\nkey_prefix = '{a}'", "redis.main: invalid namespace '{a}'".to_owned()),
        ("url = 'rediss://h'\nca_file = '/no/such/file'", "redis.main: ca_file: cannot read /no/such/file".to_owned()),
        (
            "url = 'rediss://h'\nclient_key_file = 'key.pem'",
            "redis.main: client_key_file needs client_certificate_file".to_owned(),
        ),
    ];
    for (text, expected) in cases {
        let server: RedisServerSettings = toml::from_str(text).unwrap();
        assert!(!format!("{server:?}").contains("5ecret"));
        let connections = Connections { redis: [("main".to_owned(), server)].into(), ..Connections::default() };
        let error = with_causes(&connections.check_definitions().unwrap_err());
        assert!(error.starts_with(&expected) && !error.contains("5ecret"), "{text}\n  {error}\n  {expected}");
    }
}
