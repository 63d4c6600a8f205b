//! R22: a name is data. Names with any characters are distinct from each other.

use serde_json::{Value, json};

use super::{bind, namespace, role, user};
use crate::harness::on_each_store_with_caller;

const NAMES: [&str; 8] = ["a", "a\0", "a\0\u{1}b", "\u{1}", "../a", "a/b", "a-b", "%00"];

fn all(list: &Value, field: &str) -> Vec<String> {
    let items = list["items"].as_array().unwrap();
    items.iter().map(|item| item[field].as_str().unwrap().to_owned()).collect()
}

#[test]
fn namespaces_with_any_characters_are_listed_in_byte_order() {
    on_each_store_with_caller(async |_server, mut caller| {
        for name in NAMES {
            namespace(&mut caller, name).await;
        }
        let mut expected = NAMES.map(str::to_owned).to_vec();
        expected.push("_system".to_owned());
        expected.sort();
        assert_eq!(all(&caller.ok("/v1/namespaces.list", json!({})).await, "name"), expected);
        for (at, name) in expected.iter().enumerate() {
            let list = caller.ok("/v1/namespaces.list", json!({ "pivot": name })).await;
            assert_eq!(all(&list, "name"), expected[at..]);
        }
        for name in NAMES {
            caller.ok("/v1/namespaces.delete", json!({ "name": name })).await;
        }
    });
}

#[test]
fn roles_and_bindings_are_listed_in_their_own_namespace_only() {
    on_each_store_with_caller(async |_server, mut caller| {
        let ann = user(&mut caller, "ann").await;
        for name in NAMES {
            namespace(&mut caller, name).await;
        }
        // The role and its binding are listed in their own namespace only.
        for name in NAMES {
            role(&mut caller, name, "r", &[]).await;
            bind(&mut caller, name, "r", &ann).await;
            for other in NAMES {
                let expected = usize::from(name == other);
                for path in ["/v1/roles.list", "/v1/rolebindings.list"] {
                    let list = caller.ok(path, json!({ "namespace": other })).await;
                    assert_eq!(list["items"].as_array().map_or(0, Vec::len), expected, "{path} {name:?} {other:?}");
                }
            }
            let binding = json!({ "namespace": name, "role_name": "r", "user_id": ann });
            caller.ok("/v1/rolebindings.delete", binding).await;
            caller.ok("/v1/roles.delete", json!({ "namespace": name, "name": "r" })).await;
        }
    });
}

#[test]
fn users_and_roles_may_have_any_name() {
    on_each_store_with_caller(async |_server, mut caller| {
        let mut ids = Vec::new();
        for name in NAMES.into_iter().chain(["with space", "ü~:"]) {
            ids.push(user(&mut caller, name).await);
        }
        ids.dedup();
        assert_eq!(ids.len(), NAMES.len() + 2);
        for name in NAMES.into_iter().chain(["with space", "ü~"]) {
            role(&mut caller, "_system", name, &[]).await;
            caller.ok("/v1/roles.delete", json!({ "namespace": "_system", "name": name })).await;
        }
    });
}
