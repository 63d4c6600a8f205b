//! Runs the commands of a page in one shell.

use std::fmt::Write;
use std::fs;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use redrive_core::{Span, Time};

use super::page::{Page, Step};
use crate::test_server::{TempDir, folder};

/// The ports of the pages: that of the server, and that of a target. Both may be in use, so tests replace them.
const PORTS: [&str; 2] = ["2319", "8080"];

/// Starts a server and waits until it is ready. A further one replaces it.
const FUNCTIONS: &str = r#"
stop_server() {
    if [ -n "$SERVER" ]; then kill "$SERVER"; wait "$SERVER"; SERVER=; fi
}
wait_until_ready() {
    until grep -qs '^ready ' "$1"; do
        kill -0 "$SERVER" 2> "$STEPS/ignored" || exit 97
        sleep 0.05
    done
}
"#;

/// A page that is run, and what became of it.
pub(super) struct PageRun {
    name: String,
    folder: TempDir,
    ports: [String; 2],
}

impl PageRun {
    pub(super) fn new(name: &str) -> Self {
        let folder = folder(&format!("page-{}", name.replace(['/', '.'], "-")));
        fs::create_dir_all(folder.path().join("steps")).unwrap();
        // Both at once, so that they differ.
        let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
        let ports = listeners.map(|listener| listener.local_addr().unwrap().port().to_string());
        Self { name: name.to_owned(), folder, ports }
    }

    fn with_own_ports(&self, text: &str) -> String {
        PORTS.iter().zip(&self.ports).fold(text.to_owned(), |text, (shown, own)| text.replace(shown, own))
    }

    fn with_shown_ports(&self, text: &str) -> String {
        PORTS.iter().zip(&self.ports).fold(text.to_owned(), |text, (shown, own)| text.replace(own, shown))
    }

    fn step(&self, number: usize, kind: &str) -> PathBuf {
        self.folder.path().join("steps").join(format!("{number}.{kind}"))
    }

    /// The page as a script: each command writes its output and its exit code to files.
    fn script(&self, page: &Page) -> String {
        let mut script = FUNCTIONS.to_owned();
        let mut placeholders: Vec<&str> = Vec::new();
        let begins_server = |step: &Step| matches!(step, Step::Run { command, .. } if serve(command).is_some());
        if !page.steps.iter().any(begins_server) {
            let ready = self.step(page.steps.len(), "out");
            writeln!(script, "redrive serve --memory > {0} 2>&1 & SERVER=$!\nwait_until_ready {0}", ready.display())
                .unwrap();
        }
        for (number, step) in page.steps.iter().enumerate() {
            let [out, code] = ["out", "code"].map(|kind| self.step(number, kind).display().to_string());
            match step {
                Step::Define { placeholder, command } => {
                    placeholders.push(placeholder);
                    writeln!(script, "PLACEHOLDER_{}=$({})", placeholders.len(), self.with_own_ports(command))
                }
                Step::Prepare(commands) => writeln!(
                    script,
                    "set -e\n{{ {}\n}} > {out} 2>&1 < /dev/null\nset +e",
                    self.with_own_ports(commands)
                ),
                Step::File { name, content } => {
                    let content_path = self.step(number, "file");
                    fs::write(&content_path, self.with_own_ports(content)).unwrap();
                    writeln!(script, "cp {} {name}", content_path.display())
                }
                Step::Run { command, .. } => match serve(command) {
                    Some(arguments) => {
                        let arguments = self.with_own_ports(arguments);
                        let start =
                            format!("SERVER_LOG={out}; redrive serve {arguments} > {out} 2>&1 < /dev/null & SERVER=$!");
                        writeln!(script, "stop_server\n{start}\nwait_until_ready {out}; echo 0 > {code}")
                    }
                    None => {
                        let command = with_values(&self.with_own_ports(command), &placeholders);
                        writeln!(script, "{{ {command}\n}} > {out} 2>&1 < /dev/null; echo $? > {code}")
                    }
                },
            }
            .unwrap();
        }
        script + "stop_server\n"
    }

    /// Runs the page, and compares each output with what the page shows. Returns how many commands were run.
    pub(super) fn check(&mut self, page: &Page) -> usize {
        let steps = self.folder.path().join("steps");
        let script = steps.join("script");
        fs::write(&script, self.script(page)).unwrap();
        let program = PathBuf::from(env!("CARGO_BIN_EXE_redrive"));
        let path = format!("{}:{}", program.parent().unwrap().display(), std::env::var("PATH").unwrap());
        let mut shell = Command::new("timeout");
        shell.args(["--foreground", "--kill-after=5", "300", "sh"]).arg(&script).current_dir(self.folder.path());
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("REDRIVE_")) {
            shell.env_remove(name);
        }
        shell.env("PATH", path).env("HOME", self.folder.path());
        shell.env("XDG_CONFIG_HOME", self.folder.path().join(".config"));
        shell.env("REDRIVE_LISTEN", format!("127.0.0.1:{}", self.ports[0])).env("STEPS", &steps);
        shell.env("REDRIVE_SERVER", format!("http://127.0.0.1:{}", self.ports[0]));
        shell.env("EXAMPLES", concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples"));
        shell.env_remove("COLUMNS").env_remove("SERVER").process_group(0).stdin(Stdio::null());
        let log = fs::File::create(steps.join("log")).unwrap();
        let mut child = shell.stdout(log.try_clone().unwrap()).stderr(log).spawn().unwrap();
        let group = rustix::process::Pid::from_child(&child);
        let ended = child.wait().unwrap();
        // What the page has left in the background. There may be nothing.
        let _killed = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        let commands: Vec<_> = page.steps.iter().enumerate().collect();
        let ran = commands.iter().filter(|(number, step)| self.compare(*number, step)).count();
        self.folder.disable_cleanup(!ended.success());
        assert!(ended.success(), "{}: {ended}; see {}", self.name, steps.display());
        ran
    }

