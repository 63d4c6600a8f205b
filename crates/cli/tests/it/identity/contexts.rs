//! Contexts: servers with their key file and namespace.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::SecuredServer;
use crate::test_server::{TempDir, TestServer, command, folder};
use crate::{CommandOutput, outcome};

/// A configuration folder of a user.
struct Config(TempDir);

impl Config {
    fn new(name: &str) -> Self {
        Self(folder(name))
    }

    fn file(&self) -> PathBuf {
        self.0.path().join("redrive/contexts.toml")
    }

    fn write(&self, text: &str) {
        std::fs::create_dir_all(self.0.path().join("redrive")).unwrap();
        std::fs::write(self.file(), text).unwrap();
    }

    /// A command of this user, without a server in its environment.
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = command(arguments);
        command.env("XDG_CONFIG_HOME", self.0.path());
        command
    }

    fn run(&self, arguments: &[&str]) -> CommandOutput {
        outcome(self.command(arguments).spawn().unwrap())
    }

    fn ok(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        ran.stdout
    }

    fn object(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(self.ok(&[arguments, &["--output", "json"]].concat()).trim()).unwrap()
    }

    #[track_caller]
    fn fails(&self, arguments: &[&str], code: i32, error: &str) {
        let ran = self.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.starts_with(&format!("error: {error}")), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn a_context_is_set_used_changed_and_deleted() {
    let server = SecuredServer::new("context-server");
    server.ok(&["namespace", "create", "shop"]);
    server.user("ann", &[("_system", "Admin")]);
    let config = Config::new("context-life");
    let (url, key) = (server.url(), server.key_file("ann"));
    let set = config.run(&["context", "set", "prod", "--server", &url, "--key-file", &key, "--namespace", "shop"]);
    assert_eq!((set.code, set.stderr.as_str()), (0, "created context 'prod'; use it with: redrive context use prod\n"));
    assert_eq!(config.run(&["whoami"]).code, 5, "a context is not used before it is chosen");
    let chosen = config.run(&["context", "use", "prod"]);
    assert_eq!(chosen.stderr, "commands now use the context 'prod'\n");

    let who = config.object(&["whoami"]);
    assert_eq!((&who["username"], &who["context"], &who["namespace"]), (&json!("ann"), &json!("prod"), &json!("shop")));
    config.ok(&["queue", "create", "orders"]);
    assert_eq!(config.object(&["queue", "info", "orders"])["namespace"], "shop");
    assert_eq!(config.object(&["queue", "list"])["queue_name"], "orders");
    assert_eq!(config.ok(&["queue", "list", "--namespace", "_system", "--output", "json"]), "");
    config.ok(&["role", "create", "clerk", "--permission", "queue.list"]);
    assert_eq!(config.object(&["role", "list"])["namespace"], "shop");

    let shown = config.object(&["context", "show"]);
    let expected = json!({ "name": "prod", "is_current": true, "server": url, "key_file": key, "ca_file": null, "namespace": "shop" });
    assert_eq!(shown, expected);
    assert_eq!(
        config.run(&["context", "set", "prod", "--unset", "namespace,key-file"]).stderr,
        "updated context 'prod'\n"
    );
    let shown = config.object(&["context", "get", "prod"]);
    assert_eq!((&shown["namespace"], &shown["key_file"], &shown["server"]), (&json!(null), &json!(null), &json!(url)));
    config.ok(&["context", "set", "local"]);
    let table = config.ok(&["context", "list"]);
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[1].trim_start().starts_with("local") && lines[2].starts_with("*  prod"), "{table}");
    assert_eq!(
        config.run(&["context", "delete", "prod"]).stderr,
        "deleted context 'prod'\ncommands now use no context\n"
    );
    config.fails(&["context", "show"], 3, "no context is in use\n  use one with: redrive context use NAME\n");
    config.ok(&["context", "use", "local"]);
    assert_eq!(config.run(&["context", "use", "--none"]).stderr, "commands now use no context\n");
}

