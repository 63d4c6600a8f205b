//! `redrive audit verify`: a changed or removed record is found.

use std::path::Path;

use bytes::Bytes;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{KeyCondition, KeyEntry, KeyWrite, ScanKeys, WriteKeys};
use redrive_store::Store;
use serde_json::{Value, json};

use crate::test_server::{TempDir, TestServer, command, folder};
use crate::{CommandOutput, redrive};

fn serve(folder: &Path) -> TestServer {
    let mut serve = command(&["serve", "--listen", "127.0.0.1:0", "--data-dir", "data"]);
    serve.current_dir(folder);
    TestServer::start(serve)
}

/// A server whose store was changed while it did not run.
struct Tampered {
    server: TestServer,
    /// The chain that was changed, as it was before.
    before: Value,
    _folder: TempDir,
}

impl Tampered {
    fn verification(&self) -> (CommandOutput, Value) {
        let ran = self.server.run(&["audit", "verify", "--output", "json"]);
        let object = serde_json::from_str(ran.stdout.trim()).unwrap();
        (ran, object)
    }

    /// Checks that the changed chain, and no other, breaks at the record of this number.
    #[track_caller]
    fn assert_breaks(&self, number: u64, why: &str) {
        let (ran, object) = self.verification();
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        let id = format!("{}-{number}", self.before["incarnation"].as_str().unwrap());
        assert_eq!(object["broken"], json!([{ "id": id, "why": why }]));
        let error: Value = serde_json::from_str(ran.stderr.lines().last().unwrap()).unwrap();
        assert_eq!(error["error"], format!("the audit log breaks at record {id}: {why}"));
        let ran = self.server.run(&["audit", "verify"]);
        let expected = format!("error: the audit log breaks at record {id}: {why}\n");
        ran.fails(1, &expected);
    }
}

/// Starts a server, creates queues, stops it, changes its store and starts it again.
fn tampered(name: &str, tamper: impl FnOnce(Vec<KeyEntry>) -> KeyWrite) -> Tampered {
    let folder = folder(name);
    let mut server = serve(folder.path());
    for name in ["a", "b", "c"] {
        server.run_ok(&["queue", "create", name]);
    }
    let before = server.objects(&["audit", "verify"])[0]["chains"][0].clone();
    assert_eq!(server.stop(), Some(0));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = EmbeddedStore::open(&folder.path().join("data"), &EmbeddedOptions::default()).unwrap();
        let prefix = Bytes::from_static(b"audit\0\x01");
        let entries = store.keys(ScanKeys { from: prefix.clone(), prefix, limit: 1_000 }).await.unwrap();
        store.write_keys(WriteKeys { writes: vec![tamper(entries)] }).await.unwrap();
        store.close().await.unwrap();
    });
    Tampered { server: serve(folder.path()), before, _folder: folder }
}

fn write(entry: &KeyEntry, value: Option<Bytes>) -> KeyWrite {
    KeyWrite { key: entry.key.clone(), value, condition: KeyCondition::Any }
}

fn replaced(entry: &KeyEntry, from: &str, to: &str) -> KeyWrite {
    let text = String::from_utf8(entry.value.to_vec()).unwrap();
    assert!(text.contains(from), "{text}");
    write(entry, Some(text.replace(from, to).into()))
}

#[test]
fn an_untouched_log_is_verified_across_restarts() {
    let folder = folder("verify-untouched");
    let mut server = serve(folder.path());
    server.run_ok(&["queue", "create", "a"]);
    assert_eq!(server.stop(), Some(0));
    let server = serve(folder.path());
    let ran = server.run(&["audit", "verify"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "verified 4 audit records in 2 chains\n"));
    let mut lines: Vec<Vec<&str>> = ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(lines.remove(0), ["CHAIN", "FIRST", "LAST", "HEAD"]);
    // Two servers that started within a second are listed in any order.
    lines.sort_by_key(|line| line[2].to_owned());
    assert_eq!(lines.iter().map(|line| &line[1..3]).collect::<Vec<_>>(), [["0", "0"], ["0", "2"]]);
}

