//! Targets by name: `[targets.NAME]` in the configuration file.

use serde_json::json;

use crate::outcome;
use crate::retries::{ok, target, until};
use crate::test_server::{TestServer, command, folder, folder_with};

/// The errors of `serve` and `config check` about a configuration.
fn errors(name: &str, config: &str) -> [String; 2] {
    let folder = folder_with(name, config);
    [&["serve", "--memory", "--listen", "127.0.0.1:0"][..], &["config", "check", "redrive.toml"]].map(|arguments| {
        let ran = outcome(command(arguments).current_dir(folder.path()).spawn().unwrap());
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{config}: {}", ran.stderr);
        ran.stderr
    })
}

#[test]
fn queues_are_retried_at_a_target_by_name_and_its_secret_is_shown_nowhere() {
    let (url, seen) = target(&[503, 200, 200]);
    let folder = folder("targets-by-name");
    std::fs::write(folder.path().join("token"), "Bearer 5ecret\n").unwrap();
    let config = format!(
        "[targets.orders]\nhttp = \"{url}?key=5ecret\"\nmethod = \"PUT\"\nconcurrency = 1\n\
         headers = {{ authorization = {{ file = \"token\" }}, x-key = {{ env = \"ORDERS_KEY\" }} }}\n\
         [dlq]\ncustom_backoff = \"list 0s\"\n\
         targets = [{{ queue = \"orders-dead\", target = \"orders\" }}, {{ queue = \"carts-dead\", target = \"orders\" }}]\n"
    );
    std::fs::write(folder.path().join("redrive.toml"), config).unwrap();
    let mut check = command(&["config", "check", "redrive.toml"]);
    let checked = outcome(check.current_dir(folder.path()).env("ORDERS_KEY", "5ecret-key").spawn().unwrap());
    assert_eq!((checked.code, checked.stdout.as_str()), (0, "redrive.toml is valid\n"), "{}", checked.stderr);
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0", "--log", "trace"]);
    serve.current_dir(folder.path()).env("ORDERS_KEY", "5ecret-key");
    let log = folder.path().join("log");
    let mut server = TestServer::logging(serve, std::fs::File::create(&log).unwrap().into());
    let mut shown = String::new();
    for queue in ["orders-dead", "carts-dead"] {
        let letter = json!({ "source_id": "s-1", "utf8": "order 17", "retry_policy": "custom",
            "fault": { "error": "timed out" } });
        let captured = ok(&server, "letters.capture", &json!({ "queue_name": queue, "letters": [letter] }));
        let get = json!({ "queue_name": queue, "id": captured["letters"][0]["id"] });
        until("a completed letter", || ok(&server, "letters.get", &get)["letter"]["status"] == json!("completed"));
        shown += &ok(&server, "letters.get", &get).to_string();
        shown += &ok(&server, "letters.configure", &json!({ "queue_name": queue })).to_string();
    }
    for (head, body) in seen.iter().take(3) {
        let head = head.to_lowercase();
        assert!(head.starts_with("put /orders?key=5ecret "), "{head}");
        assert!(
            head.contains("\nauthorization: bearer 5ecret\r\n") && head.contains("\nx-key: 5ecret-key\r\n"),
            "{head}"
        );
        assert_eq!(body, "order 17");
    }
    shown += &server.run_ok(&["status"]);
    assert_eq!(server.stop(), Some(0));
    shown += &std::fs::read_to_string(&log).unwrap();
    assert!(shown.contains("retries started") && !shown.contains("5ecret"), "{shown}");
}

#[test]
fn a_worker_is_shared_by_all_queues_that_name_it() {
    let folder = folder("targets-worker");
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples");
    std::fs::write(
        folder.path().join("worker.py"),
        format!(
            "import os, sys\nsys.path.insert(0, '{examples}')\nimport worker\n\
             open('started', 'a').write('%d\\n' % os.getpid())\n\
             worker.run(lambda request, payload, beat: b'done')\n"
        ),
    )
    .unwrap();
    let config = "[targets.work]\nworker = [\"python3\", \"-B\", \"worker.py\"]\n\
                  [dlq]\ntargets = [{ queue = \"a\", target = \"work\" }, { queue = \"b\", target = \"work\" }]\n";
    std::fs::write(folder.path().join("redrive.toml"), config).unwrap();
    let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
    serve.current_dir(folder.path());
    let mut server = TestServer::start(serve);
    for queue in ["a", "b"] {
        let letter = json!({ "source_id": "s-1", "utf8": "x", "fault": { "error": "timed out" } });
        ok(&server, "letters.capture", &json!({ "queue_name": queue, "letters": [letter] }));
        server.run_ok(&["letters", "retry", queue, "s-1"]);
    }
    assert_eq!(server.stop(), Some(0));
    let started = std::fs::read_to_string(folder.path().join("started")).unwrap();
    assert_eq!(started.lines().count(), 1, "{started}");
}

