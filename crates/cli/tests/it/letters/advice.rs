//! What `letters show` advises: each command that it names succeeds at that moment.

use serde_json::json;

use super::{captured, show};
use crate::identity::SecuredServer;
use crate::retries::{serve, target};
use crate::test_server::{TestServer, folder_with};

/// The commands that a letter's line `next` names, without `redrive`.
fn advised(next: &str) -> Vec<Vec<String>> {
    let commands = next.split("redrive ").skip(1).map(|command| {
        // A command ends at the next clause.
        let end = command.find([',', ';', '(']).unwrap_or(command.len());
        command[..end].split(' ').filter(|word| !word.is_empty() && *word != "or").map(str::to_owned).collect()
    });
    commands.collect()
}

fn next(shown: &str) -> String {
    shown.lines().find_map(|line| line.strip_prefix("next ")).unwrap_or_else(|| panic!("{shown}")).trim().to_owned()
}

/// Checks that a letter's `next` has this text, and that all commands which it names succeed. `names` says how many.
fn assert_advice(server: &TestServer, situation: &str, id: &str, text: &str, names: usize) {
    let next = next(&server.run_ok(&["letters", "show", "dead", id]));
    assert!(next.contains(text), "{situation}: {next}");
    let commands = advised(&next);
    assert_eq!(commands.len(), names, "{situation}: {next}");
    for command in commands {
        let words: Vec<&str> = command.iter().map(String::as_str).collect();
        let ran = server.run(&words);
        assert_eq!(ran.code, 0, "{situation}: {words:?} of '{next}': {}", ran.stderr);
    }
}

/// Lets an item of `orders` die; returns its letter. `settings` are those of the queue.
fn died(server: &TestServer, payload: &str, more: &[&str]) -> String {
    server.run_ok(&[&["produce", "orders", payload], more].concat());
    let leased = server.run_ok(&["lease", "orders", "--output", "json"]);
    server.run_with(&["retry", "orders", "-", "--dead"], leased.as_bytes()).succeeded();
    let newest = server.objects(&["letters", "list", "dead", "--limit", "1"]).remove(0);
    newest["id"].as_str().unwrap().to_owned()
}

fn letter(server: &TestServer, source_id: &str, more: &[&str]) -> String {
    captured(server, &[&["x", "--source-id", source_id, "--error", "HTTP 503"][..], more].concat())
}

#[test]
fn advice_without_a_target_succeeds() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "dead"]);
    server.run_ok(&["queue", "create", "orders", "--dead-queue", "dead"]);
    let queue = ["--origin", "orders", "--transport", "queue"];

    let id = died(&server, "a", &[]);
    assert_advice(&server, "an item that died", &id, "hand it back to 'orders'", 1);
    assert_advice(&server, "a letter that was handed back", &id, "handed back to 'orders' at ", 0);
    server.run_ok(&["queue", "clear", "orders", "--destructive", "--yes"]);

    let id = died(&server, "b", &[]);
    server.run_ok(&["queue", "pause", "orders"]);
    assert_advice(&server, "a paused queue of origin", &id, "its queue 'orders' is paused", 1);
    assert_advice(&server, "a queue that was resumed", &id, "hand it back to 'orders'", 1);
    server.run_ok(&["queue", "clear", "orders", "--destructive", "--yes"]);

    let id = died(&server, "c", &[]);
    server.run_ok(&["queue", "update", "orders", "--max-items", "1"]);
    server.run_ok(&["produce", "orders", "full"]);
    assert_advice(&server, "a full queue of origin", &id, "queue 'orders' is full; wait until", 0);
    server.run_ok(&["queue", "clear", "orders", "--destructive", "--yes"]);
    assert_advice(&server, "a queue with space", &id, "hand it back to 'orders'", 1);
    server.run_ok(&["queue", "update", "orders", "--max-items", "0"]);
    server.run_ok(&["queue", "clear", "orders", "--destructive", "--yes"]);

    let id = died(&server, "d", &["--kind", "order"]);
    server.run_ok(&["letters", "edit", "dead", &id, "--retry-policy", "linear"]);
    assert_advice(&server, "a letter with a schedule", &id, "nothing retries it: ", 1);
    let id = died(&server, "e", &[]);
    server.run_ok(&["letters", "archive", "dead", &id]);
    assert_advice(&server, "an archived letter", &id, "restore it with", 1);
    assert_advice(&server, "a restored letter", &id, "hand it back to 'orders'", 1);

    let none = "you cannot hand it back to its origin";
    for (situation, more) in [
        ("no origin", &[][..]),
        ("a topic", &["--origin", "orders", "--transport", "kafka"]),
        ("a queue that does not exist", &["--origin", "missing", "--transport", "queue"]),
        ("the policy never", &["--retry-policy", "never"]),
        ("no retries", &["--max-retries", "0"]),
    ] {
        let id = letter(&server, situation, more);
        assert_advice(&server, situation, &id, none, 0);
    }
    let id = letter(&server, "claimed origin", &queue);
    assert_advice(&server, "a claimed origin in the same namespace", &id, "hand it back to 'orders'", 1);
    let id = letter(&server, "claimed origin, exhausted", &[&queue[..], &["--max-retries", "0"]].concat());
    assert_advice(&server, "an exhausted letter", &id, "waits for an operator: it has no retries; hand it back", 1);

    let (first, blocked) = (letter(&server, "first", &[]), "waits until these letters are completed: ");
    let id = letter(&server, "second", &["--depends-on", &first]);
    assert_advice(&server, "a letter that waits for another", &id, blocked, 0);

    let twin = letter(&server, "twin", &[]);
    server.run_ok(&["letters", "archive", "dead", &twin]);
    letter(&server, "twin", &[]);
    assert_advice(&server, "an archived letter beside a live one", &twin, "cannot be restored: a live letter has", 0);

    let id = letter(&server, "leased", &["--retry-policy", "never"]);
    server.run_ok(&["lease", "dead", "--count", "100"]);
    assert_advice(&server, "a leased letter", &id, "is being retried; its claim ends", 0);
}

