//! The systemd unit of the documentation starts the server.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::redrive;
use crate::test_server::folder;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn unit() -> String {
    std::fs::read_to_string(docs().join("deploy/redrive.service")).unwrap()
}

/// The value of a key of a section.
fn value(section: &str, key: &str) -> String {
    let unit = unit();
    let section = unit.split(&format!("[{section}]\n")).nth(1).unwrap_or_else(|| panic!("no section {section}"));
    let section = section.split("\n[").next().unwrap();
    let value = section.lines().find_map(|line| line.strip_prefix(&format!("{key}=")));
    value.unwrap_or_else(|| panic!("no {key}")).to_owned()
}

#[test]
fn the_command_of_the_unit_has_options_of_the_server() {
    let command = value("Service", "ExecStart");
    let mut words = command.split(' ');
    assert_eq!(words.next(), Some("/usr/local/bin/redrive"), "where docs/deploy.md installs it");
    assert_eq!(words.next(), Some("serve"));
    let help = redrive(&["serve", "--help"]).stdout;
    let options: Vec<&str> = words.filter(|word| word.starts_with('-')).collect();
    assert_eq!(options, ["--config"]);
    for option in options {
        assert!(help.contains(&format!("{option} <")), "redrive serve has no option {option}:\n{help}");
    }
}

#[test]
fn a_reload_of_the_unit_sends_the_signal_that_reloads() {
    assert_eq!(value("Service", "ExecReload"), "/bin/kill -HUP $MAINPID");
}

#[test]
fn the_page_uses_the_files_of_the_unit() {
    let page = std::fs::read_to_string(docs().join("deploy.md")).unwrap();
    let command = value("Service", "ExecStart");
    let config = command.split("--config ").nth(1).unwrap();
    assert!(page.contains(&format!("Save the configuration as `{config}`")), "{config}");
    // With ProtectSystem=strict, the unit can write to no other directory.
    assert_eq!(value("Service", "ProtectSystem"), "strict");
    let state = format!("/var/lib/{}", value("Service", "StateDirectory"));
    assert!(page.contains(&format!("data_dir = \"{state}\"")), "{state}");
    let user = value("Service", "User");
    assert!(page.contains(&format!("useradd --system --home-dir {state} --shell /usr/sbin/nologin {user}\n")));
}

/// Skipped where systemd is not installed: the unit needs nothing else from the machine.
#[test]
fn systemd_accepts_the_unit() {
    if Command::new("systemd-analyze").arg("--version").output().is_err() {
        return;
    }
    // The program of the unit must exist, and the name of the file is that of the unit.
    let folder = folder("systemd-unit");
    let program = env!("CARGO_BIN_EXE_redrive");
    let file = folder.path().join("redrive.service");
    std::fs::write(&file, unit().replace("/usr/local/bin/redrive", program)).unwrap();
    let mut verify = Command::new("systemd-analyze");
    let ran = verify.args(["verify", "--man=no", "--recursive-errors=no"]).arg(&file).output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}