#[test]
fn the_file_has_the_path_of_the_key_and_not_the_key() {
    let server = SecuredServer::new("context-no-key");
    let config = Config::new("context-file");
    let mut set = config.command(&["context", "set", "prod", "--server", &server.url(), "--key-file", "admin.key"]);
    outcome(set.current_dir(server.folder.path()).spawn().unwrap()).succeeded();
    let text = std::fs::read_to_string(config.file()).unwrap();
    assert!(text.contains(&format!("key_file = \"{}\"", server.key_file("admin"))), "an absolute path: {text}");
    let key = std::fs::read_to_string(server.key_file("admin")).unwrap();
    assert!(!text.contains(key.trim()), "{text}");
    assert_eq!(std::fs::metadata(config.file()).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(config.object(&["--context", "prod", "whoami"])["username"], "admin");
    config.fails(&["context", "set", "x", "--key-file", key.trim()], 2, "cannot read the file ");
    assert!(!std::fs::read_to_string(config.file()).unwrap().contains(key.trim()));
}

#[test]
fn options_and_variables_win_over_the_context() {
    let (one, other) = (TestServer::new(), TestServer::new());
    let (one_url, other_url) = (format!("http://{}", one.address), format!("http://{}", other.address));
    one.run_ok(&["queue", "create", "of-one"]);
    other.run_ok(&["queue", "create", "of-other"]);
    let config = Config::new("context-precedence");
    config.ok(&["context", "set", "one", "--server", &one_url]);
    config.ok(&["context", "set", "other", "--server", &other_url]);
    config.ok(&["context", "use", "one"]);
    let queue = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut list = config.command(&[&["queue", "list", "--output", "json"], arguments].concat());
        let ran = outcome(list.envs(variables.iter().copied()).spawn().unwrap());
        assert_eq!(ran.code, 0, "{arguments:?} {variables:?}: {}", ran.stderr);
        serde_json::from_str::<Value>(ran.stdout.trim()).unwrap()["queue_name"].as_str().unwrap().to_owned()
    };
    assert_eq!(queue(&[], &[]), "of-one");
    assert_eq!(queue(&["--context", "other"], &[]), "of-other");
    assert_eq!(queue(&[], &[("REDRIVE_CONTEXT", "other")]), "of-other");
    assert_eq!(queue(&["--context", "one"], &[("REDRIVE_CONTEXT", "other")]), "of-one");
    assert_eq!(queue(&[], &[("REDRIVE_CONTEXT", "")]), "of-one", "an empty variable counts as unset");
    assert_eq!(queue(&[], &[("REDRIVE_SERVER", &other_url)]), "of-other");
    assert_eq!(queue(&["--server", &one_url], &[("REDRIVE_SERVER", &other_url)]), "of-one");
    assert_eq!(queue(&["--server", &other_url, "--context", "one"], &[]), "of-other");
    let named = queue(&["--context", "one"], &[("REDRIVE_SERVER", &other_url)]);
    assert_eq!(named, "of-one", "a context on the command line precedes variables");
}

#[test]
fn the_key_of_the_command_wins_over_that_of_the_context() {
    let server = SecuredServer::new("context-key");
    server.user("ann", &[]);
    let config = Config::new("context-key-config");
    config.ok(&["context", "set", "prod", "--server", &server.url(), "--key-file", &server.key_file("ann")]);
    config.ok(&["context", "use", "prod"]);
    assert_eq!(config.object(&["whoami"])["username"], "ann");
    assert_eq!(config.object(&["whoami", "--key-file", &server.key_file("admin")])["username"], "admin");
    let key = std::fs::read_to_string(server.key_file("admin")).unwrap();
    let mut with_variable = config.command(&["whoami", "--output", "json"]);
    let ran = outcome(with_variable.env("REDRIVE_API_KEY", key.trim()).spawn().unwrap());
    assert_eq!(serde_json::from_str::<Value>(&ran.stdout).unwrap()["username"], "admin");
    let mut with_both = config.command(&["whoami", "--output", "json", "--context", "prod"]);
    let ran = outcome(with_both.env("REDRIVE_API_KEY", key.trim()).spawn().unwrap());
    assert_eq!(serde_json::from_str::<Value>(&ran.stdout).unwrap()["username"], "ann");
}

#[test]
fn the_key_of_a_context_is_not_sent_to_another_server() {
    let (server, other) = (SecuredServer::new("context-own"), SecuredServer::new("context-other"));
    let config = Config::new("context-withheld");
    config.ok(&["context", "set", "prod", "--server", &server.url(), "--key-file", &server.key_file("admin")]);
    config.ok(&["context", "use", "prod"]);
    assert_eq!(config.object(&["whoami", "--server", &format!("{}/", server.url())])["username"], "admin");
    let who = config.object(&["whoami", "--server", &other.url()]);
    assert_eq!(who["username"], "anonymous", "both servers accept the same key, so it was not sent");
    let error = "access denied; user 'anonymous' (the request has no API key) lacks the permission 'queue.list' for this \
                 request\n  no API key was sent: that of the context 'prod' is for another server; provide one";
    config.fails(&["queue", "list", "--server", &other.url()], 4, error);
}