#[test]
fn advice_with_a_target_succeeds() {
    let (url, seen) = target(&[200; 50]);
    std::thread::spawn(move || seen.iter().count());
    let server = serve("advice-target", &format!("[dlq]\ntargets = [{{ queue = \"dead\", http = \"{url}\" }}]\n"));
    let id = letter(&server, "scheduled", &[]);
    assert_advice(&server, "a scheduled retry", &id, "retry 1 of 3 in ", 0);
    server.run_ok(&["letters", "process", "dead", "pause"]);
    assert_advice(&server, "a paused processor", &id, "the processor is paused", 1);
    server.run_ok(&["letters", "process", "dead", "stop"]);
    assert_advice(&server, "a stopped processor", &id, "the processor is stopped", 1);
    server.run_ok(&["letters", "process", "dead", "stop"]);
    let never = letter(&server, "never", &["--retry-policy", "never"]);
    assert_advice(&server, "the policy never", &never, "waits for an operator: the policy never", 1);
    assert_advice(&server, "a completed letter", &never, "nothing: a retry succeeded", 0);
    let none = letter(&server, "none", &["--max-retries", "0"]);
    assert_advice(&server, "no retries", &none, "it has no retries; retry it with", 1);
    let archived = letter(&server, "archived", &[]);
    server.run_ok(&["letters", "archive", "dead", &archived]);
    assert_advice(&server, "an archived letter", &archived, "restore it with", 1);
}

#[test]
fn advice_after_failed_retries_succeeds() {
    let (url, seen) = target(&[500, 200, 500, 200, 500, 500, 500, 200]);
    std::thread::spawn(move || seen.iter().count());
    let settings = "breaker_threshold = 3\nbreaker_open_seconds = 3600\n";
    let config = format!("[dlq]\n{settings}targets = [{{ queue = \"dead\", http = \"{url}\" }}]\n");
    let server = serve("advice-exhausted", &config);
    let exhausted = |source_id: &str| {
        let id = letter(&server, source_id, &["--max-retries", "1", "--retry-policy", "immediate"]);
        crate::retries::until("an exhausted letter", || show(&server, &id)["status"] != "pending");
        id
    };
    let id = exhausted("a");
    // It names a retry, which succeeds, and a resume, which has nothing to do then.
    assert_advice(&server, "an exhausted letter", &id, "its only retry failed; retry it with", 2);
    let id = exhausted("resumed");
    let resume = advised(&next(&server.run_ok(&["letters", "show", "dead", &id]))).remove(1);
    assert_eq!(resume[1], "resume");
    server.run_ok(&resume.iter().map(String::as_str).collect::<Vec<_>>());
    crate::retries::until("a resumed letter", || show(&server, &id)["status"] == "completed");
    for source_id in ["b", "c", "d"] {
        exhausted(source_id);
    }
    let id = letter(&server, "e", &["--retry-policy", "never"]);
    assert_advice(&server, "an open breaker", &id, "the circuit breaker of its destination is open", 1);
}

