//! Secrets are sent, and shown nowhere.

use redrive_routes::Connections;
use redrive_run::Handled;
use redrive_testkit::folder;

use crate::fixture::{call, cluster, fail, file, settings, start};
use crate::server::Server;

#[tokio::test]
async fn a_secret_comes_from_a_file_or_from_the_environment() {
    let mut server = Server::answering(200).await;
    let folder = folder("secrets");
    let token = file(&folder, "token", "5ecret \n");
    // A variable that every process has.
    let text = format!(
        "http = '{}'\n[headers]\nauthorization = {{ file = '{}' }}\nx-path = {{ env = 'PATH' }}",
        server.url,
        token.display()
    );
    assert_eq!(call(&text).await, Handled::DONE);
    let received = server.next().await;
    // Receivers trim spaces at the end of a value, which this server does not.
    assert_eq!(received.value("authorization"), Some("5ecret "), "only the line break is removed");
    assert_eq!(received.value("x-path"), std::env::var("PATH").ok().as_deref());
}

#[tokio::test]
async fn only_one_line_break_is_removed_from_a_secret() {
    let folder = folder("secrets");
    for (content, expected) in [("a", "a"), ("a\n", "a"), ("a\r\n", "a")] {
        let mut server = Server::answering(200).await;
        let secret = file(&folder, "line-break", content);
        let text = format!("http = '{}'\nheaders = {{ x-key = {{ file = '{}' }} }}", server.url, secret.display());
        assert_eq!(call(&text).await, Handled::DONE, "{content:?}");
        assert_eq!(server.next().await.value("x-key"), Some(expected), "{content:?}");
    }
    let two = file(&folder, "two-line-breaks", "a\n\n");
    let text = format!("http = 'http://h'\nheaders = {{ x-key = {{ file = '{}' }} }}", two.display());
    let error = settings(&text).check(Connections::default().origins()).unwrap_err().to_string();
    assert_eq!(error, "headers.x-key is invalid: '…'; allowed: visible ASCII characters and spaces");
}

#[tokio::test]
async fn a_secret_is_read_again_whenever_the_target_is_started() {
    let mut server = Server::answering(200).await;
    let folder = folder("secrets");
    let token = file(&folder, "rotated", "first");
    let text = format!("http = '{}'\nheaders = {{ x-key = {{ file = '{}' }} }}", server.url, token.display());
    assert_eq!(call(&text).await, Handled::DONE);
    std::fs::write(&token, "second").unwrap();
    assert_eq!(call(&text).await, Handled::DONE);
    let keys = [server.next().await, server.next().await].map(|received| received.value("x-key").unwrap().to_owned());
    assert_eq!(keys, ["first", "second"]);
}

#[tokio::test]
async fn no_text_shows_a_secret() {
    let server = Server::answering(401).await;
    let address = server.url.trim_start_matches("http://");
    let folder = folder("secrets");
    let file = file(&folder, "shown", "5ecret-in-file");
    let text = format!(
        "http = 'http://ann:5ecret-user@{address}?token=5ecret-query'\nconcurrency = 2\n[headers]\n\
         x-a = '5ecret-text'\nx-b = {{ file = '{}' }}",
        file.display()
    );
    let settings = settings(&text);
    let shown = [
        format!("{settings:?}"),
        format!("{:?}", settings.check(Connections::default().origins()).unwrap()),
        format!("{:?}", start(&text).await),
        format!("{:?}", fail(&text).await),
        fail(&text).await.to_string(),
    ];
    let cluster =
        cluster("bootstrap_servers = 'h:1'\nproperties = { 'sasl.password' = '5ecret', 'sasl.username' = '5ecret' }");
    let kafka =
        self::settings("origin = true\n[kafka]\ncluster = 'main'\ntopics = ['a']").check(cluster.origins()).unwrap();
    let shown = shown.into_iter().chain([format!("{cluster:?}"), format!("{kafka:?}")]);
    for shown in shown {
        assert!(!shown.contains("5ecret"), "{shown}");
    }
}
