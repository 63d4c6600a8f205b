//! `redrive queue`.

use crate::bed::{Bed, command};
use crate::outcome;

#[test]
fn queues_are_listed_as_a_table_and_as_objects() {
    let bed = Bed::frozen();
    bed.done(&["queue", "create", "orders-dead"]);
    let settings = ["--dead-queue", "orders-dead", "--max-attempts", "3", "--lease-timeout", "30s"];
    let more = ["--expire-timeout", "2h", "--partitions", "2", "--reference", "of the shop"];
    bed.done(&[&["queue", "create", "orders"][..], &settings, &more].concat());
    assert_eq!(
        bed.done(&["queue", "list"]),
        "\
NAME         PARTITIONS  LEASE   EXPIRE   ATTEMPTS  DEAD QUEUE   REFERENCE
orders                2    30s   2h0m0s          3  orders-dead  of the shop
orders-dead           1   1m0s  24h0m0s  unlimited  -            -
"
    );
    let object = r#"{"queue_name":"orders","namespace":"_system","dead_queue":"orders-dead","reference":"of the shop","lease_timeout":"30s","expire_timeout":"2h0m0s","max_attempts":3,"partitions":2,"created_at":"2026-11-15T12:00:00Z","updated_at":"2026-11-15T12:00:00Z"}"#;
    assert_eq!(bed.done(&["queue", "info", "orders", "--output", "json"]), format!("{object}\n"));
    assert_eq!(bed.done(&["--output", "json", "queue", "list"]).lines().next(), Some(object));
    assert_eq!(
        bed.done(&["queue", "info", "orders"]),
        "\
name            orders
namespace       _system
dead queue      orders-dead
lease timeout   30s
expire timeout  2h0m0s
attempts        3
partitions      2
reference       of the shop
created at      2026-11-15T12:00:00Z
updated at      2026-11-15T12:00:00Z
"
    );
}

#[test]
fn a_list_longer_than_a_page_has_every_queue_once() {
    let bed = Bed::new();
    assert_eq!(bed.done(&["queue", "list"]).lines().count(), 1, "the header alone");
    let client = format!("http://{}", bed.address);
    let names: Vec<String> = (0..1_005).map(|number| format!("q{number:04}")).collect();
    crate::bed::create_queues(&client, &names);
    let listed: Vec<String> = bed.done(&["queue", "list"]).lines().skip(1).map(first_word).collect();
    assert_eq!(listed, names);
    let listed = bed.objects(&["queue", "list"]);
    assert_eq!(listed.iter().map(|queue| queue["queue_name"].as_str().unwrap()).collect::<Vec<_>>(), names);
}

fn first_word(line: &str) -> String {
    line.split_whitespace().next().unwrap_or_default().to_owned()
}

#[test]
fn an_update_keeps_what_it_does_not_name() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "dead"]);
    let settings = ["--dead-queue", "dead", "--max-attempts", "3", "--reference", "note", "--lease-timeout", "30s"];
    bed.done(&[&["queue", "create", "orders"][..], &settings].concat());
    let info = || bed.objects(&["queue", "info", "orders"]).remove(0);
    let kept = |names: &[&str]| names.iter().map(|name| info()[name].to_string()).collect::<Vec<_>>();

    bed.done(&["queue", "update", "orders", "--expire-timeout", "48h"]);
    assert_eq!(info()["expire_timeout"], "48h0m0s");
    let names = ["dead_queue", "max_attempts", "reference", "lease_timeout", "partitions"];
    assert_eq!(kept(&names), ["\"dead\"", "3", "\"note\"", "\"30s\"", "1"]);

    bed.done(&["queue", "update", "orders", "--max-attempts", "0", "--no-dead-queue"]);
    assert_eq!(kept(&names), ["null", "0", "\"note\"", "\"30s\"", "1"]);

    let moved = bed.run(&["queue", "update", "orders", "--namespace", "shop"]);
    assert_eq!(moved.code, 4);
    assert!(moved.stderr.contains("is in the namespace '_system' and stays there"), "{}", moved.stderr);
}

#[test]
fn a_time_that_is_shown_longer_than_it_may_be_sent_does_not_hinder_an_update() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders", "--expire-timeout", "9999999.999999s"]);
    bed.done(&["queue", "update", "orders", "--max-attempts", "3"]);
    let info = bed.objects(&["queue", "info", "orders"]).remove(0);
    assert_eq!((&info["expire_timeout"], &info["max_attempts"]), (&"2777h46m39.999999s".into(), &3.into()));
    let wrong = bed.run(&["queue", "update", "orders", "--lease-timeout", "soon"]);
    assert_eq!(wrong.code, 2, "{}", wrong.stderr);
}

