//! `redrive key`.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;

use super::SecuredServer;

#[test]
fn a_new_key_is_printed_once_and_then_only_described() {
    let server = SecuredServer::new("key-printed");
    server.ok(&["user", "create", "ann"]);
    let ran = server.run(&["key", "create", "ann", "--name", "laptop"]).succeeded();
    let key = ran.stdout.trim_end();
    assert!(
        key.starts_with("rdr-live-") && !key.contains(char::is_whitespace),
        "stdout is the key alone: {}",
        ran.stdout
    );
    assert!(ran.stderr.contains("of user 'ann', shown only once:") && !ran.stderr.contains(key), "{}", ran.stderr);
    let listed = server.objects(&["key", "list", "--user", "ann"]).remove(0);
    assert_eq!(
        (&listed["name"], &listed["username"], &listed["last_used_at"]),
        (&json!("laptop"), &json!("ann"), &json!(null))
    );
    assert!(key.starts_with(listed["prefix"].as_str().unwrap()));
    for shown in [server.ok(&["key", "list"]), server.ok(&["key", "show", listed["id"].as_str().unwrap()])] {
        assert!(shown.contains("laptop") && !shown.contains(key), "{shown}");
    }
    let made = server.objects(&["key", "create", "ann"]).remove(0);
    let file = server.folder.path().join("from-json.key");
    std::fs::write(&file, made["key"].as_str().unwrap()).unwrap();
    let who = server.server.objects(&["--key-file", file.to_str().unwrap(), "whoami"]).remove(0);
    assert_eq!((&who["username"], &who["key_id"]), (&json!("ann"), &made["id"]));
}

#[test]
fn a_key_is_written_to_a_new_file_that_only_its_owner_can_read() {
    let server = SecuredServer::new("key-file");
    server.ok(&["user", "create", "ann"]);
    let file = server.key_file("ann");
    let ran = server.run(&["key", "create", "ann", "--secret-file", &file]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    let key = std::fs::read_to_string(&file).unwrap();
    assert!(!ran.stderr.contains(key.trim()), "{}", ran.stderr);
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(server.objects_as("ann", &["whoami"])[0]["username"], "ann");
    let made = server.objects(&["key", "create", "ann", "--secret-file", &server.key_file("second")]).remove(0);
    assert_eq!((made.get("key"), &made["secret_file"]), (None, &json!(server.key_file("second"))));

    let before = server.objects(&["key", "list"]).len();
    server.fails(&["key", "create", "ann", "--secret-file", &file], 1, &format!("cannot create the file {file}: "));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), key, "an existing file is kept");
    assert_eq!(server.objects(&["key", "list"]).len(), before, "no key is created that would be lost");
    let unused = server.key_file("unused");
    server.fails(&["key", "create", "nobody", "--secret-file", &unused], 3, "no such user: 'nobody'");
    assert!(!Path::new(&unused).exists(), "no file without a key");
}

#[test]
fn a_key_is_limited_and_expires_as_requested() {
    let server = SecuredServer::new("key-limits");
    server.ok(&["namespace", "create", "shop", "--key-tag", "shop"]);
    server.user("ann", &[("_system", "Admin")]);
    let limits = ["--namespace", "shop", "--expires-at", "2099-01-01T00:00:00Z"];
    let made = server.objects(&[&["key", "create", "ann"], &limits[..]].concat()).remove(0);
    assert!(made["key"].as_str().unwrap().starts_with("rdr-shop-"), "the tag of the namespace: {made}");
    let shown = server.objects(&["key", "show", made["id"].as_str().unwrap()]).remove(0);
    assert_eq!((&shown["namespace_scope"], &shown["expires_at"]), (&json!("shop"), &json!("2099-01-01T00:00:00Z")));
    let made = server.objects(&["key", "create", "ann", "--expires-in", "90d", "--tag", "ci"]).remove(0);
    assert!(made["key"].as_str().unwrap().starts_with("rdr-ci-"));
    assert!(server.objects(&["key", "show", made["prefix"].as_str().unwrap()])[0]["expires_at"].is_string());
    let past = server.key_file("past");
    let old = ["--name", "old", "--expires-at", "2001-01-01T00:00:00Z", "--secret-file", &past];
    server.ok(&[&["key", "create", "ann"], &old[..]].concat());
    let ran = server.run_as("past", &["queue", "list"]);
    let expected = "error: api key has expired; 'old' of user 'ann' was valid until 2001-01-01T00:00:00Z\n";
    assert_eq!(ran.code, 4);
    assert!(ran.stderr.starts_with(expected) && ran.stderr.contains(&past), "the file of the key: {}", ran.stderr);
}

