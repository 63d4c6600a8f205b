//! Two namespaces with routes, against each other.

use std::cell::RefCell;

use serde_json::Value;

use crate::identity::SecuredServer;
use crate::retries::until;
use crate::test_server::{TestServer, folder};

/// A server with a route of the file in each of two namespaces, and a target for each of them.
fn two_namespaces(name: &str) -> SecuredServer {
    let folder = folder(name);
    let route = |namespace: &str| {
        format!(
            "[[routes]]\nname = \"of-file\"\nnamespace = \"{namespace}\"\ntarget = \"of-{namespace}\"\n\
             [routes.queue]\nname = \"{namespace}-orders\"\n"
        )
    };
    let target = |namespace: &str| {
        // Nothing is sent to it: the queues are empty.
        format!("[targets.of-{namespace}]\nhttp = \"http://127.0.0.1:1/\"\nnamespaces = [\"{namespace}\"]\n")
    };
    let clusters = "[clusters.of-bank]\nbootstrap_servers = \"127.0.0.1:1\"\nnamespaces = [\"bank\"]\n\
                    [servers.of-bank]\nurl = \"http://127.0.0.1:1\"\nnamespaces = [\"bank\"]\n";
    let config = format!("{}{}{clusters}{}{}", target("shop"), target("bank"), route("shop"), route("bank"));
    std::fs::write(folder.path().join("redrive.toml"), config).unwrap();
    let server = TestServer::start(SecuredServer::serve(folder.path(), &["--memory"]));
    let server = SecuredServer { server, folder };
    for (namespace, user) in [("shop", "ann"), ("bank", "bob")] {
        server.ok(&["namespace", "create", namespace]);
        for queue in ["orders", "more"] {
            let name = format!("{namespace}-{queue}");
            let dead = format!("{name}-dead");
            server.ok(&["queue", "create", &dead, "--namespace", namespace]);
            server.ok(&["queue", "create", &name, "--namespace", namespace, "--dead-queue", &dead]);
        }
        let permissions = "routes.read,routes.write,queue.delete,queue.list";
        server.ok(&["role", "create", "owner", "--permission", permissions, "--namespace", namespace]);
        server.ok(&["role", "create", "viewer", "--permission", "routes.read", "--namespace", namespace]);
        server.user(user, &[(namespace, "owner")]);
    }
    server.user("eve", &[("shop", "viewer")]);
    server
}

