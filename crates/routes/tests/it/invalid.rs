//! Every wrong setting is one sentence.

use redrive_routes::{Connections, RedisServerSettings, TargetSettings};
use redrive_testkit::folder;

use crate::fixture::{certificate, cluster, file, settings};

/// The error about a target that can be read.
fn rejection(text: &str) -> String {
    rejection_with(text, &Connections::default())
}

fn rejection_with(text: &str, connections: &Connections) -> String {
    let error = settings(text).check(connections.origins()).expect_err(text);
    let mut sentence = error.to_string();
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        sentence = format!("{sentence}: {error}");
        cause = error.source();
    }
    sentence
}

const HTTP: &str = "http = 'http://h'";
const GRPC: &str = "grpc = 'http://h:1'\nmethod = '/a.B/C'";
const WORKER: &str = "worker = ['sh']";

fn assert_rejected(target: &str, setting: &str, expected: &str) {
    assert_eq!(rejection(&format!("{target}\n{setting}")), expected, "{target}\n{setting}");
}

#[test]
fn a_target_is_exactly_one_thing() {
    let expected = "a target needs exactly one of http, grpc, worker or origin = true";
    for text in
        ["", "origin = false", "timeout_ms = 5", "http = 'http://h'\norigin = true", "grpc = 'x'\nworker = ['y']"]
    {
        assert_eq!(rejection(text), expected, "{text}");
    }
}

#[test]
fn an_address_that_is_none_is_rejected_without_its_secrets() {
    let allowed = "an http or https url with a host, as in https://host:8443/path";
    for (url, shown) in [("orders", "orders"), ("ftp://ann:5ecret@h/", "ftp://h/"), ("", "")] {
        let expected = format!("http is invalid: '{shown}'; allowed: {allowed}");
        assert_eq!(rejection(&format!("http = '{url}'")), expected);
    }
    let allowed = "http or https, a host and a port, without user and path, as in https://host:8443";
    let expected = format!("grpc is invalid: 'h'; allowed: {allowed}");
    assert_eq!(rejection("grpc = 'ann:5ecret@h'\nmethod = '/a.B/C'"), expected);
}

#[test]
fn a_wrong_method_is_rejected() {
    assert_rejected(HTTP, "method = 'GET'", "method is invalid: 'GET'; allowed: POST, PUT, PATCH, DELETE");
    let expected = "method is invalid: 'Do'; allowed: /package.Service/Method";
    assert_rejected("grpc = 'http://h:1'", "method = 'Do'", expected);
    let expected = "a grpc target needs a method; set method = \"/package.Service/Method\"";
    assert_eq!(rejection("grpc = 'http://h:1'"), expected);
}

#[test]
fn a_setting_of_another_kind_is_rejected() {
    let cases = [
        (WORKER, "method = 'PUT'", "method does not apply to a worker target; only an http or a grpc target has it"),
        (
            WORKER,
            "headers = { a = 'b' }",
            "headers does not apply to a worker target; only an http or a grpc target has it",
        ),
        (
            "origin = true",
            "connect_timeout_ms = 5",
            "connect_timeout_ms does not apply to an origin target; only an http or a grpc target has it",
        ),
        (WORKER, "ca_file = 'x'", "ca_file does not apply to a worker target; only an http or a grpc target has it"),
        (
            WORKER,
            "client_certificate_file = 'x'",
            "client_certificate_file does not apply to a worker target; only an http or a grpc target has it",
        ),
        (
            WORKER,
            "client_key_file = 'x'",
            "client_key_file does not apply to a worker target; only an http or a grpc target has it",
        ),
        (HTTP, "processes = 2", "processes does not apply to an http target; only a worker target has it"),
        (GRPC, "expected = [200]", "expected does not apply to a grpc target; only an http target has it"),
        (GRPC, "batch_size = 2", "batch_size does not apply to a grpc target; only an http target has it"),
        (WORKER, "batch_size = 2", "batch_size does not apply to a worker target; only an http target has it"),
        (
            "origin = true",
            "batch_wait_ms = 2",
            "batch_wait_ms does not apply to an origin target; only an http target has it",
        ),
    ];
    for (target, setting, expected) in cases {
        assert_rejected(target, setting, expected);
    }
}

const KAFKA: &str = "origin = true\n[kafka]\ncluster = 'main'";
const CLUSTER: &str = "bootstrap_servers = 'h:9092'";

