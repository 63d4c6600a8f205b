//! Logins, ACLs and TLS.

use redrive_mailbox::{MailboxBackend, MailboxSettings};
use redrive_redis::{RedisClient, RedisError, RedisSettings, RedisTls};

use crate::fixture::{OwnServer, PERMITTED, SecureServer, name, receive, send, set_user};

fn as_worker(server: &OwnServer, password: &str) -> RedisSettings {
    RedisSettings { login: Some(("worker".to_owned(), password.to_owned())), ..RedisSettings::new(server.url()) }
}

async fn open_error(settings: RedisSettings) -> RedisError {
    let client = match RedisClient::connect(settings).await {
        Ok(client) => client,
        Err(error) => return error,
    };
    client.mailbox(&name("requests"), MailboxSettings::default()).await.unwrap_err()
}

#[tokio::test]
async fn the_documented_permissions_are_enough() {
    let server = OwnServer::start(&[]).await;
    set_user(&server, PERMITTED).await;
    let client = RedisClient::connect(as_worker(&server, "secret")).await.unwrap();
    let mailbox = client.mailbox(&name("requests"), MailboxSettings::default()).await.unwrap();
    send(&mailbox, "a").await;
    let got = receive(&mailbox).await.remove(0);
    mailbox.acknowledge(&got.handle).await.unwrap();
}

/// The advice of the error is enough, with a namespace as well.
#[tokio::test]
async fn the_error_names_the_keys_of_the_namespace() {
    let server = OwnServer::start(&[]).await;
    set_user(&server, PERMITTED).await;
    let settings = || RedisSettings { namespace: "shop:".to_owned(), ..as_worker(&server, "secret") };
    let error = open_error(settings()).await.to_string();
    let pattern = error.split('\'').find(|part| part.starts_with('~')).expect("the error has a pattern of keys");
    set_user(&server, &[PERMITTED, &[pattern]].concat()).await;
    let client = RedisClient::connect(settings()).await.unwrap();
    let mailbox = client.mailbox(&name("requests"), MailboxSettings::default()).await.unwrap();
    send(&mailbox, "a").await;
    assert_eq!(receive(&mailbox).await.len(), 1);
}

#[tokio::test]
async fn a_missing_permission_is_named() {
    let server = OwnServer::start(&[]).await;
    for command in ["zadd", "hset", "lpop", "set", "time", "blpop", "info", "unlink", "hincrby"] {
        let denied = format!("-{command}");
        set_user(&server, &[PERMITTED, &[&denied]].concat()).await;
        let error = open_error(as_worker(&server, "secret")).await;
        let RedisError::NotPermitted { commands, .. } = &error else { panic!("without {command}: {error}") };
        assert_eq!(commands, &[command.to_owned()]);
        assert!(error.to_string().contains(command), "{error}");
    }
    set_user(&server, &[PERMITTED, &["-evalsha"]].concat()).await;
    let error = open_error(as_worker(&server, "secret")).await;
    assert!(matches!(&error, RedisError::NotPermitted { commands, .. } if *commands == ["evalsha"]), "{error}");
}

#[tokio::test]
async fn keys_that_the_user_may_not_use_are_an_error() {
    let server = OwnServer::start(&[]).await;
    set_user(&server, &["on", ">secret", "~other:*", "+@all"]).await;
    let error = open_error(as_worker(&server, "secret")).await;
    assert!(matches!(error, RedisError::NotPermitted { .. }), "{error}");
}

#[tokio::test]
async fn a_wrong_password_is_an_error_without_the_password() {
    let server = OwnServer::start(&[]).await;
    set_user(&server, PERMITTED).await;
    let error = open_error(as_worker(&server, "guessed-word")).await;
    assert!(matches!(error, RedisError::Login(_)), "{error}");
    assert!(!format!("{error:?}").contains("guessed-word"));
}

#[tokio::test]
async fn a_certificate_of_an_unknown_ca_is_rejected() {
    let server = SecureServer::start(&[]).await;
    let error = open_error(RedisSettings { tls: RedisTls::default(), ..server.settings() }).await;
    assert!(matches!(error, RedisError::Unreachable(_)), "{error}");
    RedisClient::connect(server.settings()).await.unwrap();
}