#[test]
fn the_numbers_of_a_queue_are_shown_by_partition() {
    let bed = Bed::frozen();
    bed.done(&["queue", "create", "orders", "--partitions", "2"]);
    bed.run_with(&["produce", "orders"], b"a\nb\nc\n");
    bed.done(&["produce", "orders", "later", "--at", "2026-11-15T13:00:00Z"]);
    bed.done(&["lease", "orders"]);
    let stats = bed.objects(&["queue", "stats", "orders"]).remove(0);
    assert_eq!(
        [&stats["ready"], &stats["leased"], &stats["scheduled"]].map(serde_json::Value::as_i64),
        [2, 1, 1].map(Some)
    );
    assert_eq!(stats["partitions"].as_array().unwrap().len(), 2);
    assert_eq!(stats["partitions"][1]["average_age"], "0s");
    let table = bed.done(&["queue", "stats", "orders"]);
    assert!(table.starts_with("PARTITION  READY  LEASED  SCHEDULED  DAMAGED  AVERAGE AGE  LEASED FOR\n"), "{table}");
    assert!(table.ends_with("all            2       1          1        0\n"), "{table}");
}

#[test]
fn a_wrong_name_is_answered_with_the_nearest_one() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    for command in [&["queue", "info"][..], &["queue", "stats"], &["produce"], &["lease"], &["items", "list"]] {
        let ran = bed.run(&[command, &["ordrs"]].concat());
        let told =
            "error: no such queue named 'ordrs'\n  there is one named 'orders'; list all with: redrive queue list\n";
        // Nothing to produce is no reason to ask.
        if command != ["produce"] {
            assert_eq!((ran.code, ran.stderr.as_str(), ran.stdout.as_str()), (3, told, ""), "{command:?}");
        }
    }
    let ran = bed.run(&["queue", "pause", "something-else"]);
    assert_eq!((ran.code, ran.stderr.lines().nth(1)), (3, Some("  list all with: redrive queue list")));
}

#[test]
fn what_conflicts_is_refused_with_advice() {
    let bed = Bed::new();
    let missing = bed.run(&["queue", "create", "orders", "--dead-queue", "dead"]);
    assert_eq!(missing.code, 3);
    assert!(missing.stderr.contains("redrive queue create dead"), "{}", missing.stderr);
    bed.done(&["queue", "create", "dead"]);
    bed.done(&["queue", "create", "orders", "--dead-queue", "dead"]);
    let twice = bed.run(&["queue", "create", "orders"]);
    assert_eq!(twice.code, 4);
    assert!(twice.stderr.contains("redrive queue info orders"), "{}", twice.stderr);
    let used = bed.run(&["queue", "delete", "dead", "--yes"]);
    assert_eq!(used.code, 4);
    assert!(used.stderr.contains("'dead' is the dead_queue of 'orders'"), "{}", used.stderr);
    bed.done(&["queue", "delete", "dead", "--yes", "--force"]);
    let invalid = bed.run(&["queue", "create", "a b"]);
    assert_eq!(invalid.code, 4, "{}", invalid.stderr);
    let long = bed.run(&["queue", "create", "long", "--lease-timeout", "48h"]);
    assert_eq!(long.code, 4);
    assert!(long.stderr.contains("cannot be greater than the expire timeout"), "{}", long.stderr);
}

#[test]
fn what_is_gone_for_ever_has_to_be_confirmed() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    bed.done(&["produce", "orders", "x"]);
    let id = bed.objects(&["items", "list", "orders"])[0]["id"].as_str().unwrap().to_owned();
    for unsure in [
        &["queue", "delete", "orders"][..],
        &["queue", "clear", "orders", "--destructive"],
        &["items", "delete", "orders", &id],
    ] {
        let ran = bed.run(unsure);
        assert_eq!(ran.code, 2, "{unsure:?}");
        assert!(ran.stderr.contains("--yes"), "{}", ran.stderr);
    }
    assert_eq!(bed.objects(&["items", "list", "orders"]).len(), 1, "nothing was done");
    bed.done(&["queue", "delete", "orders", "--yes"]);
    assert_eq!(bed.run(&["queue", "info", "orders"]).code, 3);
}

#[test]
fn clear_removes_what_it_is_told_to() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    bed.done(&["produce", "orders", "leased"]);
    bed.done(&["lease", "orders"]);
    bed.done(&["produce", "orders", "ready"]);
    bed.done(&["produce", "orders", "scheduled", "--delay", "1h"]);
    let states = || -> Vec<String> {
        let state = |item: &serde_json::Value| item["state"].as_str().unwrap().to_owned();
        bed.objects(&["items", "list", "orders"]).iter().map(state).collect()
    };
    assert_eq!(states(), ["leased", "ready", "scheduled"]);
    bed.done(&["queue", "clear", "orders"]);
    assert_eq!(states(), ["leased", "scheduled"]);
    bed.done(&["queue", "clear", "orders", "--scheduled"]);
    assert_eq!(states(), ["leased"]);
    bed.done(&["queue", "clear", "orders", "--destructive", "--yes"]);
    assert!(states().is_empty());
}

