//! `redrive queue`.

use serde_json::json;

use crate::outcome;
use crate::test_server::{TestServer, command, folder};

#[test]
fn queues_are_printed_as_a_table_or_as_json() {
    let server = TestServer::frozen();
    server.run_ok(&["queue", "create", "orders-dead"]);
    let settings = ["--dead-queue", "orders-dead", "--max-attempts", "3", "--lease-timeout", "30s"];
    let more = ["--expire-timeout", "2h", "--partitions", "2", "--reference", "of the shop", "--max-items", "500"];
    server.run_ok(&[&["queue", "create", "orders"][..], &settings, &more].concat());
    assert_eq!(
        server.run_ok(&["queue", "list"]),
        "\
NAME         PARTITIONS  LEASE   EXPIRE   ATTEMPTS  PAUSED  DEAD QUEUE   REFERENCE
orders                2    30s   2h0m0s          3  no      orders-dead  of the shop
orders-dead           1   1m0s  24h0m0s  unlimited  no      -            -
"
    );
    let object = r#"{"queue_name":"orders","namespace":"_system","dead_queue":"orders-dead","reference":"of the shop","lease_timeout":"30s","expire_timeout":"2h0m0s","max_attempts":3,"max_items":500,"partitions":2,"paused":false,"created_at":"2026-11-15T12:00:00Z","updated_at":"2026-11-15T12:00:00Z"}"#;
    assert_eq!(server.run_ok(&["queue", "info", "orders", "--output", "json"]), format!("{object}\n"));
    assert_eq!(server.run_ok(&["--output", "json", "queue", "list"]).lines().next(), Some(object));
    assert_eq!(
        server.run_ok(&["queue", "info", "orders"]),
        "\
name            orders
namespace       _system
dead queue      orders-dead
lease timeout   30s
expire timeout  2h0m0s
attempts        3
max items       500
partitions      2
paused          no
reference       of the shop
created at      2026-11-15T12:00:00Z
updated at      2026-11-15T12:00:00Z
"
    );
}

#[test]
fn a_list_of_several_pages_has_every_queue_once() {
    let server = TestServer::new();
    assert_eq!(server.run_ok(&["queue", "list"]).lines().count(), 1, "only the header");
    let client = format!("http://{}", server.address);
    let names: Vec<String> = (0..1_005).map(|number| format!("q{number:04}")).collect();
    crate::test_server::create_queues(&client, &names);
    let listed: Vec<String> = server.run_ok(&["queue", "list"]).lines().skip(1).map(first_word).collect();
    assert_eq!(listed, names);
    let listed = server.objects(&["queue", "list"]);
    assert_eq!(listed.iter().map(|queue| queue["queue_name"].as_str().unwrap()).collect::<Vec<_>>(), names);
}

fn first_word(line: &str) -> String {
    line.split_whitespace().next().unwrap_or_default().to_owned()
}

#[test]
fn an_update_keeps_settings_that_are_not_given() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "dead"]);
    let settings = ["--dead-queue", "dead", "--max-attempts", "3", "--reference", "note", "--lease-timeout", "30s"];
    server.run_ok(&[&["queue", "create", "orders", "--max-items", "7"][..], &settings].concat());
    let info = || server.objects(&["queue", "info", "orders"]).remove(0);
    let kept = |names: &[&str]| names.iter().map(|name| info()[name].to_string()).collect::<Vec<_>>();

    server.run_ok(&["queue", "update", "orders", "--expire-timeout", "48h"]);
    assert_eq!(info()["expire_timeout"], "48h0m0s");
    let names = ["dead_queue", "max_attempts", "reference", "lease_timeout", "partitions", "max_items"];
    assert_eq!(kept(&names), ["\"dead\"", "3", "\"note\"", "\"30s\"", "1", "7"]);

    server.run_ok(&["queue", "update", "orders", "--max-attempts", "0", "--no-dead-queue", "--max-items", "0"]);
    assert_eq!(kept(&names), ["null", "0", "\"note\"", "\"30s\"", "1", "0"]);

    server
        .run(&["queue", "update", "orders", "--namespace", "shop"])
        .fails(4, "is in the namespace '_system', which cannot be changed");
}

#[test]
fn an_update_does_not_send_back_a_duration_that_the_server_prints_too_long() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders", "--expire-timeout", "9999999.999999s"]);
    server.run_ok(&["queue", "update", "orders", "--max-attempts", "3"]);
    let info = server.objects(&["queue", "info", "orders"]).remove(0);
    assert_eq!((&info["expire_timeout"], &info["max_attempts"]), (&"2777h46m39.999999s".into(), &3.into()));
    let wrong = server.run(&["queue", "update", "orders", "--lease-timeout", "soon"]);
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
}

