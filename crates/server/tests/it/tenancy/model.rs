//! Random calls by random users in two namespaces, compared with a model of their permissions.

use std::collections::{BTreeMap, BTreeSet};

use redrive_testkit::seeds;
use serde_json::{Value, json};

use super::{bind, namespace, user};
use crate::auth::on_each_store_with_auth;
use crate::harness::{Caller, Random, TestServer, queue_settings};

const PLACES: [&str; 3] = ["a", "b", "_system"];
const STEPS: usize = 150;
/// Every namespace has one role for each of these permissions.
const PERMISSIONS: [&str; 9] = [
    "queue.create",
    "queue.update",
    "queue.produce",
    "queue.stats",
    "queue.list",
    "letters.read",
    "letters.reveal",
    "letters.configure",
    "role.create",
];

/// A user, with a key that is valid everywhere or in one namespace.
struct TestUser {
    id: String,
    caller: Caller,
    scope: Option<&'static str>,
    /// The user's roles, by namespace.
    roles: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

impl TestUser {
    fn may(&self, permission: &str, namespace: &str) -> bool {
        let has = |place: &str| self.roles.get(place).is_some_and(|roles| roles.contains(permission));
        self.scope.is_none_or(|scope| scope == namespace) && (has(namespace) || has("_system"))
    }
}

/// The users of the test with the permissions that they are expected to have.
struct PermissionModel {
    anonymous: Caller,
    users: Vec<TestUser>,
    random: Random,
    created: usize,
    /// For the queue of each namespace: the namespace of its dead queue.
    dead: BTreeMap<&'static str, Option<&'static str>>,
}

/// The request that creates a queue. Queue names have the form `<namespace>-<what>`.
fn queue(name: &str, namespace: &str, dead: Option<&str>) -> Value {
    let dead = dead.map(|dead| format!("{dead}-dead")).unwrap_or_default();
    queue_settings(name, json!({ "namespace": namespace, "dead_queue": dead }))
}

impl PermissionModel {
    async fn new(server: &TestServer, mut anonymous: Caller, seed: u64) -> Self {
        let mut users = Vec::new();
        for place in PLACES {
            if place != "_system" {
                namespace(&mut anonymous, place).await;
                for what in ["dead", "queue"] {
                    anonymous.ok("/v1/queues.create", queue(&format!("{place}-{what}"), place, None)).await;
                }
            }
            for permission in PERMISSIONS {
                super::role(&mut anonymous, place, permission, &[permission]).await;
            }
        }
        for (number, scope) in [None, None, Some("a"), Some("b")].into_iter().enumerate() {
            let id = user(&mut anonymous, &format!("user-{number}")).await;
            let key = json!({ "user_id": id, "namespace_scope": scope.unwrap_or_default() });
            let key = anonymous.ok("/v1/apikeys.create", key).await;
            let caller = server.caller().await.with_key(key["key"].as_str().unwrap());
            users.push(TestUser { id, caller, scope, roles: BTreeMap::new() });
        }
        let dead = [("a", None), ("b", None)].into();
        Self { anonymous, users, random: Random::new(seed), created: 0, dead }
    }

    /// Gives a random user a role, or takes it away.
    async fn change(&mut self) {
        let (place, role) = (*self.random.pick(&PLACES), *self.random.pick(&PERMISSIONS));
        let test_user = self.random.below(self.users.len());
        let test_user = &mut self.users[test_user];
        let roles = test_user.roles.entry(place).or_default();
        if roles.remove(role) {
            let binding = json!({ "namespace": place, "role_name": role, "user_id": test_user.id });
            self.anonymous.ok("/v1/rolebindings.delete", binding).await;
        } else {
            roles.insert(role);
            bind(&mut self.anonymous, place, role, &test_user.id).await;
        }
    }

    /// Makes a random call and compares the answer with the model.
    async fn call(&mut self) {
        let place = *self.random.pick(&["a", "b"]);
        let (live, letters) = (format!("{place}-queue"), format!("{place}-dead"));
        let test_user = self.random.below(self.users.len());
        let kind = self.random.below(9);
        let dead = *self.random.pick(&[None, Some("a"), Some("b")]);
        self.created += 1;
        let created = format!("{place}-made-{}", self.created);
        let test_user = &mut self.users[test_user];
        let may_use_dead_queue = dead.is_none_or(|dead| dead == place || test_user.may("queue.produce", dead));
        let granted = *self.random.pick(&PERMISSIONS);
        let (path, body, may) = match kind {
            0 => (
                "queue.produce",
                json!({ "queue_name": live, "request_timeout": "1m", "items": [{}] }),
                test_user.may("queue.produce", place),
            ),
            1 => ("queue.stats", json!({ "queue_name": live }), test_user.may("queue.stats", place)),
            2 => ("queues.list", json!({ "namespace": place }), test_user.may("queue.list", place)),
            3 => ("letters.list", json!({ "queue_name": letters }), test_user.may("letters.read", place)),
            4 => {
                // A permitted call is still rejected because it has no reason.
                let may = test_user.may("letters.read", place) && test_user.may("letters.reveal", place);
                ("letters.list", json!({ "queue_name": letters, "filter": "key == 'k'" }), may)
            }
            5 => ("letters.configure", json!({ "queue_name": letters }), test_user.may("letters.configure", place)),
            6 => (
                "queues.create",
                queue(&created, place, dead),
                test_user.may("queue.create", place) && may_use_dead_queue,
            ),
            7 => {
                let is_new = self.dead[place] != dead;
                (
                    "queues.update",
                    queue(&live, place, dead),
                    test_user.may("queue.update", place) && (may_use_dead_queue || !is_new),
                )
            }
            _ => {
                let role = json!({ "namespace": place, "name": created, "permissions": [granted] });
                ("roles.create", role, test_user.may("role.create", place) && test_user.may(granted, place))
            }
        };
        let response = test_user.caller.json(&format!("/v1/{path}"), body.clone()).await;
        let is_denied = response.status.as_u16() == 403;
        assert_eq!(
            is_denied,
            !may,
            "{path} {body} by {:?} of {:?}: {}",
            test_user.roles,
            test_user.scope,
            response.text()
        );
        assert!(is_denied || response.status.is_success() || kind == 4, "{path} {body}: {}", response.text());
        if kind == 7 && may {
            self.dead.insert(place, dead);
        }
    }
}

#[test]
fn random_calls_are_denied_exactly_where_the_model_denies_them() {
    for seed in seeds(1) {
        on_each_store_with_auth(async |server, anonymous| {
            let mut model = PermissionModel::new(&server, anonymous, seed.number()).await;
            for _ in 0..STEPS {
                model.change().await;
                model.call().await;
                model.call().await;
            }
        });
    }
}
