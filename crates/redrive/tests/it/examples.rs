//! Every example prints what its header shows.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::sync_channel;
use std::time::Duration;

/// An example ends within a few seconds; a busy machine may take longer.
const TIMEOUT: Duration = Duration::from_secs(60);

macro_rules! examples {
    ($($name:ident),*) => {
        const EXAMPLES: &[&str] = &[$(stringify!($name)),*];

        $(
            #[test]
            fn $name() {
                assert_eq!(printed(stringify!($name), None), shown(stringify!($name)));
            }
        )*
    };
}

examples!(
    consume,
    drain,
    embedded,
    guard,
    loops,
    loops_alert,
    loops_exclude,
    loops_include,
    loops_policy,
    loops_replay,
    remote,
    rules
);

mod with_kafka {
    use super::{printed, shown};

    pub(super) const EXAMPLES: &[&str] = &["kafka"];

    #[test]
    fn kafka() {
        let address = std::env::var("REDRIVE_TEST_KAFKA");
        let address = address.unwrap_or_else(|_| panic!("run cargo xtask services up kafka, and set its variables"));
        assert_eq!(printed("kafka", Some(&address)), shown("kafka"));
    }
}

#[test]
fn every_file_in_the_folder_of_examples_is_tested() {
    let files = std::fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path());
    let sources = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let names: BTreeSet<String> = sources.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    let tested = EXAMPLES.iter().chain(with_kafka::EXAMPLES);
    assert_eq!(names, tested.map(|name| (*name).to_owned()).collect());
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The output that the header of an example shows: the fenced block below `Output:`.
fn shown(name: &str) -> String {
    let source = std::fs::read_to_string(folder().join(name).with_extension("rs")).unwrap();
    let header = source.lines().map_while(|line| line.strip_prefix("//!"));
    let below = header.map(|line| line.strip_prefix(' ').unwrap_or(line)).skip_while(|line| *line != "Output:");
    let block = below.skip_while(|line| *line != "```text").skip(1).take_while(|line| *line != "```");
    let shown: String = block.flat_map(|line| [line, "\n"]).collect();
    assert_ne!(shown, "", "the header of {name}.rs has no block ```text below a line 'Output:'");
    shown
}

/// The output of an example, which must succeed within the timeout. The argument is the address of its service.
fn printed(name: &str, address: Option<&str>) -> String {
    // Cargo writes examples to a folder beside that of the tests.
    let test = std::env::current_exe().unwrap();
    let program = test.ancestors().nth(2).unwrap().join("examples").join(name);
    assert!(program.exists(), "{} does not exist; build it with: cargo test --all-features", program.display());

    let mut child = Command::new(program).args(address).stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let (tx, rx) = sync_channel(1);
    let reader = std::thread::spawn(move || {
        let mut printed = String::new();
        stdout.read_to_string(&mut printed).unwrap();
        tx.send(printed).unwrap();
    });
    let Ok(printed) = rx.recv_timeout(TIMEOUT) else {
        child.kill().unwrap();
        panic!("{name} did not end within {TIMEOUT:?}");
    };
    reader.join().unwrap();
    assert!(child.wait().unwrap().success(), "{name} failed");
    printed
}
