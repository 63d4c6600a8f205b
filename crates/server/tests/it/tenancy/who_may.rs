//! Two namespaces against each other: random calls by random people, and a model of who may do what.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{bind, namespace, user};
use crate::auth::each_closed;
use crate::bed::{Bed, Caller, Random, bounded, seeds};

const PLACES: [&str; 3] = ["a", "b", "_system"];
const STEPS: usize = 150;
/// Each is a role of its own, in every namespace.
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

/// Somebody, with a key that is good everywhere or in one namespace.
struct Person {
    id: String,
    caller: Caller,
    scope: Option<&'static str>,
    /// By namespace.
    roles: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

impl Person {
    fn may(&self, permission: &str, namespace: &str) -> bool {
        let has = |place: &str| self.roles.get(place).is_some_and(|roles| roles.contains(permission));
        self.scope.is_none_or(|scope| scope == namespace) && (has(namespace) || has("_system"))
    }
}

struct World {
    anybody: Caller,
    people: Vec<Person>,
    random: Random,
    made: usize,
    /// Which dead queue the queue of a namespace has.
    dead: BTreeMap<&'static str, Option<&'static str>>,
}

/// A queue of a namespace as it is sent. Names are of the form `<namespace>-<what>`.
fn queue(name: &str, namespace: &str, dead: Option<&str>) -> Value {
    let dead = dead.map(|dead| format!("{dead}-dead")).unwrap_or_default();
    json!({ "queue_name": name, "lease_timeout": "1m", "expire_timeout": "1h", "requested_partitions": 1,
        "namespace": namespace, "dead_queue": dead })
}

impl World {
    async fn new(bed: &Bed, seed: u64) -> Self {
        let mut anybody = bed.caller().await;
        let mut people = Vec::new();
        for place in PLACES {
            if place != "_system" {
                namespace(&mut anybody, place).await;
                for what in ["dead", "queue"] {
                    anybody.ok("/v1/queues.create", queue(&format!("{place}-{what}"), place, None)).await;
                }
            }
            for permission in PERMISSIONS {
                super::role(&mut anybody, place, permission, &[permission]).await;
            }
        }
        for (number, scope) in [None, None, Some("a"), Some("b")].into_iter().enumerate() {
            let id = user(&mut anybody, &format!("person-{number}")).await;
            let key = json!({ "user_id": id, "namespace_scope": scope.unwrap_or_default() });
            let key = anybody.ok("/v1/apikeys.create", key).await;
            let caller = bed.caller().await.with_key(key["key"].as_str().unwrap());
            people.push(Person { id, caller, scope, roles: BTreeMap::new() });
        }
        let dead = [("a", None), ("b", None)].into();
        Self { anybody, people, random: Random::new(seed), made: 0, dead }
    }

    /// Somebody gets a role, or loses one.
    async fn change(&mut self) {
        let (place, role) = (*self.random.pick(&PLACES), *self.random.pick(&PERMISSIONS));
        let person = self.random.below(self.people.len());
        let person = &mut self.people[person];
        let roles = person.roles.entry(place).or_default();
        if roles.remove(role) {
            let binding = json!({ "namespace": place, "role_name": role, "user_id": person.id });
            self.anybody.ok("/v1/rolebindings.delete", binding).await;
        } else {
            roles.insert(role);
            bind(&mut self.anybody, place, role, &person.id).await;
        }
    }

    /// Somebody calls, and the model says whether they may.
    async fn call(&mut self) {
        let place = *self.random.pick(&["a", "b"]);
        let (live, letters) = (format!("{place}-queue"), format!("{place}-dead"));
        let person = self.random.below(self.people.len());
        let kind = self.random.below(9);
        let dead = *self.random.pick(&[None, Some("a"), Some("b")]);
        self.made += 1;
        let made = format!("{place}-made-{}", self.made);
        let person = &mut self.people[person];
        let may_bury = dead.is_none_or(|dead| dead == place || person.may("queue.produce", dead));
        let granted = *self.random.pick(&PERMISSIONS);
        let (path, body, may) = match kind {
            0 => (
                "queue.produce",
                json!({ "queue_name": live, "request_timeout": "1m", "items": [{}] }),
                person.may("queue.produce", place),
            ),
            1 => ("queue.stats", json!({ "queue_name": live }), person.may("queue.stats", place)),
            2 => ("queues.list", json!({ "namespace": place }), person.may("queue.list", place)),
            3 => ("letters.list", json!({ "queue_name": letters }), person.may("letters.read", place)),
            4 => {
                // Whoever may, lacks a reason.
                let may = person.may("letters.read", place) && person.may("letters.reveal", place);
                ("letters.list", json!({ "queue_name": letters, "filter": "key == 'k'" }), may)
            }
            5 => ("letters.configure", json!({ "queue_name": letters }), person.may("letters.configure", place)),
            6 => ("queues.create", queue(&made, place, dead), person.may("queue.create", place) && may_bury),
            7 => {
                let is_new = self.dead[place] != dead;
                ("queues.update", queue(&live, place, dead), person.may("queue.update", place) && (may_bury || !is_new))
            }
            _ => {
                let role = json!({ "namespace": place, "name": made, "permissions": [granted] });
                ("roles.create", role, person.may("role.create", place) && person.may(granted, place))
            }
        };
        let heard = person.caller.json(&format!("/v1/{path}"), body.clone()).await;
        let is_denied = heard.status.as_u16() == 403;
        assert_eq!(is_denied, !may, "{path} {body} by {:?} of {:?}: {}", person.roles, person.scope, heard.text());
        assert!(is_denied || heard.status.is_success() || kind == 4, "{path} {body}: {}", heard.text());
        if kind == 7 && may {
            self.dead.insert(place, dead);
        }
    }
}

#[tokio::test]
async fn nobody_does_in_a_namespace_what_the_model_does_not_let_them() {
    for seed in seeds(3) {
        each_closed(async |bed| {
            bounded(async {
                let mut world = World::new(&bed, seed).await;
                for _ in 0..STEPS {
                    world.change().await;
                    world.call().await;
                    world.call().await;
                }
            })
            .await;
        })
        .await;
    }
}
