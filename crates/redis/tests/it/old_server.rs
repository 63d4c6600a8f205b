//! Servers that cannot be used, and addresses that are not valid.

use redrive_redis::{RedisClient, RedisError, RedisSettings};

use crate::fixture::{FakeServer, free_port};

/// A server that answers `INFO` with this text and everything else with `OK`.
async fn fake(info: &'static str) -> String {
    let server = FakeServer::start(move |request| match request[0].as_str() {
        "INFO" => format!("${}\r\n{info}\r\n", info.len()),
        _ => "+OK\r\n".to_owned(),
    });
    server.await.url
}

async fn connect_error(settings: RedisSettings) -> RedisError {
    RedisClient::connect(settings).await.unwrap_err()
}

#[tokio::test]
async fn redis_older_than_6_2_is_rejected() {
    let url = fake("# Server\r\nredis_version:6.0.16\r\nredis_mode:standalone\r\n").await;
    let error = connect_error(RedisSettings::new(url)).await;
    assert_eq!(error, RedisError::TooOld { found: "6.0.16".to_owned() });
    assert_eq!(error.to_string(), "Redis 6.0.16 is too old; mailboxes need 6.2 or later");
}

#[tokio::test]
async fn a_server_without_a_version_is_rejected() {
    let error = connect_error(RedisSettings::new(fake("# Server\r\nos:unknown\r\n").await)).await;
    assert!(matches!(error, RedisError::NoVersion(_)), "{error}");
}

#[tokio::test]
async fn a_server_that_does_not_listen_is_unreachable() {
    let error = connect_error(RedisSettings::new(format!("redis://127.0.0.1:{}", free_port()))).await;
    assert!(matches!(error, RedisError::Unreachable(_)), "{error}");
}

#[tokio::test]
async fn an_address_that_is_not_valid_is_rejected_without_its_password() {
    for url in ["", "http://user:secret-word@host", "redis://user:secret-word@:x:y", "secret-word"] {
        let error = connect_error(RedisSettings::new(url)).await;
        assert!(matches!(error, RedisError::Address(_)), "{url}: {error}");
        assert!(!format!("{error} {error:?}").contains("secret-word"), "{error}");
    }
    let none = RedisSettings { urls: Vec::new(), ..RedisSettings::new("") };
    assert!(matches!(connect_error(none).await, RedisError::Address(_)));
    let braces = RedisSettings { namespace: "{x}".to_owned(), ..RedisSettings::new("redis://127.0.0.1:1") };
    assert_eq!(connect_error(braces).await, RedisError::Namespace("{x}".to_owned()));
}