#[test]
fn a_wrong_setting_of_a_kafka_origin_is_rejected() {
    let names = "1 to 249 letters, digits, '.', '_' or '-'";
    let expressions = "names, or regular expressions that begin with ^";
    let cases = [
        ("", "kafka.topics is missing; allowed: the topics to which letters may be handed back".to_owned()),
        ("topics = ['a b']", format!("kafka.topics is invalid: 'a b'; allowed: {names}")),
        ("topics = ['^[']", format!("kafka.topics is invalid: '^['; allowed: {expressions}")),
        ("topics = ['a']\ndlq_topics = ['']", format!("kafka.dlq_topics is invalid: ''; allowed: {names}")),
    ];
    for (setting, expected) in cases {
        assert_eq!(rejection_with(&format!("{KAFKA}\n{setting}"), &cluster(CLUSTER)), expected);
    }
    let expected = "kafka does not apply to an http target; only an origin target has it";
    assert_rejected(HTTP, "[kafka]\ntopics = ['a']", expected);
    for setting in ["brokers = '5ecret'", "bootstrap_servers = '5ecret'", "properties = { a = '5ecret' }"] {
        let unknown = unreadable(&format!("{KAFKA}\n{setting}"));
        assert!(unknown.ends_with(", expected one of `cluster`, `topics`, `dlq_topics`"), "{unknown}");
    }
    let text = format!("{KAFKA}\ntopics = ['orders', '^returns-']\ndlq_topics = ['^.*dlq$']");
    assert!(settings(&text).check(cluster(CLUSTER).origins()).is_ok());
}

#[test]
fn a_kafka_origin_without_a_usable_cluster_is_rejected() {
    let origin = format!("{KAFKA}\ntopics = ['a']");
    let expected = "kafka.cluster is missing; allowed: the name of a [clusters.NAME] section";
    assert_rejected("origin = true\n[kafka]", "topics = ['a']", expected);
    assert_eq!(rejection(&origin), "kafka.cluster 'main' is not defined; write a [clusters.NAME] section");
    let other = origin.replace("main", "mian");
    let expected = "kafka.cluster 'mian' is not defined; defined: main";
    assert_eq!(rejection_with(&other, &cluster(CLUSTER)), expected);
    let cases = [
        ("bootstrap_servers = ' '", "bootstrap_servers is missing; allowed: host:port, several separated by commas"),
        (
            "bootstrap_servers = 'h:1'\nproperties = { acks = '0' }",
            "properties is invalid: 'acks'; allowed: instead of it, nothing: a letter is confirmed by all replicas",
        ),
        (
            "bootstrap_servers = 'h:1'\nproperties = { 'security.protocol' = '5ecret' }",
            "properties.security.protocol is rejected by the Kafka client; correct its name or its value",
        ),
        (
            "bootstrap_servers = 'h:1'\nproperties = { 'sasl.password=5ecret' = '' }",
            "properties.sasl.password is rejected by the Kafka client; correct its name or its value",
        ),
        (
            "bootstrap_servers = 'h:1'\nproperties = { 'sasl.password' = { env = 'NO_SUCH_VARIABLE' } }",
            "properties.sasl.password: the environment variable NO_SUCH_VARIABLE is not set, or is empty",
        ),
    ];
    for (settings, expected) in cases {
        let expected = format!("the cluster 'main' cannot be used: {expected}");
        assert_eq!(rejection_with(&origin, &cluster(settings)), expected);
    }
}

#[test]
fn a_number_out_of_range_is_rejected_with_the_range() {
    let cases = [
        (HTTP, "timeout_ms", &["0", "-5", "86400001"][..], "1 to 86400000"),
        (HTTP, "connect_timeout_ms", &["0", "600001"], "1 to 600000"),
        (GRPC, "connect_timeout_ms", &["0"], "1 to 600000"),
        ("origin = true", "concurrency", &["0", "65537"], "1 to 65536"),
        (WORKER, "rate_per_second", &["0", "-1", "100001"], "0.001 to 100000"),
        (WORKER, "processes", &["0", "1025"], "1 to 1024"),
        (HTTP, "batch_size", &["0", "1001"], "1 to 1000"),
        (HTTP, "batch_size = 2\nbatch_wait_ms", &["0", "60001"], "1 to 60000"),
    ];
    for (target, setting, values, allowed) in cases {
        for value in values {
            let name = setting.rsplit('\n').next().unwrap();
            let expected = format!("{name} is invalid: '{value}'; allowed: {allowed}");
            assert_rejected(target, &format!("{setting} = {value}"), &expected);
        }
    }
    let expected = "batch_wait_ms needs batch_size; set both, or remove batch_wait_ms";
    assert_rejected(HTTP, "batch_wait_ms = 5", expected);
    assert_rejected(HTTP, "rate_per_second = nan", "rate_per_second is invalid: 'NaN'; allowed: 0.001 to 100000");
}

