//! Logins, ACLs and TLS.

use std::path::Path;
use std::process::{Command, Stdio};

use redrive_mailbox::{MailboxBackend, MailboxSettings};
use redrive_redis::{RedisClient, RedisError, RedisSettings, RedisTls};

use crate::fixture::{OwnServer, Raw, free_port, name, receive, send};

const PERMITTED: &[&str] =
    &["on", ">secret", "~{queue:*", "+@read", "+@write", "+@scripting", "+@blocking", "+time", "+info"];

async fn set_user(server: &OwnServer, rules: &[&str]) {
    let raw = Raw::server(&server.url()).await;
    let command: Vec<&str> = ["ACL", "SETUSER", "worker", "reset"].iter().chain(rules).copied().collect();
    let _set: String = raw.run(&command).await;
}

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

/// Runs `openssl` in the folder.
fn openssl(folder: &Path, arguments: &str) {
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let status = Command::new("openssl").current_dir(folder).args(arguments).stderr(Stdio::null()).status().unwrap();
    assert!(status.success());
}

/// A CA, and a certificate of it for 127.0.0.1.
fn make_certificates(folder: &Path) {
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2";
    openssl(folder, &format!("req -x509 {key} -keyout ca.key -out ca.crt -subj /CN=test-ca"));
    openssl(folder, &format!("req {key} -keyout server.key -out server.csr -subj /CN=localhost"));
    std::fs::write(folder.join("extensions"), "subjectAltName=IP:127.0.0.1\nbasicConstraints=CA:FALSE\n").unwrap();
    openssl(
        folder,
        "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile extensions -out server.crt",
    );
}

#[tokio::test]
async fn mailboxes_work_over_tls_as_an_acl_user() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("redis-tls-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    make_certificates(&folder);
    let path = |file: &str| folder.join(file).to_str().unwrap().to_owned();
    let port = free_port().to_string();
    let (certificate, key, ca) = (path("server.crt"), path("server.key"), path("ca.crt"));
    let tls = ["--tls-port", &port, "--tls-cert-file", &certificate, "--tls-key-file", &key, "--tls-ca-cert-file", &ca];
    let server = OwnServer::start(&[&tls[..], &["--tls-auth-clients", "no"]].concat()).await;
    set_user(&server, PERMITTED).await;
    let url = format!("rediss://worker:secret@127.0.0.1:{port}");
    let trusting = RedisTls { ca: Some(std::fs::read(&ca).unwrap()), client: None };
    let settings = RedisSettings { tls: trusting, ..RedisSettings::new(&url) };
    let client = RedisClient::connect(settings).await.unwrap();
    let mailbox = client.mailbox(&name("requests"), MailboxSettings::default()).await.unwrap();
    send(&mailbox, "a").await;
    assert_eq!(receive(&mailbox).await.len(), 1);
    // Without the CA, the certificate is not trusted.
    let error = open_error(RedisSettings::new(&url)).await;
    assert!(matches!(error, RedisError::Unreachable(_)), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
}