#[test]
fn a_changed_record_is_found() {
    let tampered = tampered("verify-changed", |entries| replaced(&entries[3], r#""name":"b""#, r#""name":"x""#));
    tampered.assert_breaks(4, "it does not contain the hash of the previous record");
    let listed = tampered.server.objects(&["audit", "list", "--queue", "x"]);
    assert_eq!(listed.len(), 1, "the changed record is listed as it is");
}

#[test]
fn a_removed_record_is_found() {
    let tampered = tampered("verify-removed", |entries| write(&entries[3], None));
    tampered.assert_breaks(4, "the previous record is missing");
}

#[test]
fn a_record_that_cannot_be_read_is_found_and_listed() {
    let tampered = tampered("verify-unreadable", |entries| write(&entries[4], Some("garbage".into())));
    tampered.assert_breaks(4, "it is not an audit record of this version");
    let listed = tampered.server.objects(&["audit", "list"]);
    assert!(listed.iter().any(|record| record["problem"].is_string()), "{listed:?}");
    assert!(tampered.server.run_ok(&["audit", "list"]).contains("cannot be read: "));
}

#[test]
fn a_removed_end_is_found_with_a_hash_from_an_earlier_verification() {
    let tampered = tampered("verify-end", |entries| write(&entries[4], None));
    let (ran, verified) = tampered.verification();
    assert_eq!(ran.code, 0, "a chain that is cut off at its end is a valid chain: {}", ran.stderr);
    let chains = verified["chains"].as_array().unwrap();
    let chain = chains.iter().find(|chain| chain["incarnation"] == tampered.before["incarnation"]).unwrap();
    let (server, now) = (&tampered.server, chain["head"].as_str().unwrap());
    let before = tampered.before["head"].as_str().unwrap();
    assert_eq!(server.run(&["audit", "verify", "--head", now]).code, 0);
    let ran = server.run(&["audit", "verify", "--head", now, "--head", &before.to_uppercase()]);
    assert_eq!(ran.code, 1);
    let expected = format!("error: no audit record has the SHA-256 {before}: it was removed or changed\n");
    assert!(ran.stderr.contains(&expected), "{}", ran.stderr);
}

/// Exports the log of a server to a file, and returns its lines.
fn exported(file: &Path) -> Vec<String> {
    let server = TestServer::new();
    for name in ["a", "b", "c"] {
        server.run_ok(&["queue", "create", name]);
    }
    server.run_ok(&["audit", "export", "--file", file.to_str().unwrap()]);
    std::fs::read_to_string(file).unwrap().lines().map(str::to_owned).collect()
}

fn verify(file: &Path) -> CommandOutput {
    redrive(&["audit", "verify", "--file", file.to_str().unwrap()])
}

#[test]
fn an_export_is_verified_without_a_server() {
    let folder = folder("verify-export");
    let file = folder.path().join("audit.jsonl");
    let lines = exported(&file);
    let ran = verify(&file);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "verified 5 audit records in 1 chain\n"));
    for (changed, number) in [
        (lines.iter().map(|line| line.replace(r#""name":"a""#, r#""name":"x""#)).collect::<Vec<_>>(), 3),
        ([&lines[..2], &lines[3..]].concat(), 3),
        ([&lines[..1], &lines[2..3], &lines[1..2], &lines[3..]].concat(), 2),
    ] {
        std::fs::write(&file, changed.join("\n") + "\n").unwrap();
        let ran = verify(&file);
        assert_eq!(ran.code, 1);
        let error = ran.stderr.lines().find(|line| line.starts_with("error: ")).unwrap().to_owned();
        let at = error.split(':').nth(1).unwrap().rsplit('-').next().unwrap();
        assert_eq!(at, number.to_string(), "{error}");
    }
}

#[test]
fn a_filtered_export_is_not_mistaken_for_a_log() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "a"]);
    let folder = folder("verify-filtered");
    let file = folder.path().join("audit.jsonl");
    server.run_ok(&["audit", "export", "--action", "queues", "--file", file.to_str().unwrap()]);
    let ran = verify(&file);
    assert_eq!(ran.code, 1);
    let expected = "error: the audit log breaks at record in line 1: it is not an audit record of this version\n  an \
                    export with filters cannot be verified: export the log without filters\n";
    assert!(ran.stderr.ends_with(expected), "{}", ran.stderr);
}
