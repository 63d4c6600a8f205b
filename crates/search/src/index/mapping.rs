//! The mapping: the fields of a document and their types.
//!
//! `dynamic: false`: an unmapped field is stored but not indexed, so that no letter can add fields to the index or fix
//! the type of one. Names are keywords with a sub-field `keyword`: `status` and `status.keyword` both work, because
//! queries for other indices use either form.

use serde_json::{Map, Value, json};

use crate::SearchSettings;

/// The index forgets the version of a deleted document after this time, and would then accept an older one. OpenSearch
/// may still execute an abandoned request, but not that late.
const GC_DELETES: &str = "1h";

/// Returns the mapping of an index.
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

/// Returns the mapping for a version of OpenSearch without flat objects: metadata is stored but not searchable.
pub(super) fn mapping_without_flat_objects() -> Value {
    let mut older = mapping();
    older["properties"]["metadata"] = json!({"type": "object", "enabled": false});
    older
}

/// Whether this version of OpenSearch has flat objects.
pub(super) fn has_flat_objects(version: &str) -> bool {
    let mut numbers = version.split('.').map_while(|number| number.parse::<u32>().ok());
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= (2, 7)
}

/// Returns the template of the indices behind an alias.
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

/// Whether an index has the required mapping. It may have additional fields.
pub(super) fn fits(found: &Value) -> bool {
    [mapping(), mapping_without_flat_objects()].iter().any(|required| is_mapped(required, found))
}

fn is_mapped(required: &Value, found: &Value) -> bool {
    let is_closed = found.get("dynamic").is_some_and(|dynamic| dynamic == "false" || dynamic == false);
    let fields = required.get("properties").and_then(Value::as_object);
    let has = |(field, kind): (&String, &Value)| {
        found.get("properties").and_then(|all| all.get(field)).is_some_and(|found| is_in(kind, found))
    };
    is_closed && fields.is_some_and(|fields| fields.iter().all(has))
}

/// Whether `found` contains everything in `required`.
fn is_in(required: &Value, found: &Value) -> bool {
    match (required.as_object(), found.as_object()) {
        (Some(required), Some(found)) => required.iter().all(|(key, value)| {
            // OpenSearch omits the default type "object".
            let is_default = key == "type" && value == "object";
            found.get(key).map_or(is_default, |found| is_in(value, found))
        }),
        _ => required == found || required.to_string().trim_matches('"') == found.to_string().trim_matches('"'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flat_objects_exist_since_2_7() {
        for (version, has) in
            [("2.19.4", true), ("2.7.0", true), ("3.0.0-beta1", true), ("2.6.9", false), ("1.3.2", false), ("", false)]
        {
            assert_eq!(has_flat_objects(version), has, "{version}");
        }
    }

    #[test]
    fn a_missing_or_different_field_does_not_fit() {
        assert!(fits(&mapping()));
        let mut more = mapping();
        more["properties"]["mine"] = json!({"type": "keyword"});
        assert!(fits(&more), "additional fields are allowed");
        let mut less = mapping();
        less["properties"]["status"] = json!({"type": "keyword"});
        assert!(!fits(&less), "status.keyword would match nothing");
        let mut other = mapping();
        other["properties"]["failed_at"] = json!({"type": "text"});
        assert!(!fits(&other));
        assert!(fits(&mapping_without_flat_objects()), "an older OpenSearch");
        let mut open = mapping();
        open["dynamic"] = json!("true");
        assert!(!fits(&open), "a letter could add fields");
    }
}