/// Writes the definition of a route over a queue.
fn definition(server: &SecuredServer, target: &str, queue: &str) -> String {
    let file = server.folder.path().join(format!("{target}-{queue}.toml"));
    std::fs::write(&file, format!("target = \"{target}\"\n[queue]\nname = \"{queue}\"\n")).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn a_user_of_one_namespace_sees_and_changes_no_route_of_the_other() {
    let server = two_namespaces("routes-isolation");
    for (user, own, other) in [("ann", "shop", "bank"), ("bob", "bank", "shop")] {
        let file = definition(&server, &format!("of-{own}"), &format!("{own}-more"));
        server.run_as(user, &["route", "create", "mine", "--namespace", own, "--file", &file]).succeeded();
        let listed = server.objects_as(user, &["route", "list", "--namespace", own]);
        let names: Vec<&str> = listed.iter().map(|route| route["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["mine", "of-file"]);
        assert!(listed.iter().all(|route| route["namespace"] == own), "{listed:?}");
        for name in ["mine", "of-file", "missing"] {
            server.denied(user, &["route", "show", name, "--namespace", other], "routes.read");
            for action in ["start", "pause", "stop"] {
                server.denied(user, &["route", action, name, "--namespace", other], "routes.write");
            }
            let update = ["route", "update", name, "--namespace", other, "--file", &file];
            server.denied(user, &update, "routes.write");
            server.denied(user, &["route", "delete", name, "--namespace", other, "--yes"], "routes.write");
        }
        server.denied(user, &["route", "create", "x", "--namespace", other, "--file", &file], "routes.write");
        server.denied(user, &["route", "create", "x", "--file", &file], "routes.write");
        server.denied(user, &["route", "list", "--namespace", other], "routes.read");
        server.denied(user, &["route", "list"], "routes.read");
    }
}

#[test]
fn a_route_cannot_use_what_belongs_to_another_namespace_nor_learn_that_it_exists() {
    let server = two_namespaces("routes-grants");
    let create = |name: &str, file: &str| {
        server.run_as("ann", &["route", "create", name, "--namespace", "shop", "--file", file])
    };
    let write = |name: &str, text: &str| {
        std::fs::write(server.folder.path().join(name), text).unwrap();
        server.folder.path().join(name).to_str().unwrap().to_owned()
    };
    for (text, what) in [
        ("target = \"of-bank\"\n[queue]\nname = \"shop-more\"\n", "target 'of-bank'"),
        ("target = \"nowhere\"\n[queue]\nname = \"shop-more\"\n", "target 'nowhere'"),
        ("target = \"of-shop\"\n[queue]\nname = \"bank-more\"\nserver = \"of-bank\"\n", "server 'of-bank'"),
        (
            "target = \"of-shop\"\n[kafka]\ncluster = \"of-bank\"\ngroup_id = \"g\"\ntopics = [\"t\"]\n",
            "cluster 'of-bank'",
        ),
    ] {
        let ran = create("thief", &write("thief.toml", text));
        assert!(ran.code != 0 && ran.stderr.contains(&format!("{what} is not defined")), "{}", ran.stderr);
        assert!(!ran.stderr.replace(what, "").contains("of-bank"), "it tells what others have: {}", ran.stderr);
    }
    // A queue of another namespace is the same as one that does not exist.
    let errors = ["bank-more", "missing"].map(|queue| {
        let ran = create(queue, &definition(&server, "of-shop", queue));
        let error = if ran.code == 0 {
            let show = ["route", "show", queue, "--namespace", "shop"];
            // It is started again from time to time, and has no error then.
            let error = RefCell::new(String::new());
            until("the route fails", || {
                let shown = server.objects_as("ann", &show).remove(0);
                *error.borrow_mut() = shown["error"].as_str().unwrap_or_default().to_owned();
                !error.borrow().is_empty()
            });
            error.take()
        } else {
            ran.stderr
        };
        error.replace(queue, "QUEUE")
    });
    assert_eq!(errors[0], errors[1]);
    assert!(errors[0].contains("no such queue"), "{}", errors[0]);
}

#[test]
fn a_definition_cannot_name_a_namespace_and_a_viewer_changes_nothing() {
    let server = two_namespaces("routes-viewer");
    let file = server.folder.path().join("sly.toml");
    let text = "namespace = \"bank\"\ntarget = \"of-shop\"\n[queue]\nname = \"shop-more\"\n";
    std::fs::write(&file, text).unwrap();
    let file = file.to_str().unwrap();
    let ran = server.run_as("ann", &["route", "create", "sly", "--namespace", "shop", "--file", file]);
    assert!(ran.code != 0 && ran.stderr.contains("namespace is a field of the request"), "{}", ran.stderr);
    // Routes of the file can be controlled, and not changed.
    let plain = definition(&server, "of-shop", "shop-more");
    let file_route = ["route", "update", "of-file", "--namespace", "shop", "--file", &plain];
    let ran = server.run_as("ann", &file_route);
    assert!(ran.code != 0 && ran.stderr.contains("configuration file"), "{}", ran.stderr);
    let ran = server.run_as("ann", &["route", "delete", "of-file", "--namespace", "shop", "--yes"]);
    assert!(ran.code != 0 && ran.stderr.contains("configuration file"), "{}", ran.stderr);
    assert_eq!(server.run_as("ann", &["route", "pause", "of-file", "--namespace", "shop"]).code, 0);
    assert_eq!(server.objects_as("eve", &["route", "list", "--namespace", "shop"]).len(), 1);
    for arguments in [
        &["route", "pause", "of-file", "--namespace", "shop"][..],
        &["route", "delete", "of-file", "--namespace", "shop", "--yes"],
        &["route", "create", "x", "--namespace", "shop", "--file", &plain],
    ] {
        server.denied("eve", arguments, "routes.write");
    }
}

#[test]
fn a_queue_is_not_deleted_under_a_route_and_not_taken_over_by_another_namespace() {
    let server = two_namespaces("routes-queues");
    let state = || server.objects_as("ann", &["route", "show", "of-file", "--namespace", "shop"]).remove(0);
    // It has failed until its queue was created, and would wait for longer each time.
    assert_eq!(server.run_as("ann", &["route", "start", "of-file", "--namespace", "shop"]).code, 0);
    until("the route runs", || state()["state"] == "running");
    let ran = server.run_as("ann", &["queue", "delete", "shop-orders", "--yes", "--reason", "a test"]);
    assert!(ran.code != 0 && ran.stderr.contains("route"), "{}", ran.stderr);
    assert_eq!(server.run_as("ann", &["route", "stop", "of-file", "--namespace", "shop"]).code, 0);
    until("the route has stopped", || state()["state"] == "stopped");
    server.run_as("ann", &["queue", "delete", "shop-orders", "--yes", "--reason", "a test"]).succeeded();
    // Another namespace has a queue of this name now: the route must not take its items.
    server.ok(&["queue", "create", "shop-orders", "--namespace", "bank", "--dead-queue", "bank-more-dead"]);
    server.ok(&["produce", "shop-orders", "of the bank"]);
    assert_eq!(server.run_as("ann", &["route", "start", "of-file", "--namespace", "shop"]).code, 0);
    let is_missing = |state: &Value| state["error"].as_str().is_some_and(|error| error.contains("no such queue"));
    until("the route fails", || is_missing(&state()));
    assert_eq!(server.objects(&["items", "list", "shop-orders"]).len(), 1, "its item is untouched");
}
