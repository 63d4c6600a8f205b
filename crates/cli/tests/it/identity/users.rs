//! `redrive user`.

use serde_json::json;

use super::SecuredServer;
use crate::test_server::without_ids;

#[test]
fn a_user_is_created_shown_by_name_or_id_listed_and_deleted() {
    let server = SecuredServer::new("user-life");
    let made =
        server.objects(&["user", "create", "ann", "--email", "ann@example.com", "--external-id", "e-7"]).remove(0);
    assert_eq!(made["username"], "ann");
    let id = made["id"].as_str().unwrap();
    for user in ["ann", id] {
        let shown = server.objects(&["user", "show", user]).remove(0);
        assert_eq!(
            (&shown["id"], &shown["email"], &shown["external_id"]),
            (&json!(id), &json!("ann@example.com"), &json!("e-7"))
        );
    }
    let names: Vec<_> = server.objects(&["user", "list"]).into_iter().map(|line| line["username"].clone()).collect();
    assert!(["admin", "ann", "anonymous"].iter().all(|name| names.contains(&json!(name))), "{names:?}");
    let table = server.ok(&["user", "list"]);
    assert!(table.starts_with("ID                           USERNAME   EMAIL"), "{table}");
    assert_eq!(server.run(&["user", "delete", "ann", "--yes"]).stderr, "deleted user 'ann'\n");
    server.fails(&["user", "show", "ann"], 3, "no such user: 'ann'\n  list all with: redrive user list\n");
    server.fails(&["user", "delete", id, "--yes"], 3, &format!("user does not exist; '{id}' was not found\n"));
}

#[test]
fn a_created_user_is_reported_with_its_id_and_what_it_needs() {
    let server = SecuredServer::new("user-created");
    let ran = server.run(&["user", "create", "ann"]);
    let id = format!("<id-1>{}", "-".repeat(21));
    let expected = format!("created user 'ann' with the id {id}; give it a role with: redrive binding create\n");
    assert_eq!((without_ids(&ran.stderr), ran.stdout.as_str()), (expected, ""));
}

#[test]
fn more_users_than_a_page_are_all_found() {
    let server = SecuredServer::new("user-pages");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let key = std::fs::read_to_string(server.key_file("admin")).unwrap();
    let client = redrive_client::Client::builder(&server.url()).key(key.trim()).build().unwrap();
    runtime.block_on(async {
        for number in 0..1_100 {
            let username = format!("user-{number}");
            let request = redrive_client::proto::querator::UsersCreateRequest { username, ..Default::default() };
            client.create_user(&request).await.unwrap();
        }
    });
    assert_eq!(server.objects(&["user", "list"]).len(), 1_102, "with the administrator and `anonymous`");
    assert_eq!(server.objects(&["user", "show", "user-1099"])[0]["username"], "user-1099");
}

#[test]
fn a_wrong_user_is_reported_in_one_sentence() {
    let server = SecuredServer::new("user-wrong");
    server.ok(&["user", "create", "ann"]);
    server.fails(&["user", "create", "ann"], 4, "username is already taken; 'ann' is already taken\n");
    server.fails(&["user", "create", ""], 4, "username is invalid; cannot be empty\n");
    server.fails(
        &["user", "create", &"x".repeat(129)],
        4,
        "username is invalid; cannot be greater than '128' characters\n",
    );
    server.fails(&["user", "create"], 2, "the following required arguments");
    let confirm = "this would delete the user 'ann' with its API keys and bindings, which needs a confirmation\n";
    server.fails(&["user", "delete", "ann"], 2, confirm);
    let reason = "invalid value '' for '--reason <TEXT>': expected one line of 1 to 512 bytes";
    server.fails(&["user", "delete", "ann", "--yes", "--reason", ""], 2, reason);
}

#[test]
fn users_need_their_permissions() {
    let server = SecuredServer::new("user-denied");
    server.user("ann", &[]);
    server.denied("ann", &["user", "list"], "user.list");
    server.denied("ann", &["user", "show", "ann"], "user.list");
    server.denied("ann", &["user", "create", "bob"], "user.create");
    server.denied("ann", &["user", "delete", "anonymous", "--yes"], "user.list");
    let id = server.objects(&["user", "show", "ann"])[0]["id"].as_str().unwrap().to_owned();
    server.denied("ann", &["user", "delete", &id, "--yes"], "user.delete");
}