#[test]
fn a_header_that_is_none_is_rejected_without_its_value() {
    let name = "headers is invalid: 'authorization'; allowed: the name of a header: letters, digits and dashes";
    let value = "headers.x-key is invalid: '…'; allowed: visible ASCII characters and spaces";
    let reserved = "headers is invalid: 'host'; allowed: a name that is not set by the connection or by every call";
    for target in [HTTP, GRPC] {
        assert_rejected(target, "headers = { 'authorization: 5ecret' = '' }", name);
        assert_rejected(target, "headers = { x-key = \"5ecret\\n\" }", value);
        assert_rejected(target, "headers = { host = 'x' }", reserved);
    }
    let expected = "headers.x-key: the environment variable REDRIVE_NO_SUCH_VARIABLE is not set, or is empty";
    assert_rejected(HTTP, "headers = { x-key = { env = 'REDRIVE_NO_SUCH_VARIABLE' } }", expected);
}

#[test]
fn a_secret_file_that_cannot_be_used_is_rejected() {
    let header = |path: &std::path::Path| format!("headers = {{ 'x-key' = {{ file = '{}' }} }}", path.display());
    let missing = certificate("no-such-file");
    let expected = format!("headers.x-key: cannot read {}: No such file or directory (os error 2)", missing.display());
    assert_rejected(HTTP, &header(&missing), &expected);
    let folder = folder("invalid");
    for (name, content, what) in [
        ("empty", &b""[..], "is empty"),
        ("only-a-line-break", b"\n", "is empty"),
        ("binary", b"\xff\xfe", "is not text in UTF-8"),
        ("long", &[b'x'; 65_537], "has more than 65536 bytes"),
    ] {
        let path = file(&folder, name, content);
        assert_rejected(GRPC, &header(&path), &format!("headers.x-key: {} {what}", path.display()));
    }
}

#[test]
fn a_worker_without_a_program_is_rejected() {
    let expected = "worker is empty; name a program and its arguments, as in worker = [\"python3\", \"worker.py\"]";
    assert_eq!(rejection("worker = []"), expected);
    let expected = "no such program: './missing'; name an executable file, or a program on the PATH";
    assert_eq!(rejection("worker = ['./missing', '--token', '5ecret']"), expected);
    assert_eq!(rejection("worker = ['']"), "program is missing; allowed: a path, or a name on the PATH");
}

#[test]
fn certificates_that_cannot_be_used_are_rejected() {
    let https = "http = 'https://h'";
    let path = |name: &str| certificate(name).display().to_string();
    let cases = [
        (
            format!("ca_file = '{}'", path("missing.pem")),
            format!("ca_file: cannot read {}: No such file or directory (os error 2)", path("missing.pem")),
        ),
        (
            format!("ca_file = '{}'", path("client-key.pem")),
            format!("ca_file: {} has no certificate in PEM", path("client-key.pem")),
        ),
        (
            format!("client_certificate_file = '{}'", path("client.pem")),
            "client_certificate_file needs client_key_file; set both, or remove client_certificate_file".to_owned(),
        ),
        (
            format!("client_key_file = '{}'", path("client-key.pem")),
            "client_key_file needs client_certificate_file; set both, or remove client_key_file".to_owned(),
        ),
    ];
    for (setting, expected) in cases {
        for target in [https, "grpc = 'https://h:1'\nmethod = '/a.B/C'"] {
            assert_rejected(target, &setting, &expected);
        }
    }
    for (certificate, key, cause) in [
        ("client.pem", "server-key.pem", "the client key is not the key of the client certificate"),
        ("client-key.pem", "client-key.pem", "the client certificate is not a certificate in PEM"),
        ("client.pem", "client.pem", "the client key is not a private key in PEM"),
    ] {
        let setting = format!("client_certificate_file = '{}'\nclient_key_file = '{}'", path(certificate), path(key));
        let expected = format!("client_certificate_file and client_key_file cannot be used: {cause}");
        assert_rejected(https, &setting, &expected);
    }
    let expected =
        "ca_file is for https, and the address of the target is not; use an https address, or remove ca_file";
    assert_rejected(HTTP, &format!("ca_file = '{}'", path("ca.pem")), expected);
}

