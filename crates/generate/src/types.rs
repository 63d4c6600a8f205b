//! The Rust types of the messages, with their protobuf and JSON encodings.

use std::path::PathBuf;

use anyhow::Context;
use prost_build::{Module, Service, ServiceGenerator};
use prost_types::FileDescriptorSet;

use crate::Files;

const FOLDER: &str = "crates/proto/src/generated";
const PACKAGES: [&str; 3] = [".duh.v1", ".querator", ".redrive.v1"];
/// Well-known messages and the types that replace them: those of `prost-types` have no calendar and no JSON encoding.
const REPLACED: [(&str, &str); 2] =
    [(".google.protobuf.Timestamp", "crate::Timestamp"), (".google.protobuf.Value", "crate::JsonValue")];

pub(crate) fn files(definitions: &FileDescriptorSet) -> anyhow::Result<Files> {
    // Includes protobuf's own definitions, since ours refer to them.
    let all = definitions.file.iter();
    let modules = all.map(|file| (Module::from_protobuf_package_name(file.package()), file.clone())).collect();
    let mut config = prost_build::Config::new();
    // `Bytes` fields share the buffer of the request instead of copying payloads out of it.
    config.bytes(["."]).btree_map(["."]).service_generator(Box::new(NoServices));
    for (message, replacement) in REPLACED {
        config.extern_path(message, replacement);
    }
    let mut files = Files::new();
    let google = Module::from_protobuf_package_name("google.protobuf");
    for (module, text) in config.generate(modules)?.into_iter().filter(|(module, _)| *module != google) {
        let name = module.to_file_name_or("_");
        files.entry(PathBuf::from(FOLDER).join(name)).or_default().push_str(&text);
    }
    let mut json = pbjson_build::Builder::new();
    for file in &definitions.file {
        json.register_file_descriptor(file.clone());
    }
    json.btree_map(["."]);
    for (message, replacement) in REPLACED {
        json.extern_path(message, replacement);
    }
    for (package, text) in json.generate(&PACKAGES, |_| Ok(Vec::new()))? {
        let text = String::from_utf8(text).context("the generated JSON encoding is not UTF-8")?;
        files.insert(PathBuf::from(FOLDER).join(format!("{package}.serde.rs")), complete(&text));
    }
    Ok(files)
}

/// Adds two rules of protobuf's JSON mapping that `pbjson` does not implement: `null` is an unset field, and `3.0` is an
/// integer.
fn complete(text: &str) -> String {
    let bytes = "::pbjson::private::BytesDeserialize<_>";
    let number = "::pbjson::private::NumberDeserialize<_>";
    let or_default = "map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default()";
    text.replace("Some(map_.next_value()?)", &format!("Some({or_default})"))
        .replace("map_.next_value::<std::collections::BTreeMap<_, _>>()?", or_default)
        .replace(
            &format!("Some(map_.next_value::<{number}>()?.0)"),
            "Some(map_.next_value::<crate::number::Number<_>>()?.0)",
        )
        .replace(&format!("Option<{number}>"), "Option<crate::number::Number<_>>")
        .replace(
            &format!("Some(map_.next_value::<{bytes}>()?.0)"),
            &format!("Some(map_.next_value::<::std::option::Option<{bytes}>>()?.map(|x| x.0).unwrap_or_default())"),
        )
}

/// Generates no code for services: the server implements the calls, only their messages are needed.
struct NoServices;

impl ServiceGenerator for NoServices {
    fn generate(&mut self, _service: Service, _text: &mut String) {}
}
