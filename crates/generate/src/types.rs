//! The Rust types, in protobuf and in JSON.

use std::path::PathBuf;

use anyhow::Context;
use prost_build::{Module, Service, ServiceGenerator};
use prost_types::FileDescriptorSet;

use crate::Files;

const FOLDER: &str = "crates/proto/src/generated";
const PACKAGES: [&str; 3] = [".duh.v1", ".querator", ".redrive.v1"];
/// Times are ours: what protobuf's own library has for them knows no calendar.
const TIMESTAMP: (&str, &str) = (".google.protobuf.Timestamp", "crate::Timestamp");

pub(crate) fn files(definitions: &FileDescriptorSet) -> anyhow::Result<Files> {
    // protobuf's own definitions are named by ours, so they are read, too.
    let all = definitions.file.iter();
    let modules = all.map(|file| (Module::from_protobuf_package_name(file.package()), file.clone())).collect();
    let mut config = prost_build::Config::new();
    // Payloads are shared with the buffer that they came in, not copied out of it.
    config.bytes(["."]).btree_map(["."]).extern_path(TIMESTAMP.0, TIMESTAMP.1).service_generator(Box::new(NoServices));
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
    json.extern_path(TIMESTAMP.0, TIMESTAMP.1).btree_map(["."]);
    for (package, text) in json.generate(&PACKAGES, |_| Ok(Vec::new()))? {
        let text = String::from_utf8(text).context("the JSON form is not text")?;
        files.insert(PathBuf::from(FOLDER).join(format!("{package}.serde.rs")), complete(&text));
    }
    Ok(files)
}

/// The library leaves out two rules of protobuf's JSON: `null` is a field that is not set, and `3.0` is a whole number.
fn complete(text: &str) -> String {
    let bytes = "::pbjson::private::BytesDeserialize<_>";
    let number = "::pbjson::private::NumberDeserialize<_>";
    let or_default = "map_.next_value::<::std::option::Option<_>>()?.unwrap_or_default()";
    text.replace("Some(map_.next_value()?)", &format!("Some({or_default})"))
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

/// Calls are the server's: only their messages are made into code.
struct NoServices;

impl ServiceGenerator for NoServices {
    fn generate(&mut self, _service: Service, _text: &mut String) {}
}
