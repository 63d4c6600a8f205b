//! The description of the API, from the definitions and their comments.
//!
//! A service is a noun and its methods are verbs: `Queue.Produce` is `POST /v1/queue.produce`.

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
        let says = |path: &[i32]| comments.get(path).cloned().unwrap_or_default();
        for (service, s) in file.service.iter().zip(0..) {
            let noun = noun(service.name());
            tags.push(json!({ "name": noun, "description": says(&[6, s]) }));
            for (method, m) in service.method.iter().zip(0..) {
                let path = format!("/v1/{noun}.{}", method.name().to_lowercase());
                let call = call(&noun, method.name(), &says(&[6, s, 2, m]), method.input_type(), method.output_type());
                paths.insert(path, json!({ "post": call }));
            }
        }
        for (message, m) in file.message_type.iter().zip(0..) {
            let name = format!("{}.{}", file.package(), message.name());
            let of_field = |f: i32| says(&[4, m, 2, f]);
            schemas.insert(name, schema(message, &says(&[4, m]), of_field));
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
                "description": "It was not done. `code` is the status, `message` says why.",
                "content": content(REPLY),
            }},
            "securitySchemes": { "key": { "type": "http", "scheme": "bearer" } },
        },
    });
    Ok(format!("{}\n", serde_json::to_string_pretty(&document)?))
}

/// `StorageItems` is `storage/items`, `ApiKeys` is `apikeys`.
fn noun(service: &str) -> String {
    match service.strip_prefix("Storage") {
        Some(part) => format!("storage/{}", part.to_lowercase()),
        None => service.to_lowercase(),
    }
}

fn call(noun: &str, verb: &str, says: &str, input: &str, output: &str) -> Value {
    json!({
        "operationId": format!("{}.{}", noun, verb.to_lowercase()),
        "tags": [noun],
        "summary": says.split_inclusive('.').next().unwrap_or_default().trim(),
        "description": says,
        "requestBody": { "required": true, "content": content(input.trim_start_matches('.')) },
        "responses": {
            "200": { "description": "It is done.", "content": content(output.trim_start_matches('.')) },
            "default": { "$ref": "#/components/responses/Error" },
        },
    })
}

fn content(message: &str) -> Value {
    let schema = json!({ "$ref": format!("#/components/schemas/{message}") });
    json!({ "application/json": { "schema": schema }, "application/protobuf": { "schema": schema } })
}

fn schema(message: &DescriptorProto, says: &str, of_field: impl Fn(i32) -> String) -> Value {
    let fields = message.field.iter().zip(0..).map(|(field, f)| {
        let mut schema = field_schema(message, field);
        let says = of_field(f);
        if let (Some(schema), false) = (schema.as_object_mut(), says.is_empty()) {
            schema.insert("description".to_owned(), says.into());
        }
        (field.json_name().to_owned(), schema)
    });
    let mut schema = json!({
        "type": "object",
        "properties": fields.collect::<Map<_, _>>(),
        "additionalProperties": false,
    });
    if let (Some(schema), false) = (schema.as_object_mut(), says.is_empty()) {
        schema.insert("description".to_owned(), says.into());
    }
    schema
}

fn field_schema(message: &DescriptorProto, field: &FieldDescriptorProto) -> Value {
    let nested = field.type_name().rsplit('.').next().unwrap_or_default();
    let is_map = message.nested_type.iter().any(|entry| {
        entry.name() == nested && entry.options.as_ref().is_some_and(prost_types::MessageOptions::map_entry)
    });
    if is_map {
        return json!({ "type": "object", "additionalProperties": { "type": "string" } });
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
        Type::Message => {
            json!({ "$ref": format!("#/components/schemas/{}", field.type_name().trim_start_matches('.')) })
        }
        // Whoever uses another type says here how JSON writes it.
        other => json!({ "x-protobuf-type": other.as_str_name() }),
    };
    if field.label() == Label::Repeated { json!({ "type": "array", "items": one }) } else { one }
}

/// The comments of a file, by the path of what they stand before.
fn comments(file: &FileDescriptorProto) -> BTreeMap<Vec<i32>, String> {
    let locations = file.source_code_info.iter().flat_map(|info| &info.location);
    let text = |comment: &str| comment.lines().map(str::trim).collect::<Vec<_>>().join(" ").trim().to_owned();
    locations
        .filter(|found| found.leading_comments.is_some())
        .map(|found| (found.path.clone(), text(found.leading_comments())))
        .collect()
}
