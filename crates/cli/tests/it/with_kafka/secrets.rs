//! Secrets of clusters, servers and targets, in nothing that the server shows.

use crate::outcome;
use crate::test_server::{TestServer, command, folder};

use super::fixture::{Answer, Broker, HttpTarget, KafkaSource, count, route, route_error, wait_until};

/// The password of the user `redrive` of the service, and texts that stand for other secrets.
const SECRETS: [&str; 6] =
    ["redrive-secret", "wr0ng-pa55word", "5ecret-key", "5ecret-header", "5ecret-query", "5ecret-user"];
const PAYLOADS: [&str; 2] = ["val1d-order", "inv4lid-order"];

fn variable(name: &str) -> String {
    std::env::var(name).expect("run by cargo xtask test, which sets it")
}

/// A cluster with a login. `password` is a value of the configuration. The client logs as much as it can.
fn cluster(name: &str, password: &str) -> String {
    format!(
        "[clusters.{name}]\nbootstrap_servers = \"{}\"\n[clusters.{name}.properties]\n\
         \"security.protocol\" = \"SASL_SSL\"\n\"sasl.mechanism\" = \"SCRAM-SHA-512\"\n\"sasl.username\" = \"redrive\"\n\
         \"sasl.password\" = {password}\n\"ssl.ca.location\" = \"{}\"\n\"debug\" = \"all\"\n",
        variable("REDRIVE_TEST_KAFKA_SASL_SSL"),
        variable("REDRIVE_TEST_KAFKA_CA")
    )
}

#[test]
fn no_secret_is_in_the_log_the_api_or_the_metrics() {
    let (broker, folder) = (Broker::shared(), folder("routes-secrets"));
    let target = HttpTarget::new(|call| Answer::Status(if call.body == "inv4lid-order" { 400 } else { 200 }));
    std::fs::write(folder.path().join("password"), "redrive-secret\n").unwrap();
    std::fs::write(folder.path().join("key"), "5ecret-key\n").unwrap();
    let host = target.url.strip_prefix("http://").unwrap();
    let mut config = format!(
        "[targets.shop]\nhttp = \"http://5ecret-user:5ecret-header@{host}/orders?token=5ecret-query\"\n\
         headers = {{ x-token = {{ env = \"SHOP_TOKEN\" }} }}\n\
         [servers.far]\nurl = \"http://127.0.0.1:1\"\nkey = {{ file = \"key\" }}\n"
    );
    config += &cluster("of-file", "{ file = \"password\" }");
    config += &cluster("of-variable", "{ env = \"KAFKA_PASSWORD\" }");
    config += &cluster("wrong", "\"wr0ng-pa55word\"");
    let names = ["of-file", "of-variable", "wrong"];
    let topics = names.map(|name| broker.topic(name));
    for (name, topic) in names.iter().zip(&topics) {
        let source =
            KafkaSource { group: topic, topic, more: "" }.section().replace("\"main\"", &format!("\"{name}\""));
        config += &format!("[[routes]]\nname = \"{name}\"\ntarget = \"shop\"\n{source}");
        broker.produce(topic, &["val1d-order".to_owned(), "inv4lid-order".to_owned()]);
    }
    config += "[[routes]]\nname = \"far\"\ntarget = \"shop\"\n[routes.queue]\nname = \"q\"\nserver = \"far\"\n";
    std::fs::write(folder.path().join("redrive.toml"), &config).unwrap();

    let variables = [("KAFKA_PASSWORD", "redrive-secret"), ("SHOP_TOKEN", "5ecret-header")];
    let mut check = command(&["config", "check", "redrive.toml"]);
    let checked = outcome(check.current_dir(folder.path()).envs(variables).spawn().unwrap()).succeeded();
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0", "--log", "trace"]);
    serve.current_dir(folder.path()).envs(variables);
    let log = std::fs::File::create(folder.path().join("log")).unwrap();
    let mut server = TestServer::logging(serve, log.into());

    for name in ["of-file", "of-variable"] {
        let is_done = || {
            let shown = route(&server, name);
            count(&shown, "done_total") == 1 && count(&shown, "letters_total") == 1
        };
        wait_until(&format!("the work of {name}"), is_done, || route(&server, name).to_string());
    }
    let refused = route_error(&server, "wrong").to_lowercase();
    assert!(refused.contains("authentication"), "{refused}");
    route_error(&server, "far");
    let mut shown = checked.stdout + &checked.stderr;
    for arguments in [&["route", "list"][..], &["route", "list", "--output", "json"], &["status"], &["audit", "list"]] {
        shown += &server.run_ok(arguments);
    }
    for name in ["of-file", "wrong", "far"] {
        shown += &server.run_ok(&["route", "show", name]);
    }
    shown += &metrics(&server.address);
    assert_eq!(server.stop(), Some(0));
    shown += &std::fs::read_to_string(folder.path().join("log")).unwrap();
    assert!(shown.contains("route failed") && shown.contains("TRACE"), "the log is complete");
    for secret in SECRETS.into_iter().chain(PAYLOADS) {
        let found = shown.lines().find(|line| line.contains(secret));
        assert_eq!(found, None, "{secret} is shown");
    }
}

/// What `/metrics` returns.
fn metrics(address: &str) -> String {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    write!(stream, "GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.contains("redrive_"), "{text}");
    text
}
