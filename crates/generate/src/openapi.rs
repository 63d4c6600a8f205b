//! The OpenAPI document, generated from the definitions in `proto/` and their comments.
//!
//! A service is a noun and its methods are verbs: `Queue.Produce` becomes `POST /v1/queue.produce`.

use std::collections::BTreeMap;

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet};
use serde_json::{Map, Value, json};

const REPLY: &str = "duh.v1.Reply";

pub(crate) fn document(definitions: &FileDescriptorSet) -> anyhow::Result<String> {
    let own = || definitions.file.iter().filter(|file| file.package() != "google.protobuf");
    let mut paths = Map::new();
    let mut tags = Vec::new();
    let mut schemas = Map::new();
    for file in own() {
        let comments = comments(file);
        let comment = |path: &[i32]| comments.get(path).cloned().unwrap_or_default();
        for (service, s) in file.service.iter().zip(0..) {
            let noun = noun(service.name());
            tags.push(json!({ "name": noun, "description": comment(&[6, s]) }));
            for (method, m) in service.method.iter().zip(0..) {
                let path = format!("/v1/{noun}.{}", method.name().to_lowercase());
                let description = comment(&[6, s, 2, m]);
                let call = call(&noun, method.name(), &description, method.input_type(), method.output_type());
                paths.insert(path, json!({ "post": call }));
            }
        }
        for (message, m) in file.message_type.iter().zip(0..) {
            let name = format!("{}.{}", file.package(), message.name());
            let field_comment = |f: i32| comment(&[4, m, 2, f]);
            schemas.insert(name, schema(message, &comment(&[4, m]), field_comment));
        }
    }
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Redrive",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "A dead letter queue platform. Every call is a POST, in protobuf or in protobuf's JSON.",
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "security": [{}, { "key": [] }],
        "tags": tags,
        "paths": paths,
        "components": {
            "schemas": schemas,
            "responses": { "Error": {
                "description": "The request failed. `code` is the status code, `message` the reason.",
                "content": content(REPLY),
            }},
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer" } },
        },
    });
    Ok(format!("{}\n", serde_json::to_string_pretty(&document)?))
}

/// The noun of a service in paths: `storage/items` for `StorageItems`, `apikeys` for `ApiKeys`.
fn noun(service: &str) -> String {
    match service.strip_prefix("Storage") {
        Some(part) => format!("storage/{}", part.to_lowercase()),
        None => service.to_lowercase(),
    }
}

fn call(noun: &str, verb: &str, description: &str, input: &str, output: &str) -> Value {
    json!({
        "operationId": format!("{}.{}", noun, verb.to_lowercase()),
        "tags": [noun],
        "summary": description.split_inclusive('.').next().unwrap_or_default().trim(),
        "description": description,
        "requestBody": { "required": true, "content": content(input.trim_start_matches('.')) },
        "responses": {
            "200": { "description": "The request succeeded.", "content": content(output.trim_start_matches('.')) },
            "default": { "$ref": "#/components/responses/Error" },
        },
    })
}

fn content(message: &str) -> Value {
    let schema = json!({ "$ref": format!("#/components/schemas/{message}") });
    json!({ "application/json": { "schema": schema }, "application/protobuf": { "schema": schema } })
}

fn schema(message: &DescriptorProto, description: &str, field_comment: impl Fn(i32) -> String) -> Value {
    let fields = message.field.iter().zip(0..).map(|(field, f)| {
        let mut schema = field_schema(message, field);
        let description = field_comment(f);
        if let (Some(schema), false) = (schema.as_object_mut(), description.is_empty()) {
            schema.insert("description".to_owned(), description.into());
        }
        (field.json_name().to_owned(), schema)
    });
    let mut schema = json!({
        "type": "object",
        "properties": fields.collect::<Map<_, _>>(),
        "additionalProperties": false,
    });
    if let (Some(schema), false) = (schema.as_object_mut(), description.is_empty()) {
        schema.insert("description".to_owned(), description.into());
    }
    schema
}

fn field_schema(message: &DescriptorProto, field: &FieldDescriptorProto) -> Value {
    let nested = field.type_name().rsplit('.').next().unwrap_or_default();
    let map_entry = message.nested_type.iter().find(|entry| {
        entry.name() == nested && entry.options.as_ref().is_some_and(prost_types::MessageOptions::map_entry)
    });
    if let Some((entry, [_, value])) = map_entry.map(|entry| (entry, entry.field.as_slice())) {
        return json!({ "type": "object", "additionalProperties": field_schema(entry, value) });
    }
    let one = match field.r#type() {
        Type::String => json!({ "type": "string" }),
        Type::Bytes => json!({ "type": "string", "contentEncoding": "base64" }),
        Type::Bool => json!({ "type": "boolean" }),
        Type::Double => json!({ "type": "number", "format": "double" }),
        Type::Int32 => json!({ "type": "integer", "format": "int32" }),
        Type::Message if field.type_name() == ".google.protobuf.Timestamp" => {
            json!({ "type": "string", "format": "date-time" })
        }
        // Arbitrary JSON: a schema without constraints.
        Type::Message if field.type_name() == ".google.protobuf.Value" => json!({}),
        Type::Message => {
            json!({ "$ref": format!("#/components/schemas/{}", field.type_name().trim_start_matches('.')) })
        }
        // No definition uses another type yet. One that does needs a line here with its JSON form.
        other => json!({ "x-protobuf-type": other.as_str_name() }),
    };
    if field.label() == Label::Repeated { json!({ "type": "array", "items": one }) } else { one }
}

/// The leading comments of a file, by the descriptor path of the commented element.
fn comments(file: &FileDescriptorProto) -> BTreeMap<Vec<i32>, String> {
    let locations = file.source_code_info.iter().flat_map(|info| &info.location);
    let text = |comment: &str| comment.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned();
    locations
        .filter(|found| found.leading_comments.is_some())
        .map(|found| (found.path.clone(), text(found.leading_comments())))
        .collect()
}