/// The error about a target that cannot be read.
fn unreadable(text: &str) -> String {
    toml::from_str::<TargetSettings>(text).expect_err(text).message().to_owned()
}

#[test]
fn a_value_of_another_form_is_rejected_without_showing_a_secret() {
    let header = r#"a value is a text, { file = "…" } or { env = "…" }"#;
    for value in ["5", "5.5", "true", "['5ecret']", "{}", "{ fil = '5ecret' }", "{ file = 'a', env = '5ecret' }"] {
        assert_eq!(unreadable(&format!("headers = {{ x-key = {value} }}")), header, "{value}");
    }
    let status = "a status from 200 to 599, or 2xx, 3xx, 4xx, 5xx";
    for (value, shown) in [("199", "199"), ("600", "600"), ("-1", "-1"), ("'1xx'", "1xx"), ("'2XX'", "2XX"), ("''", "")]
    {
        let expected = format!("expected is invalid: '{shown}'; allowed: {status}");
        assert_eq!(unreadable(&format!("expected = [{value}]")), expected);
    }
    assert_rejected(HTTP, "expected = []", "expected is missing; allowed: one or more statuses, as in 200 or 2xx");
    let unknown = unreadable("http = 'http://h'\nverb = '5ecret'");
    assert!(unknown.starts_with("unknown field `verb`, expected one of `http`, `grpc`, "), "{unknown}");
}

#[test]
fn the_result_of_a_batch_is_rejected() {
    let expected = "body_is_result excludes batch_size; remove one of them";
    assert_rejected(HTTP, "body_is_result = true\nbatch_size = 2", expected);
    let expected = "body_is_result does not apply to a worker target; only an http target has it";
    assert_rejected(WORKER, "body_is_result = true", expected);
}

#[test]
fn an_origin_in_mailboxes_needs_a_redis_server_and_mailboxes() {
    let rejection = |text: &str| {
        let url = Some("redis://ann:5ecret@127.0.0.1:1".to_owned());
        let server = RedisServerSettings { url, ..RedisServerSettings::default() };
        let connections = Connections { redis: [("main".to_owned(), server)].into(), ..Connections::default() };
        assert!(!format!("{connections:?}").contains("5ecret"));
        let target = settings(&format!("origin = true\n[mailbox]\n{text}"));
        target.check(connections.origins()).map(drop).map_err(|error| error.to_string())
    };
    let cases = [
        ("mailboxes = ['a']", "mailbox.redis is missing; allowed: the name of a [redis.NAME] section"),
        ("redis = 'other'\nmailboxes = ['a']", "mailbox.redis 'other' is not defined; defined: main"),
        ("redis = 'main'", "mailbox.mailboxes is missing; allowed: the mailboxes to which letters may be handed back"),
        (
            "redis = 'main'\nmailboxes = ['{a}']",
            "mailbox.mailboxes is invalid: '{a}'; allowed: 1 to 256 bytes without braces and control characters",
        ),
        (
            "redis = 'main'\nmailboxes = ['{a}*']",
            "mailbox.mailboxes is invalid: '{a}*'; allowed: 1 to 256 bytes without braces and control characters",
        ),
        ("redis = 'main'\nmailboxes = ['a']\ncapacity = 0", "mailbox.capacity is invalid: '0'; allowed: at least 1"),
        (
            "redis = 'main'\nmailboxes = ['a']\nretention_ms = 999999999999999",
            "mailbox.retention_ms is invalid: '999999999999999'; allowed: 0 to 315360000000",
        ),
        (
            "redis = 'main'\nmailboxes = ['a']\nbody_bytes_max = 0",
            "mailbox.body_bytes_max is invalid: '0'; allowed: 1 to 268435456",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(rejection(text), Err(expected.to_owned()), "{text}");
    }
    assert_eq!(rejection("redis = 'main'\nmailboxes = ['a', 'b-*', '*']"), Ok(()));
    assert_rejected(
        HTTP,
        "mailbox = { redis = 'main' }",
        "mailbox does not apply to an http target; only an origin target has it",
    );
}
