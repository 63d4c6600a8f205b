//! A denial says who lacks what, and what to do.

use super::SecuredServer;

#[test]
fn a_denial_points_to_whoami() {
    let server = SecuredServer::new("denial-whoami");
    server.user("ann", &[]);
    let ran = server.run_as("ann", &["queue", "list"]);
    let expected = "error: access denied; user 'ann' with the API key 'test' lacks the permission 'queue.list' for this \
                    request\n  show your roles with: redrive whoami; an administrator can bind another with: redrive \
                    binding create\n";
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (4, "", expected));
}

#[test]
fn a_denial_without_a_key_says_how_to_provide_one() {
    let server = SecuredServer::new("denial-no-key");
    let ran = server.server.run(&["queue", "list"]);
    let expected = "error: access denied; user 'anonymous' (the request has no API key) lacks the permission \
                    'queue.list' for this request\n  no API key was sent; provide one with --key-file FILE, or in the \
                    variable REDRIVE_API_KEY\n";
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (4, "", expected));
}

#[test]
fn a_denial_about_a_queue_does_not_name_its_namespace() {
    let server = SecuredServer::new("denial-queue");
    server.ok(&["namespace", "create", "hidden-project"]);
    server.ok(&["queue", "create", "orders", "--namespace", "hidden-project"]);
    server.user("ann", &[]);
    for arguments in [
        &["queue", "info", "orders"][..],
        &["queue", "delete", "orders", "--yes", "--reason", "a test"],
        &["lease", "orders"],
        &["letters", "list", "orders"],
    ] {
        let ran = server.run_as("ann", arguments);
        assert_eq!(ran.code, 4, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.starts_with("error: access denied; user 'ann'"), "{}", ran.stderr);
        assert!(!ran.stderr.contains("hidden-project"), "{}", ran.stderr);
    }
}
