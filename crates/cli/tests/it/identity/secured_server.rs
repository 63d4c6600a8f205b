//! A server with authentication, and commands with a key.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::test_server::{TempDir, TestServer, command, folder};
use crate::{CommandOutput, outcome};

/// A server with authentication; commands have the key of its administrator unless they name another one.
pub(crate) struct SecuredServer {
    pub(crate) server: TestServer,
    /// A folder for the files of the test.
    pub(crate) folder: TempDir,
}

impl SecuredServer {
    /// A server in memory.
    pub(crate) fn new(name: &str) -> Self {
        Self::with(name, &["--memory"])
    }

    pub(crate) fn with(name: &str, arguments: &[&str]) -> Self {
        let folder = folder(name);
        let server = TestServer::start(Self::serve(folder.path(), arguments));
        Self { server, folder }
    }

    /// The command that starts the server, in this folder.
    pub(crate) fn serve(folder: &Path, arguments: &[&str]) -> Command {
        let key = folder.join("admin.key");
        std::fs::write(&key, format!("rdr-admin-{}\n", "k".repeat(50))).unwrap();
        let file = format!("auth.admin_key_file={}", key.display());
        let serve = ["serve", "--listen", "127.0.0.1:0", "--auth", "internal", "--set", &file];
        let mut serve = command(&[&serve[..], arguments].concat());
        serve.current_dir(folder);
        serve
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.server.address)
    }

    /// The key file of a user that [`user`](Self::user) created, or of the administrator, `admin`.
    pub(crate) fn key_file(&self, user: &str) -> String {
        self.folder.path().join(format!("{user}.key")).to_str().unwrap().to_owned()
    }

    /// Creates a user with a key named `test`, and binds these roles to it: namespace and name.
    pub(crate) fn user(&self, name: &str, roles: &[(&str, &str)]) {
        self.ok(&["user", "create", name]);
        for (namespace, role) in roles {
            self.ok(&["binding", "create", "--user", name, "--role", role, "--namespace", namespace]);
        }
        self.ok(&["key", "create", name, "--name", "test", "--secret-file", &self.key_file(name)]);
    }

    /// Runs a command as a user.
    pub(crate) fn run_as(&self, user: &str, arguments: &[&str]) -> CommandOutput {
        let mut command = self.server.command(arguments);
        outcome(command.args(["--key-file", &self.key_file(user)]).spawn().unwrap())
    }

    /// Runs a command as the administrator.
    pub(crate) fn run(&self, arguments: &[&str]) -> CommandOutput {
        self.run_as("admin", arguments)
    }

    /// Runs a command of the administrator that must succeed; returns its stdout.
    pub(crate) fn ok(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        ran.stdout
    }

    /// The JSON objects that a command of the administrator prints, one per line.
    pub(crate) fn objects(&self, arguments: &[&str]) -> Vec<Value> {
        self.objects_as("admin", arguments)
    }

    pub(crate) fn objects_as(&self, user: &str, arguments: &[&str]) -> Vec<Value> {
        let ran = self.run_as(user, &[arguments, &["--output", "json"]].concat());
        assert_eq!(ran.code, 0, "{arguments:?}: {}", ran.stderr);
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Checks that a command of the administrator fails with this code, and that its error begins with this text.
    #[track_caller]
    pub(crate) fn fails(&self, arguments: &[&str], code: i32, error: &str) {
        let ran = self.run(arguments);
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.starts_with(&format!("error: {error}")), "{arguments:?}: {}", ran.stderr);
    }

    /// Checks that a command of a user is denied for lack of this permission.
    #[track_caller]
    pub(crate) fn denied(&self, user: &str, arguments: &[&str], permission: &str) {
        let ran = self.run_as(user, arguments);
        let who = format!("user '{user}' with the API key 'test'");
        let expected = format!("error: access denied; {who} lacks the permission '{permission}' for this request\n");
        // What the command would have changed may be shown before.
        assert!(ran.stderr.contains(&expected), "{arguments:?}: {}", ran.stderr);
        assert_eq!((ran.code, ran.stdout.as_str()), (4, ""), "{arguments:?}");
    }
}