#[test]
fn a_paused_queue_gives_no_leases_until_it_is_resumed() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    bed.done(&["queue", "pause", "orders"]);
    bed.done(&["produce", "orders", "x"]);
    assert_eq!(bed.run(&["lease", "orders", "--wait", "10ms"]).code, 6);
    bed.done(&["queue", "resume", "orders"]);
    assert_eq!(bed.objects(&["lease", "orders"]).len(), 1);
}

#[test]
fn a_server_that_is_not_there_is_told_with_a_code_of_its_own() {
    // A port of our own, where nobody listens.
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
fn wrong_usage_has_a_code_of_its_own() {
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
fn a_key_decides_what_is_allowed() {
    use redrive_client::proto::querator::{ApiKeysCreateRequest, RoleBindingsCreateRequest, UsersCreateRequest};
    let serve = ["serve", "--memory", "--listen", "127.0.0.1:0", "--auth", "internal"];
    let bed = Bed::start(command(&[&serve[..], &["--set", "auth.bootstrap=anonymous"]].concat()));
    let mut wrong = bed.command(&["queue", "list"]);
    let ran = outcome(wrong.env("REDRIVE_API_KEY", "rdr-live-nobodys").spawn().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (4, ""));
    assert!(ran.stderr.contains("REDRIVE_API_KEY") && !ran.stderr.contains("nobodys"), "{}", ran.stderr);

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let client = redrive_client::Client::new(&bed.address).unwrap();
    let [nobody, admin] = ["nobody", "admin"].map(|username| {
        runtime.block_on(async {
            let user = UsersCreateRequest { username: username.to_owned(), ..UsersCreateRequest::default() };
            let user_id = client.create_user(&user).await.unwrap().id;
            if username == "admin" {
                let (namespace, role_name) = ("_system".to_owned(), "Admin".to_owned());
                let user_id = user_id.clone();
                client.create_role_binding(&RoleBindingsCreateRequest { namespace, role_name, user_id }).await.unwrap();
            }
            let key = ApiKeysCreateRequest { user_id, name: "of a test".to_owned(), ..ApiKeysCreateRequest::default() };
            let key = client.create_api_key(&key).await.unwrap().key;
            crate::file(&format!("{username}.key"), &format!("{key}\n")).to_str().unwrap().to_owned()
        })
    });
    bed.done(&["--key-file", &admin, "queue", "create", "orders"]);
    let denied = bed.run(&["--key-file", &nobody, "queue", "info", "orders"]);
    assert_eq!(denied.code, 4);
    assert!(denied.stderr.starts_with("error: access denied\n"), "{}", denied.stderr);
}

#[test]
fn a_key_is_sent_and_never_shown() {
    let key = crate::file("wrong.key", "rdr-live-secretsecret\n");
    let bed = Bed::new();
    bed.done(&["--key-file", key.to_str().unwrap(), "queue", "list"]);
    let mut bad = bed.command(&["queue", "list"]);
    bad.env("REDRIVE_API_KEY", "secret with blanks");
    let ran = outcome(bad.spawn().unwrap());
    assert_eq!(ran.code, 2);
    assert!(!ran.stderr.contains("secret"), "{}", ran.stderr);
    let mut help = bed.command(&["queue", "list", "--help"]);
    help.env("REDRIVE_API_KEY", "rdr-live-secretsecret");
    assert!(!outcome(help.spawn().unwrap()).stdout.contains("secretsecret"));
}

#[test]
fn a_queue_that_drops_what_fails_says_so() {
    let bed = Bed::new();
    let warning = "warning: queue 'orders' has no dead queue: an item that fails 3 times is deleted\n  keep them with: \
                   redrive queue update orders --dead-queue QUEUE\n";
    let told = |arguments: &[&str]| {
        let ran = bed.run(&[&["queue"], arguments].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
        ran.stderr
    };
    assert_eq!(told(&["create", "dead"]), "created queue 'dead'\n");
    assert_eq!(told(&["create", "orders", "--max-attempts", "3"]), format!("created queue 'orders'\n{warning}"));
    assert_eq!(told(&["update", "orders", "--dead-queue", "dead"]), "changed queue 'orders'\n");
    assert_eq!(told(&["update", "orders", "--no-dead-queue"]), format!("changed queue 'orders'\n{warning}"));
    assert_eq!(told(&["update", "orders", "--max-attempts", "0"]), "changed queue 'orders'\n");
}