#[test]
fn stats_are_printed_by_partition() {
    let server = TestServer::frozen();
    server.run_ok(&["queue", "create", "orders", "--partitions", "2"]);
    server.run_with(&["produce", "orders"], b"a\nb\nc\n");
    server.run_ok(&["produce", "orders", "later", "--at", "2026-11-15T13:00:00Z"]);
    server.run_ok(&["lease", "orders"]);
    let stats = server.objects(&["queue", "stats", "orders"]).remove(0);
    assert_eq!(
        [&stats["ready"], &stats["leased"], &stats["scheduled"]].map(serde_json::Value::as_i64),
        [2, 1, 1].map(Some)
    );
    assert_eq!(stats["partitions"].as_array().unwrap().len(), 2);
    assert_eq!(stats["partitions"][1]["average_age"], "0s");
    let table = server.run_ok(&["queue", "stats", "orders"]);
    assert!(table.starts_with("PARTITION  READY  LEASED  SCHEDULED  DAMAGED  AVERAGE AGE  LEASED FOR\n"), "{table}");
    assert!(table.ends_with("all            2       1          1        0\n"), "{table}");
}

#[test]
fn an_unknown_queue_is_reported_with_a_similar_name() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    for command in [&["queue", "info"][..], &["queue", "stats"], &["produce"], &["lease"], &["items", "list"]] {
        let ran = server.run(&[command, &["ordrs"]].concat());
        let expected =
            "error: no such queue named 'ordrs'\n  there is one named 'orders'; list all with: redrive queue list\n";
        // Without input, produce sends no request.
        if command != ["produce"] {
            assert_eq!((ran.code, ran.stderr.as_str(), ran.stdout.as_str()), (3, expected, ""), "{command:?}");
        }
    }
    let ran = server.run(&["queue", "pause", "something-else"]);
    assert_eq!((ran.code, ran.stderr.lines().nth(1)), (3, Some("  list all with: redrive queue list")));
}

#[test]
fn a_conflict_is_rejected_with_a_remedy() {
    let server = TestServer::new();
    server.run(&["queue", "create", "orders", "--dead-queue", "dead"]).fails(3, "redrive queue create dead");
    server.run_ok(&["queue", "create", "dead"]);
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "dead"]);
    server.run(&["queue", "create", "orders"]).fails(4, "redrive queue info orders");
    server.run(&["queue", "delete", "dead", "--yes"]).fails(4, "'dead' is the dead_queue of 'orders'");
    server.run_ok(&["queue", "delete", "dead", "--yes", "--force"]);
    let invalid = server.run(&["queue", "create", "a b"]);
    assert_eq!(invalid.code, 4, "{}", invalid.stderr);
    server
        .run(&["queue", "create", "long", "--lease-timeout", "48h"])
        .fails(4, "cannot be greater than the expire timeout");
}

#[test]
fn destructive_commands_need_a_confirmation() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    server.run_ok(&["produce", "orders", "x"]);
    let id = server.objects(&["items", "list", "orders"])[0]["id"].as_str().unwrap().to_owned();
    for (unconfirmed, question) in [
        (&["queue", "delete", "orders"][..], "delete the queue 'orders' with 1 item,"),
        (&["queue", "clear", "orders"], "clear the queue 'orders' of 1 item,"),
        (&["queue", "clear", "orders", "--destructive"], "clear the queue 'orders' of 1 item,"),
        (&["items", "delete", "orders", &id], "delete 1 item of 'orders',"),
        (&["items", "delete", "orders", &id, &id], "delete 2 items of 'orders',"),
    ] {
        let ran = server.run(unconfirmed);
        assert_eq!(ran.code, 2, "{unconfirmed:?}");
        let expected = format!("error: this would {question} which needs a confirmation\n");
        assert!(ran.stderr.starts_with(&expected) && ran.stderr.contains("--yes"), "{}", ran.stderr);
    }
    assert_eq!(server.objects(&["items", "list", "orders"]).len(), 1, "nothing was deleted");
    let ran = server.run(&["queue", "delete", "orders", "--yes"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "deleted queue 'orders' with 1 item\n"));
    assert_eq!(server.run(&["queue", "info", "orders"]).code, 3);
}