#[test]
fn a_wrong_context_is_reported_in_one_sentence() {
    let config = Config::new("context-wrong");
    let path = config.file().display().to_string();
    let missing = format!("no such context named 'none' in {path}\n  list all with: redrive context list\n");
    for arguments in [
        &["--context", "none", "queue", "list"][..],
        &["context", "show", "none"],
        &["context", "use", "none"],
        &["context", "delete", "none"],
    ] {
        config.fails(arguments, 3, &missing);
    }
    let form = "a name has 1 to 64 letters, digits, '.', '_' or '-'";
    config.fails(&["context", "set", "two words"], 2, &format!("invalid value 'two words' for '<NAME>': {form}"));
    config.fails(&["--context", "ü", "queue", "list"], 2, &format!("invalid value 'ü' for '--context <NAME>': {form}"));
    let mut with_variable = config.command(&["queue", "list"]);
    let ran = outcome(with_variable.env("REDRIVE_CONTEXT", "two words").spawn().unwrap());
    assert_eq!((ran.code, ran.stderr), (2, format!("error: REDRIVE_CONTEXT is invalid: {form}\n")));
    config.fails(&["context", "set", "x", "--server", "ftp://x"], 2, "");
    config.fails(
        &["context", "set", "x", "--unset", "everything"],
        2,
        "invalid value 'everything' for '--unset <SETTINGS>'",
    );
    config.fails(&["context", "set", "x", "--key-file", "/nowhere/key"], 2, "cannot read the file /nowhere/key: ");
    config.fails(&["context", "use"], 2, "the following required arguments");
    assert!(!config.file().exists(), "nothing was written");
}

#[test]
fn an_invalid_or_unreadable_file_is_reported_with_its_path_and_without_its_content() {
    let secret = format!("rdr-live-{}", "s".repeat(43));
    let config = Config::new("context-invalid");
    let path = config.file().display().to_string();
    for (text, why) in [
        (
            format!("[contexts.prod]\nkey = '{secret}'\n"),
            "context 'prod' contains a key; write it to a file, and name that file as key_file",
        ),
        (format!("[contexts.prod]\nserver = '{secret}\n"), "line 2 is not TOML"),
        (format!("[contexts]\nprod = '{secret}'\n"), "context 'prod' must be a table, as in [contexts.prod]"),
        ("[contexts.prod]\nserver = 7\n".to_owned(), "'server' of context 'prod' must be a text in quotes"),
        (
            "[contexts.prod]\nurl = 'x'\n".to_owned(),
            "context 'prod' has the unknown setting 'url'; known are server, key_file, ca_file, namespace",
        ),
        ("current = 7\n".to_owned(), "'current' must be the name of a context, as a text"),
        ("contexts = 7\n".to_owned(), "'contexts' must be a table, as in [contexts.prod]"),
        ("context = 'prod'\n".to_owned(), "'context' is unknown; known are 'current' and 'contexts'"),
    ] {
        config.write(&text);
        for arguments in [&["queue", "list"][..], &["context", "list"], &["context", "set", "x"]] {
            let ran = config.run(arguments);
            let expected = format!("error: {path} is not a valid file of contexts: {why}\n");
            assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr), (1, "", expected), "{arguments:?}");
        }
        assert_eq!(std::fs::read_to_string(config.file()).unwrap(), text, "the file is kept");
    }
    config.write("current = 'gone'\n");
    config.fails(&["queue", "list"], 3, &format!("no such context named 'gone' in {path}\n"));
    config.ok(&["context", "use", "--none"]);
    std::fs::remove_file(config.file()).unwrap();
    std::fs::create_dir(config.file()).unwrap();
    config.fails(&["queue", "list"], 1, &format!("cannot read {path}: "));
    config.fails(&["context", "list"], 1, &format!("cannot read {path}: "));
}

#[test]
fn a_missing_key_file_is_reported_with_its_context() {
    let config = Config::new("context-lost-key");
    config.write("current = 'prod'\n[contexts.prod]\nkey_file = 'keys/prod.key'\n");
    let file = config.0.path().join("redrive/keys/prod.key");
    let error = format!("the key file of the context 'prod': cannot read {}: No such file", file.display());
    config.fails(&["queue", "list"], 1, &error);
}

#[test]
fn without_a_configuration_folder_contexts_are_unavailable_and_commands_work() {
    let server = TestServer::new();
    let without = |arguments: &[&str]| {
        let mut command = server.command(arguments);
        outcome(command.env_remove("XDG_CONFIG_HOME").env_remove("HOME").spawn().unwrap())
    };
    assert_eq!(without(&["queue", "list"]).code, 0);
    let ran = without(&["context", "list"]);
    let expected = "error: there is no folder for contexts: neither XDG_CONFIG_HOME nor HOME is set\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (1, expected));
    assert_eq!(without(&["--context", "prod", "queue", "list"]).code, 3);
}

#[test]
fn the_file_is_in_the_home_folder_by_default() {
    let home = folder("context-home");
    let mut set = command(&["context", "set", "prod"]);
    set.env("XDG_CONFIG_HOME", "relative/is/ignored").env("HOME", home.path());
    assert_eq!(outcome(set.spawn().unwrap()).code, 0);
    assert!(home.path().join(".config/redrive/contexts.toml").is_file());
}
