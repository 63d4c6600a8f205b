//! What OpenSearch knows about the fields of a document.
//!
//! `dynamic: false`: a field that is not named here is kept and not indexed, so that no letter can add fields to the
//! index or fix the type of one. Names have a sub-field `keyword` besides being keywords themselves: `status` and
//! `status.keyword` both work, whichever form a query has learned elsewhere.

use serde_json::{Map, Value, json};

use crate::SearchSettings;

/// The index forgets the version of a deleted document after this time, and would take an older one then. A request that
/// was given up may still be done by OpenSearch, but not so late.
const GC_DELETES: &str = "1h";

/// The mapping of an index.
pub fn mapping() -> Value {
    let name = json!({"type": "keyword", "fields": {"keyword": {"type": "keyword"}}});
    let text = json!({"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 256}}});
    let date = json!({"type": "date"});
    let number = json!({"type": "integer"});
    let plain = json!({"type": "keyword"});
    let unread = json!({"type": "object", "enabled": false});
    let long = json!({"type": "long"});
    let fields: [(&str, &Value); 30] = [
        ("task_id", &name),
        ("task", &unread),
        ("repos", &name),
        ("error", &text),
        ("failed_at", &date),
        ("retry_count", &number),
        ("max_retries", &number),
        ("retry_policy", &name),
        ("next_retry_at", &date),
        ("status", &name),
        ("metadata", &json!({"type": "flat_object"})),
        ("error_category", &name),
        ("last_error", &text),
        ("total_attempts", &number),
        ("updated_at", &date),
        ("letter_id", &plain),
        ("queue", &name),
        ("source_id", &name),
        ("generation", &long),
        ("revision", &long),
        ("fingerprint", &name),
        ("matched_rule", &name),
        ("priority", &name),
        ("policy_source", &name),
        ("outcome_unknown", &json!({"type": "boolean"})),
        ("origin", &name),
        ("trace_id", &name),
        ("failed_repos", &name),
        ("projection", &plain),
        ("letter", &unread),
    ];
    let properties: Map<String, Value> =
        fields.into_iter().map(|(field, kind)| (field.to_owned(), kind.clone())).collect();
    json!({"dynamic": false, "properties": properties})
}

/// The mapping for an OpenSearch that has no flat objects: metadata is kept there, and not searched.
pub(super) fn mapping_without_flat_objects() -> Value {
    let mut older = mapping();
    older["properties"]["metadata"] = json!({"type": "object", "enabled": false});
    older
}

/// Whether an OpenSearch of this version has flat objects.
pub(super) fn has_flat_objects(version: &str) -> bool {
    let mut numbers = version.split('.').map_while(|number| number.parse::<u32>().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= (2, 7)
}

/// The template of the indices behind an alias.
pub fn template(settings: &SearchSettings) -> Value {
    json!({
        "index_patterns": [format!("{}-*", settings.index)],
        "priority": 500,
        "template": {
            "settings": {"index": {
                "number_of_shards": settings.shards.to_string(),
                "number_of_replicas": settings.replicas.to_string(),
                "gc_deletes": GC_DELETES,
            }},
            "mappings": mapping(),
        },
        "_meta": {"redrive": {"v": 1}},
    })
}

/// Whether an index has our mapping. It may have more fields: somebody may have wanted them.
pub(super) fn fits(found: &Value) -> bool {
    [mapping(), mapping_without_flat_objects()].iter().any(|ours| is_mapped(ours, found))
}

fn is_mapped(ours: &Value, found: &Value) -> bool {
    let is_closed = found.get("dynamic").is_some_and(|dynamic| dynamic == "false" || dynamic == false);
    let fields = ours.get("properties").and_then(Value::as_object);
    let has = |(field, kind): (&String, &Value)| {
        found.get("properties").and_then(|all| all.get(field)).is_some_and(|there| is_in(kind, there))
    };
    is_closed && fields.is_some_and(|fields| fields.iter().all(has))
}

/// Whether everything that `wanted` says is so in `found`.
fn is_in(wanted: &Value, found: &Value) -> bool {
    match (wanted.as_object(), found.as_object()) {
        (Some(wanted), Some(found)) => wanted.iter().all(|(key, value)| {
            // "object" is what it is without a type, and is not told.
            let is_default = key == "type" && value == "object";
            found.get(key).map_or(is_default, |there| is_in(value, there))
        }),
        _ => wanted == found || wanted.to_string().trim_matches('"') == found.to_string().trim_matches('"'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_objects_came_with_2_7() {
        for (version, has) in
            [("2.19.4", true), ("2.7.0", true), ("3.0.0-beta1", true), ("2.6.9", false), ("1.3.2", false), ("", false)]
        {
            assert_eq!(has_flat_objects(version), has, "{version}");
        }
    }

    #[test]
    fn an_index_that_knows_less_or_otherwise_does_not_fit() {
        assert!(fits(&mapping()));
        let mut more = mapping();
        more["properties"]["mine"] = json!({"type": "keyword"});
        assert!(fits(&more), "a field of somebody else's does no harm");
        let mut less = mapping();
        less["properties"]["status"] = json!({"type": "keyword"});
        assert!(!fits(&less), "status.keyword would find nothing");
        let mut other = mapping();
        other["properties"]["failed_at"] = json!({"type": "text"});
        assert!(!fits(&other));
        assert!(fits(&mapping_without_flat_objects()), "an older OpenSearch");
        let mut open = mapping();
        open["dynamic"] = json!("true");
        assert!(!fits(&open), "a letter could add fields");
    }
}