/// Who may read and retry letters, but not resume their queue of origin or their retries, is told so.
#[test]
fn advice_to_resume_respects_the_permissions_of_the_caller() {
    let targets = "[dlq]\ntargets = [{ queue = \"retried\", origin = true, namespace = \"shop\" }]\n";
    let folder = folder_with("advice-resume-file", targets);
    let config = folder.path().join("redrive.toml");
    let server = SecuredServer::with("advice-resume", &["--memory", "--config", config.to_str().unwrap()]);
    server.ok(&["queue", "create", "dead", "--namespace", "shop"]);
    server.ok(&["queue", "create", "orders", "--dead-queue", "dead", "--namespace", "shop"]);
    let operator = "letters.read,letters.retry,queue.produce,queue.stats";
    for (user, permissions) in
        [("operator", operator.to_owned()), ("manager", format!("{operator},queue.update,letters.configure"))]
    {
        server.ok(&["role", "create", user, "--permission", &permissions, "--namespace", "shop"]);
        server.user(user, &[("shop", user)]);
    }
    let capture = |queue: &str| {
        let origin = ["--origin", "orders", "--transport", "queue", "--error", "HTTP 503"];
        let id = server.objects(&[&["letters", "capture", queue, "x"], &origin[..]].concat()).remove(0)["id"].clone();
        id.as_str().unwrap().to_owned()
    };
    let (handed_back, retried) = (capture("dead"), capture("retried"));
    server.ok(&["queue", "pause", "orders"]);
    server.ok(&["letters", "process", "retried", "pause"]);
    server.ok(&["produce", "orders", "waiting"]);
    for (user, may) in [("operator", false), ("manager", true)] {
        for (queue, id, text) in [
            ("dead", &handed_back, "which you cannot: access denied; "),
            ("retried", &retried, "you cannot resume it: access denied; "),
        ] {
            let next = next(&server.run_as(user, &["letters", "show", queue, id]).succeeded().stdout);
            assert_eq!((next.contains(text), advised(&next).len()), (!may, usize::from(may)), "{user}: {next}");
        }
        let status = server.run_as(user, &["status"]).succeeded().stdout;
        let asks = status.contains("ask for the permission queue.update");
        assert_eq!((asks, status.contains("redrive queue resume orders")), (!may, may), "{user}: {status}");
    }
    for command in [["queue", "resume", "orders", ""], ["letters", "process", "retried", "resume"]] {
        let words: Vec<&str> = command.into_iter().filter(|word| !word.is_empty()).collect();
        server.run_as("manager", &words).succeeded();
    }
}

/// A caller reads only of commands that it may use.
#[test]
fn advice_respects_the_permissions_of_the_caller() {
    let server = SecuredServer::new("advice-permissions");
    server.ok(&["namespace", "create", "shop"]);
    server.ok(&["queue", "create", "dead", "--namespace", "shop"]);
    server.ok(&["queue", "create", "orders", "--dead-queue", "dead", "--namespace", "shop"]);
    for (user, permissions) in [
        ("reader", "letters.read"),
        ("retrier", "letters.read,letters.retry"),
        ("operator", "letters.read,letters.retry,letters.archive,queue.produce"),
    ] {
        server.ok(&["role", "create", user, "--permission", permissions, "--namespace", "shop"]);
        server.user(user, &[("shop", user)]);
    }
    let capture =
        ["letters", "capture", "dead", "x", "--origin", "orders", "--transport", "queue", "--error", "HTTP 503"];
    let id = server.objects_as("admin", &capture).remove(0)["id"].as_str().unwrap().to_owned();
    for (user, text, names) in [
        ("reader", "it cannot be retried now: access denied; ", 0),
        ("retrier", "you cannot hand it back to its origin", 0),
        ("operator", "hand it back to 'orders' with", 1),
    ] {
        let next = next(&server.run_as(user, &["letters", "show", "dead", &id]).succeeded().stdout);
        assert!(next.contains(text), "{user}: {next}");
        let commands = advised(&next);
        assert_eq!(commands.len(), names, "{user}: {next}");
        for command in commands {
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            server.run_as(user, &words).succeeded();
        }
    }
    server.run_as("operator", &["letters", "archive", "dead", &id]).succeeded();
    let archived = next(&server.run_as("reader", &["letters", "show", "dead", &id]).succeeded().stdout);
    assert!(archived.contains("cannot be restored: access denied; ") && advised(&archived).is_empty(), "{archived}");
    let shown = server.objects_as("reader", &["letters", "show", "dead", &id]).remove(0);
    assert_eq!(shown["status"], json!("archived"));
}