#[test]
fn clear_deletes_items_of_the_selected_states() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    server.run_ok(&["produce", "orders", "leased"]);
    server.run_ok(&["lease", "orders"]);
    server.run_ok(&["produce", "orders", "ready"]);
    server.run_ok(&["produce", "orders", "scheduled", "--delay", "1h"]);
    let states = || -> Vec<String> {
        let state = |item: &serde_json::Value| item["state"].as_str().unwrap().to_owned();
        server.objects(&["items", "list", "orders"]).iter().map(state).collect()
    };
    assert_eq!(states(), ["leased", "ready", "scheduled"]);
    let all = ["queue", "clear", "orders", "--destructive", "--scheduled"];
    server.run(&all).fails(2, "this would clear the queue 'orders' of 3 items, including 1 leased, which needs");
    let ran = server.run(&["queue", "clear", "orders", "--yes"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "cleared queue 'orders': deleted 1 item\n"));
    assert_eq!(states(), ["leased", "scheduled"]);
    server.run_ok(&["queue", "clear", "orders", "--scheduled", "--yes"]);
    assert_eq!(states(), ["leased"]);
    server.run_ok(&["queue", "clear", "orders", "--destructive", "--yes"]);
    assert!(states().is_empty());
}

#[test]
fn clearing_letters_needs_a_reason_and_a_confirmation() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "dead"]);
    server.run_ok(&["letters", "capture", "dead", "x", "--error", "HTTP 503"]);
    let clear = |more: &[&str]| server.run(&[&["queue", "clear", "dead"], more].concat());
    let without = clear(&["--scheduled", "--yes"]);
    assert!(
        without.code == 2 && without.stderr.contains("1 letter") && without.stderr.contains("--reason"),
        "{}",
        without.stderr
    );
    let unconfirmed = clear(&["--scheduled", "--reason", "a test"]);
    assert!(unconfirmed.code == 2 && unconfirmed.stderr.contains("--yes"), "{}", unconfirmed.stderr);
    assert_eq!(server.objects(&["letters", "list", "dead"]).len(), 1, "nothing was deleted");
    let kept = clear(&["--yes", "--json"]).succeeded();
    let expected = json!({ "queue_name": "dead", "outcome": "cleared", "items": 0, "letters": 0 });
    assert_eq!(kept.stdout, format!("{expected}\n"), "a scheduled letter is kept, which needs no reason");
    let cleared = clear(&["--scheduled", "--yes", "--reason", "a test"]).succeeded();
    assert_eq!(cleared.stderr, "cleared queue 'dead': deleted 1 item, including 1 letter\n");
    let record = server.objects(&["audit", "list"]).remove(0);
    assert_eq!((&record["action"], &record["reason"]), (&json!("queue.clear"), &json!("a test")));
    let letters = json!({ "kind": "letters", "name": "1" });
    assert!(record["targets"].as_array().unwrap().contains(&letters), "{record}");
}

#[test]
fn a_paused_queue_grants_no_leases_until_it_is_resumed() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    server.run_ok(&["queue", "pause", "orders"]);
    server.run_ok(&["produce", "orders", "x"]);
    assert_eq!(server.run(&["lease", "orders", "--wait", "10ms"]).code, 6);
    server.run_ok(&["queue", "resume", "orders"]);
    assert_eq!(server.objects(&["lease", "orders"]).len(), 1);
}

#[test]
fn an_unreachable_server_has_its_own_exit_code() {
    // A free port without a listener.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let server = format!("http://{address}");
    let ran = outcome(command(&["--server", &server, "queue", "list"]).spawn().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (5, ""));
    assert!(ran.stderr.contains(&format!("cannot connect to {server}")), "{}", ran.stderr);
    assert!(ran.stderr.contains("redrive serve"), "{}", ran.stderr);
}

#[test]
fn invalid_usage_has_its_own_exit_code() {
    for wrong in [
        &["queue"][..],
        &["queue", "create"],
        &["queue", "list", "--frobnicate"],
        &["--server", "ftp://x", "queue", "list"],
    ] {
        let ran = outcome(command(wrong).spawn().unwrap());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{wrong:?}: {}", ran.stderr);
    }
}