    /// Compares the output of a step with what the page shows. Returns whether it is a command.
    fn compare(&self, number: usize, step: &Step) -> bool {
        let printed = |path: &Path| String::from_utf8_lossy(&fs::read(path).unwrap_or_default()).into_owned();
        let out = self.with_shown_ports(&printed(&self.step(number, "out")));
        let Step::Run { command, shown } = step else { return false };
        let code = printed(&self.step(number, "code"));
        let at = format!("{}: $ {command}\n{out}", self.name);
        if serve(command).is_some() {
            let lines: Vec<String> = out.lines().map(stable).collect();
            for line in shown.lines().map(stable) {
                assert!(lines.iter().any(|printed| matches(&line, printed)), "{at}does not print {line}");
            }
            assert_eq!(code.trim(), "0", "{at}");
            return true;
        }
        // A command whose failure is shown fails.
        let is_failure = shown.lines().any(|line| line.starts_with("error: "));
        assert_eq!(code.trim() != "0", is_failure, "{at}exits with {code}");
        let (shown, out) = (stable(shown), stable(&out));
        assert!(matches(&shown, &out), "{}: $ {command}\nprints\n{out}\ninstead of\n{shown}", self.name);
        true
    }
}

/// The command with the variables of its placeholders, which a shell expands between double quotes only.
fn with_values(command: &str, placeholders: &[&str]) -> String {
    let mut command = command.to_owned();
    for (index, placeholder) in placeholders.iter().enumerate() {
        let mut parts = command.split(placeholder);
        let mut replaced = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let is_quoted = replaced.matches('\'').count() % 2 == 1;
            let quote = if is_quoted { "'" } else { "" };
            write!(replaced, "{quote}\"$PLACEHOLDER_{}\"{quote}{part}", index + 1).unwrap();
        }
        command = replaced;
    }
    command
}

/// The arguments of a command that runs a server.
fn serve(command: &str) -> Option<&str> {
    let arguments = ["redrive serve", "cargo run --release -- serve"].iter().find_map(|start| {
        let rest = command.strip_prefix(start)?;
        (rest.is_empty() || rest.starts_with(' ')).then_some(rest)
    })?;
    Some(arguments.split(" #").next().unwrap_or_default().trim().trim_end_matches('&').trim())
}

/// The text with placeholders for ids, times and ages, which differ from run to run.
pub(super) fn stable(text: &str) -> String {
    let word = |word: &str| {
        let plain = word.trim_matches(['"', ',', '(', ')', '[', ']', '{', '}', ';', ':']);
        // An id, or that of an audit record, with its number.
        let (id, number) = plain.split_once('-').unwrap_or((plain, ""));
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        let is_id = id.len() == 27 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()) && is_number;
        let is_time = plain.parse::<Time>().is_ok();
        let is_age = plain != "0s" && Span::parse_with_days(plain).is_ok_and(|span| !span.is_zero());
        match is_id || is_time || is_age || plain == "now" {
            true => word.replace(plain, "*"),
            false => word.to_owned(),
        }
    };
    // `6s ago`, `in 6s` and `now` are the same moment on machines of different speed.
    let is_kept = |word: &&str| !matches!(*word, "ago" | "in");
    let line = |line: &str| line.split_whitespace().filter(is_kept).map(word).collect::<Vec<_>>().join(" ");
    text.trim().lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Whether a text is what a page shows, where `…` stands for any text.
fn matches(shown: &str, printed: &str) -> bool {
    let mut parts = shown.split('…');
    let Some(mut rest) = parts.next().and_then(|first| printed.strip_prefix(first)) else { return false };
    let mut last = None;
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
        last = Some(part);
    }
    rest.is_empty() || last.is_some_and(str::is_empty) || last.is_some_and(|last| printed.ends_with(last))
}

#[test]
fn an_ellipsis_matches_any_text_and_nothing_else_does() {
    assert!(matches("a …\nc", "a b\nc") && matches("key rdr-…", "key rdr-17") && matches("same", "same"));
    assert!(!matches("a …\nc", "a b\nd") && !matches("same", "same more") && !matches("key …", "no key"));
    assert_eq!(stable("3M928yx0UrfVbDwCKPpjAHbKnmG  6s ago\nin 5s now 0s"), "* *\n* * 0s");
    assert_eq!(stable("3M928yx0UrfVbDwCKPpjAHbKnmG-17 order-17"), "* order-17");
    assert!(!matches("", "put 1 item into 'orders'"), "an output that a page leaves out is shown as …");
}
