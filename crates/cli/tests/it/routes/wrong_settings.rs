//! Each wrong setting of a route, and of what it refers to, is one sentence at the check and at the start.

use crate::outcome;
use crate::test_server::{command, folder, folder_with};

/// What `redrive config check` and `redrive serve` say about a configuration that is invalid. A text that begins with
/// `accepted` if they do not notice it.
fn errors(name: &str, config: &str) -> [String; 2] {
    let folder = folder_with(name, config);
    let check = outcome(command(&["config", "check", "redrive.toml"]).current_dir(folder.path()).spawn().unwrap());
    if check.code == 0 {
        // The server would run without an end.
        return ["accepted by the check", "accepted by the check"].map(str::to_owned);
    }
    let serve = ["serve", "--memory", "--listen", "127.0.0.1:0"];
    let start = outcome(command(&serve).current_dir(folder.path()).spawn().unwrap());
    [check, start].map(|ran| {
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{config}: {}", ran.stderr);
        ran.stderr
    })
}

/// Checks that each configuration is rejected with one sentence that has a text.
fn check<'c>(name: &str, cases: impl IntoIterator<Item = (&'c str, &'c str)>) {
    let mut wrong = Vec::new();
    for (config, expected) in cases {
        for error in errors(name, config) {
            // A suggestion may follow on a separate line.
            let is_sentence = error.starts_with("error: ") && error.trim_end().lines().count() <= 2;
            if !is_sentence || !error.contains(expected) {
                wrong.push(format!("{}\n  says: {error}\n  not: {expected}", config.replace(DEFINED, "")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const DEFINED: &str = "[targets.shop]\nhttp = \"http://127.0.0.1:1/\"\n\
                       [clusters.main]\nbootstrap_servers = \"127.0.0.1:1\"\n\
                       [redis.main]\nurl = \"redis://127.0.0.1:1\"\n\
                       [servers.far]\nurl = \"http://127.0.0.1:1\"\n";
const QUEUE: &str = "[routes.queue]\nname = \"orders\"\n";
const KAFKA: &str = "[routes.kafka]\ncluster = \"main\"\ngroup_id = \"g\"\ntopics = [\"orders\"]\n";

const MAILBOX: &str = "[routes.mailbox]\nredis = \"main\"\nname = \"requests\"\n";

/// A configuration with one route: its own settings, and its sections.
fn with_route(settings: &str, sections: &str) -> String {
    format!("{DEFINED}[[routes]]\nname = \"orders\"\n{settings}\n{sections}")
}

#[test]
fn a_wrong_setting_of_a_route_is_one_sentence_that_names_it() {
    let target = "target = \"shop\"";
    let kafka = |settings: &str| with_route(target, &format!("{KAFKA}{settings}"));
    let queue = |settings: &str| with_route(target, &format!("{QUEUE}{settings}"));
    let mailbox = |settings: &str| with_route(target, &format!("{MAILBOX}{settings}"));
    let cases = [
        (with_route(target, ""), "a route needs exactly one of kafka, queue, mailbox and ingest"),
        (
            with_route(target, &format!("{QUEUE}{KAFKA}")),
            "a route needs exactly one of kafka, queue, mailbox and ingest",
        ),
        (with_route("", QUEUE), "needs a target"),
        (with_route("target = \"shpo\"", QUEUE), "target 'shpo' is not defined"),
        (with_route("target = 7", QUEUE), "target"),
        (with_route("target = \"shop\"\ncolour = \"red\"", QUEUE), "unknown field `colour`"),
        (with_route("target = \"shop\"\non_outage = \"wait\"", QUEUE), "on_outage"),
        (with_route("target = \"shop\"\ndead_queue = \"d\"", QUEUE), "dead_queue is for a kafka or mailbox source"),
        (with_route("target = \"shop\"\nnamespace = \"_system\"", QUEUE), "namespace is invalid: '_system'"),
        (with_route("target = \"shop\"\nnamespace = \"a b\"", QUEUE), "namespace is invalid: 'a b'"),
        (with_route("target = \"shop\"\npolicy = { max_attempts = 0 }", QUEUE), "policy.max_attempts is invalid: '0'"),
        (
            with_route("target = \"shop\"\npolicy = { template = \"fast\" }", QUEUE),
            "policy.template is invalid: 'fast'",
        ),
        (with_route("target = \"shop\"\npolicy = \"fast\"", QUEUE), "policy"),
        (queue("server = \"near\""), "server 'near' is not defined"),
        (queue("lease_ms = 999"), "queue.lease_ms is invalid: '999'; allowed: 1000 to 3600000"),
        (queue("timeout_ms = 0"), "queue.timeout_ms is invalid: '0'; allowed: 1 to 86400000"),
        (queue("concurrency = 0"), "queue.concurrency is invalid: '0'; allowed: 1 to 65536"),
        (queue("concurrency = -1"), "concurrency"),
        (queue("concurrency = \"many\""), "concurrency"),
        (queue("lease = 10"), "unknown field `lease`"),
        (with_route(target, "[routes.queue]\nname = \"a b\"\n"), "queue.name is invalid: 'a b'"),
        (with_route(target, "[routes.queue]\n"), "name"),
        (kafka("max_in_flight = 0"), "kafka.max_in_flight is invalid: '0'; allowed: 1 to 65536"),
        (kafka("max_retries = 0"), "kafka.max_retries is invalid: '0'"),
        (kafka("max_retries = \"3x\""), "max_retries"),
        (kafka("ordering_mode = \"random\""), "ordering_mode"),
        (kafka("dlq_target = \"file\""), "dlq_target"),
        (kafka("dlq_target = \"queue\""), "dead_queue is missing"),
        (kafka("dlq_partitions = 3"), "kafka.dlq_partitions"),
        (kafka("on_outage = \"pause\""), "on_outage is a setting of the route"),
        (kafka("bootstrap_servers = \"h:1\""), "bootstrap_servers is a setting of [clusters.NAME]"),
        (kafka("properties = { \"client.id\" = \"x\" }"), "properties is a setting of [clusters.NAME]"),
        (kafka("consumer_properties = { \"group.id\" = \"x\" }"), "group.id"),
        (kafka("consumer_properties = { \"no.such.property\" = \"x\" }"), "no.such.property"),
        (kafka("group = \"g\""), "unknown field `group`"),
        (with_route(target, &KAFKA.replace("\"main\"", "\"mian\"")), "cluster 'mian' is not defined"),
        (with_route(target, &KAFKA.replace("cluster = \"main\"\n", "")), "missing field `cluster`"),
        (with_route(target, &KAFKA.replace("[\"orders\"]", "[]")), "kafka.topics"),
        (with_route(target, &KAFKA.replace("[\"orders\"]", "[\"a b\"]")), "kafka.topics"),
        (with_route(target, &KAFKA.replace("[\"orders\"]", "[\"^(\"]")), "kafka.topics"),
        (with_route(target, &KAFKA.replace("\"g\"", "\"\"")), "kafka.group_id"),
        (with_route("", &KAFKA.replace("kafka", "ingest")), "dead_queue is missing"),
        (mailbox(""), "dead_queue is missing: the queue for the letters, unless mailbox.letters names a mailbox"),
        (mailbox("letters = \"requests\""), "mailbox.letters must be another mailbox than its source"),
        (mailbox("letters = \"l\"\nlease_ms = 1"), "mailbox.lease_ms is invalid: '1'; allowed: 1000 to 43200000"),
        (mailbox("letters = \"l\"\nreplies = \"r\""), "replies"),
        (mailbox("letters = \"l\"\nlease = 1"), "unknown field `lease`"),
        (with_route(target, &MAILBOX.replace("main", "mian")), "dead_queue is missing"),
        (
            with_route(target, &format!("{}letters = \"l\"\n", MAILBOX.replace("main", "mian"))),
            "Redis server 'mian' is not defined for the namespace of the route; defined: main",
        ),
        (
            with_route("target = \"shop\"\ndead_queue = \"d\"", &format!("{MAILBOX}letters = \"l\"\n")),
            "dead_queue excludes mailbox.letters",
        ),
        (with_route(&format!("{target}\ndead_queue = \"d\""), &KAFKA.replace("kafka", "ingest")), "an ingest has none"),
        (format!("{DEFINED}[[routes]]\ntarget = \"shop\"\n{QUEUE}"), "missing field `name`"),
        (format!("{DEFINED}[[routes]]\nname = \"\"\ntarget = \"shop\"\n{QUEUE}"), "name"),
        (format!("{0}{1}", queue(""), queue("").replace(DEFINED, "")), "there are two routes of this name"),
        (format!("{DEFINED}[routes]\nname = \"orders\"\n"), "[[routes]]"),
        (format!("{DEFINED}[[route]]\nname = \"orders\"\n"), "did you mean 'routes'?"),
    ];
    check("routes-wrong", cases.iter().map(|(config, expected)| (config.as_str(), *expected)));
}

#[test]
fn a_wrong_setting_of_what_routes_refer_to_is_one_sentence_that_names_it() {
    let cases = [
        ("[targets.shop]\nhttp = \"not a url\"\n", "targets.shop"),
        ("[targets.shop]\nhttp = \"ftp://127.0.0.1/\"\n", "targets.shop"),
        ("[targets.shop]\nhttp = \"127.0.0.1:9000\"\n", "targets.shop"),
        ("[targets.shop]\ngrpc = \"127.0.0.1:9000\"\nmethod = \"/a.B/C\"\n", "targets.shop"),
        ("[targets.shop]\nhttp = \"http://127.0.0.1:1/\"\ntimeout_ms = 0\n", "timeout_ms"),
        ("[clusters.main]\n", "bootstrap_servers"),
        ("[clusters.main]\nbootstrap_servers = 9092\n", "bootstrap_servers"),
        ("[clusters.main]\nbootstrap_servers = \"\"\n", "bootstrap_servers"),
        ("[clusters.main]\nbootstrap_servers = \"h:1\"\nbroker = \"h:1\"\n", "unknown field `broker`"),
        (
            "[clusters.main]\nbootstrap_servers = \"h:1\"\nproperties = { \"sasl.password\" = { file = \"missing\" } }\n",
            "clusters.main: ",
        ),
        (
            "[clusters.main]\nbootstrap_servers = \"h:1\"\nproperties = { \"sasl.password\" = { env = \"NO_SUCH\" } }\n",
            "NO_SUCH",
        ),
        ("[clusters.main]\nbootstrap_servers = \"h:1\"\nproperties = { \"group.id\" = \"g\" }\n", "group.id"),
        ("[clusters.main]\nbootstrap_servers = \"h:1\"\nproperties = { \"no.such\" = \"g\" }\n", "no.such"),
        ("[targets.back]\norigin = true\n[targets.back.kafka]\ntopics = [\"a\"]\n", "kafka.cluster is missing"),
        (
            "[targets.back]\norigin = true\n[targets.back.kafka]\ncluster = \"main\"\ntopics = [\"a\"]\n",
            "targets.back is invalid: kafka.cluster 'main' is not defined; write a [clusters.NAME] section",
        ),
        (
            "[clusters.main]\nbootstrap_servers = \"h:1\"\nproperties = { \"no.such\" = \"g\" }\n\
             [targets.back]\norigin = true\nkafka = { cluster = \"main\", topics = [\"a\"] }\n",
            "the cluster 'main' cannot be used: properties.no.such is rejected",
        ),
        (
            "[clusters.main]\nbootstrap_servers = \"h:1\"\n\
             [targets.back]\norigin = true\nkafka = { cluster = \"mian\", topics = [\"a\"] }\n",
            "kafka.cluster 'mian' is not defined; defined: main",
        ),
        (
            "[clusters.main]\nbootstrap_servers = \"h:1\"\n\
             [targets.back]\norigin = true\nkafka = { cluster = \"main\" }\n",
            "kafka.topics is missing",
        ),
        (
            "[clusters.main]\nbootstrap_servers = \"h:1\"\n[targets.back]\norigin = true\n\
             kafka = { cluster = \"main\", topics = [\"a\"], bootstrap_servers = \"h:1\" }\n",
            "unknown field `bootstrap_servers`, expected one of `cluster`, `topics`, `dlq_topics`",
        ),
        ("[redis.main]\n", "redis.main: url is missing"),
        ("[redis.main]\nurl = \"localhost\"\n", "redis.main: invalid Redis address"),
        ("[redis.main]\nurl = \"redis://h\"\nuser = \"ann\"\n", "redis.main: user needs password"),
        ("[redis.main]\nurl = \"redis://h\"\npassword = { env = \"NO_SUCH\" }\n", "NO_SUCH"),
        ("[redis.main]\nurl = \"redis://h\"\nhost = \"h\"\n", "unknown field `host`"),
        (
            "[targets.back]\norigin = true\n[targets.back.mailbox]\nredis = \"main\"\nmailboxes = [\"a\"]\n",
            "mailbox.redis 'main' is not defined; write a [redis.NAME] section",
        ),
        ("[servers.far]\n", "url"),
        ("[servers.far]\nurl = \"far\"\n", "servers.far"),
        ("[servers.far]\nurl = \"ftp://far\"\n", "servers.far"),
        ("[servers.far]\nurl = \"http://far\"\nkey = { file = \"missing\" }\n", "servers.far"),
        ("[servers.far]\nurl = \"https://far\"\nca_file = \"missing\"\n", "servers.far"),
        ("[servers.far]\nurl = \"http://far\"\ntoken = \"x\"\n", "unknown field `token`"),
    ];
    check("routes-wrong-definitions", cases);
}

#[test]
fn no_error_about_a_route_shows_a_secret() {
    let cluster = "[clusters.main]\nbootstrap_servers = \"h:1\"\n";
    for config in [
        format!("{cluster}properties = {{ \"sasl.password\" = 5123456 }}\n"),
        format!("{cluster}properties = \"sasl.password=5123456\"\n"),
        format!("{cluster}properties = {{ \"sasl.password\" = [\"5123456\"] }}\n"),
        format!("{cluster}properties = {{ \"sasl.password\" = {{ fil = \"5123456\" }} }}\n"),
        format!("{cluster}properties = {{ \"no.such\" = \"5123456\" }}\n"),
        "[redis.main]\nurl = \"ftp://ann:5123456@far\"\n".to_owned(),
        "[redis.main]\nurl = \"redis://ann:5123456@far:port\"\n".to_owned(),
        "[redis.main]\nurl = 5123456\n".to_owned(),
        "[redis.main]\nurl = \"redis://far\"\npassword = 5123456\n".to_owned(),
        "[redis.main]\nurl = \"redis://far\"\npassword = { fil = \"5123456\" }\n".to_owned(),
        "[servers.far]\nurl = \"ftp://ann:5123456@far\"\n".to_owned(),
        "[servers.far]\nurl = \"http://ann:5123456@far:port\"\n".to_owned(),
        "[servers.far]\nurl = \"http://far\"\nkey = 5123456\n".to_owned(),
        "[servers.far]\nurl = \"http://far\"\nkey = \"5123456\\u0001\"\n".to_owned(),
        with_route("target = \"shop\"", &format!("{KAFKA}consumer_properties = {{ \"sasl.password\" = 5123456 }}\n")),
        with_route("target = \"shop\"", &format!("{KAFKA}consumer_properties = \"sasl.password=5123456\"\n")),
        with_route("target = \"shop\"", &format!("{KAFKA}producer_properties = {{ \"no.such\" = \"5123456\" }}\n")),
    ] {
        for error in errors("routes-secret", &config) {
            assert!(!error.contains("5123456"), "{config}: {error}");
        }
    }
}

#[test]
fn routes_and_what_they_refer_to_are_in_the_file_only() {
    let folder = folder("routes-flags");
    for section in ["routes", "clusters", "servers", "redis"] {
        let set = format!("{section}.x=1");
        let arguments = ["serve", "--memory", "--listen", "127.0.0.1:0", "--set", &set];
        outcome(command(&arguments).current_dir(folder.path()).spawn().unwrap())
            .fails(1, "in the configuration file only");
        let mut serve = command(&arguments[..4]);
        serve.env(format!("REDRIVE_{}", section.to_uppercase()), "x").current_dir(folder.path());
        outcome(serve.spawn().unwrap()).fails(1, "unknown variable");
    }
}