#[test]
fn a_wrong_target_is_one_sentence_at_the_check_and_at_the_start() {
    let two = "[targets.billing]\norigin = true\n[targets.orders]\norigin = true\n";
    let entry = |entry: &str| format!("{two}[dlq]\ntargets = [{{ queue = \"dead\", {entry} }}]\n");
    let cases = [
        (entry("target = \"ordrs\""), "dlq.targets: 'dead' names the target 'ordrs'; known targets: billing, orders"),
        (
            "[dlq]\ntargets = [{ queue = \"dead\", target = \"orders\" }]\n".to_owned(),
            "dlq.targets: 'dead' names the target 'orders', and the file has none; write [targets.orders]",
        ),
        (
            entry("target = \"orders\", http = \"http://h\""),
            "dlq.targets: 'dead' has the name of a target and its settings; keep one of them",
        ),
        (
            "[targets.a]\nhttp = \"http://h\"\nprocesses = 2\n".to_owned(),
            "the target targets.a is invalid: processes does not apply to an http target; only a worker target has it",
        ),
        (
            "[targets.a]\nworker = [\"./missing\"]\n".to_owned(),
            "the target targets.a is invalid: no such program: './missing'",
        ),
        ("[targets.\"a b\"]\norigin = true\n".to_owned(), "target name is invalid; 'a b' cannot contain whitespace"),
        ("[targets.a]\norigin = true\nverb = 1\n".to_owned(), "unknown field `verb`, expected one of `http`, `grpc`"),
        ("targets = []\n".to_owned(), "targets is not a section; write [targets.NAME], and its settings below it"),
        ("[target.a]\norigin = true\n".to_owned(), "unknown setting 'target'\n  did you mean 'targets'?"),
    ];
    for (config, expected) in cases {
        for error in errors("targets-wrong", &config) {
            assert!(error.contains(expected), "{config}: {error}");
        }
    }
}

#[test]
fn no_error_about_a_target_shows_a_secret() {
    for config in [
        "[targets]\nhttp = \"http://ann:5ecret@h\"\n",
        "[targets.a]\nhttp = \"ftp://ann:5ecret@h?5ecret\"\n",
        "[targets.a]\nhttp = [\"http://ann:5ecret@h\"]\n",
        "[targets.a]\nhttp = \"http://h\"\nheaders = \"authorization: 5ecret\"\n",
        "[targets.a]\nhttp = \"http://h\"\nheaders = [\"authorization: 5ecret\"]\n",
        "[targets.a]\nhttp = \"http://h\"\nheaders = { \"authorization: 5ecret\" = \"\" }\n",
        "[targets.a]\nhttp = \"http://h\"\nheaders = { authorization = \"5ecret\\n\" }\n",
        "[targets.a]\nhttp = \"http://h\"\nheaders = { authorization = { fil = \"5ecret\" } }\n",
        "[targets.a]\nhttp = \"http://h\"\nheaders = { authorization = { file = \"no-such-file\", env = \"5ecret\" } }\n",
        "[targets.a]\nworker = \"worker --token 5ecret\"\n",
        "[targets.a]\nworker = [\"./missing\", \"5ecret\"]\n",
        "[dlq]\ntargets = [{ queue = \"dead\", worker = \"worker --token 5ecret\" }]\n",
    ] {
        for error in errors("targets-secret", config) {
            assert!(!error.contains("5ecret"), "{config}: {error}");
        }
    }
}

#[test]
fn targets_are_in_the_file_only() {
    let folder = folder("targets-flags");
    for (set, variable) in [(Some("targets.a=1"), None), (Some("targets=1"), None), (None, Some("REDRIVE_TARGETS"))] {
        let mut serve = command(&["serve", "--memory", "--listen", "127.0.0.1:0"]);
        serve.args(set.map(|set| ["--set", set]).into_iter().flatten());
        serve.envs(variable.map(|name| (name, "x")));
        let ran = outcome(serve.current_dir(folder.path()).spawn().unwrap());
        let expected =
            if set.is_some() { "targets are set in the configuration file only" } else { "unknown variable" };
        assert!(ran.code == 1 && ran.stderr.contains(expected), "{set:?} {variable:?}: {}", ran.stderr);
    }
}