#[test]
fn a_deleted_key_is_invalid_from_the_next_request_on() {
    let server = SecuredServer::new("key-deleted");
    server.user("ann", &[("_system", "Admin")]);
    let id = server.objects(&["key", "list", "--user", "ann"])[0]["id"].as_str().unwrap().to_owned();
    assert_eq!(server.run(&["key", "revoke", &id, "--yes"]).stderr, format!("deleted key {id}\n"));
    let ran = server.run_as("ann", &["whoami"]);
    assert_eq!(ran.code, 4);
    assert!(ran.stderr.starts_with("error: api key does not exist\n  the API key is that of "), "{}", ran.stderr);
    let missing = format!("no such key: '{id}'\n  list all with: redrive key list\n");
    server.fails(&["key", "delete", &id, "--yes"], 3, &missing);
    server.fails(&["key", "show", &id], 3, &missing);
    let ran = server.run_as("ann", &["key", "delete", &id, "--yes"]);
    assert!(ran.stderr.starts_with("error: api key does not exist\n"), "it is the caller's own: {}", ran.stderr);
}

#[test]
fn a_wrong_key_is_reported_in_one_sentence() {
    let server = SecuredServer::new("key-wrong");
    server.ok(&["user", "create", "ann"]);
    server.fails(
        &["key", "create", "ann", "--tag", "UP"],
        4,
        "key_tag is invalid; must be lowercase alphanumeric only\n",
    );
    server.fails(
        &["key", "create", "ann", "--expires-in", "soon"],
        2,
        "invalid value 'soon' for '--expires-in <TIME>'",
    );
    server.fails(&["key", "create", "ann", "--expires-at", "1st"], 2, "invalid value '1st' for '--expires-at <TIME>'");
    server.fails(&["key", "create"], 2, "the following required arguments");
    server.fails(&["key", "list", "--user", "nobody"], 3, "no such user: 'nobody'");
    server.fails(&["key", "delete", "x"], 2, "this would delete the API key x, which needs a confirmation\n");
}

#[test]
fn keys_need_their_permissions_and_a_user_cannot_exceed_its_own() {
    let server = SecuredServer::new("key-denied");
    server.user("ann", &[]);
    let admin = server.objects(&["user", "show", "admin"])[0]["id"].as_str().unwrap().to_owned();
    server.denied("ann", &["key", "list"], "apikey.list");
    server.denied("ann", &["key", "create", &admin], "apikey.create");
    server.denied("ann", &["key", "delete", "x", "--yes"], "apikey.delete");
    server.ok(&["role", "create", "keys", "--permission", "apikey.create,apikey.list"]);
    server.user("bob", &[("_system", "keys")]);
    let ran = server.run_as("bob", &["key", "create", &admin]);
    assert_eq!((ran.code, ran.stdout.as_str()), (4, ""));
    assert!(
        ran.stderr.starts_with("error: access denied; user 'bob' with the API key 'test' lacks '"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("', which the new key would have\n"), "{}", ran.stderr);
    let listed = server.objects_as("bob", &["key", "list"]);
    assert!(listed.iter().all(|key| key["username"].is_null() && key["user_id"].is_string()), "without user.list");
}