#[test]
fn the_roles_of_a_key_decide_what_is_allowed() {
    use redrive_client::proto::querator::{ApiKeysCreateRequest, RoleBindingsCreateRequest, UsersCreateRequest};
    let serve = ["serve", "--memory", "--listen", "127.0.0.1:0", "--auth", "internal"];
    let server = TestServer::start(command(&[&serve[..], &["--set", "auth.bootstrap=anonymous"]].concat()));
    let mut wrong = server.command(&["queue", "list"]);
    let ran = outcome(wrong.env("REDRIVE_API_KEY", "rdr-live-unknown").spawn().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (4, ""));
    assert!(ran.stderr.contains("REDRIVE_API_KEY") && !ran.stderr.contains("rdr-live-unknown"), "{}", ran.stderr);

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let client = redrive_client::Client::new(&server.address).unwrap();
    let folder = folder("queue-keys");
    let [unprivileged, admin] = ["unprivileged", "admin"].map(|username| {
        runtime.block_on(async {
            let user = UsersCreateRequest { username: username.to_owned(), ..UsersCreateRequest::default() };
            let user_id = client.create_user(&user).await.unwrap().id;
            if username == "admin" {
                let (namespace, role_name) = ("_system".to_owned(), "Admin".to_owned());
                let user_id = user_id.clone();
                client.create_role_binding(&RoleBindingsCreateRequest { namespace, role_name, user_id }).await.unwrap();
            }
            let key = ApiKeysCreateRequest { user_id, name: "test".to_owned(), ..ApiKeysCreateRequest::default() };
            let key = client.create_api_key(&key).await.unwrap().key;
            crate::file(&folder, &format!("{username}.key"), &format!("{key}\n")).to_str().unwrap().to_owned()
        })
    });
    server.run_ok(&["--key-file", &admin, "queue", "create", "orders"]);
    let denied = server.run(&["--key-file", &unprivileged, "queue", "info", "orders"]);
    assert_eq!(denied.code, 4);
    let message = "access denied; user 'unprivileged' with the API key 'test' lacks the permission 'queue.stats'";
    assert!(denied.stderr.starts_with(&format!("error: {message} for this request\n")), "{}", denied.stderr);
}

#[test]
fn a_key_is_sent_and_never_printed() {
    let folder = folder("queue-wrong-key");
    let key = crate::file(&folder, "wrong.key", "rdr-live-secretsecret\n");
    let server = TestServer::new();
    server.run_ok(&["--key-file", key.to_str().unwrap(), "queue", "list"]);
    let mut bad = server.command(&["queue", "list"]);
    bad.env("REDRIVE_API_KEY", "secret with blanks");
    let ran = outcome(bad.spawn().unwrap());
    assert_eq!(ran.code, 2);
    assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
    let mut help = server.command(&["queue", "list", "--help"]);
    help.env("REDRIVE_API_KEY", "rdr-live-secretsecret");
    assert!(!outcome(help.spawn().unwrap()).stdout.contains("secretsecret"));
}

#[test]
fn a_queue_that_deletes_failed_items_causes_a_warning() {
    let server = TestServer::new();
    let warning = "warning: queue 'orders' has no dead queue: an item that fails 3 times is deleted\n  keep such \
                   items with: redrive queue update orders --dead-queue QUEUE\n";
    let stderr = |arguments: &[&str]| {
        let ran = server.run(&[&["queue"], arguments].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
        ran.stderr
    };
    assert_eq!(stderr(&["create", "dead"]), "created queue 'dead'\n");
    assert_eq!(stderr(&["create", "orders", "--max-attempts", "3"]), format!("created queue 'orders'\n{warning}"));
    assert_eq!(stderr(&["update", "orders", "--dead-queue", "dead"]), "updated queue 'orders'\n");
    assert_eq!(stderr(&["update", "orders", "--no-dead-queue"]), format!("updated queue 'orders'\n{warning}"));
    assert_eq!(stderr(&["update", "orders", "--max-attempts", "0"]), "updated queue 'orders'\n");
}

#[test]
fn a_queue_with_letters_is_deleted_with_a_reason_and_its_audit_record_has_their_number() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "dead"]);
    for source_id in ["a", "b"] {
        server.run_ok(&["letters", "capture", "dead", "x", "--source-id", source_id]);
    }
    let needed = "queue 'dead' has 2 letters, and deleting letters needs a reason";
    server.run(&["queue", "delete", "dead", "--yes"]).fails(2, needed);
    server.run(&["items", "delete", "dead", "2PqKcMkQhVbFQ0dQ4mC3nCyaQWz", "--yes"]).fails(2, needed);
    let ran = server.run(&["queue", "delete", "dead", "--yes", "--reason", "moved"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "deleted queue 'dead' with 2 items, including 2 letters\n"));
    let record = server.objects(&["audit", "list", "--action", "queues.delete"]).remove(0);
    assert_eq!(record["reason"], "moved");
    let target = |kind: &str, name: &str| json!({ "kind": kind, "name": name });
    let targets = json!([target("queue", "dead"), target("items", "2"), target("letters", "2")]);
    assert_eq!(record["targets"], targets);
}
