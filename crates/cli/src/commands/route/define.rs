//! `redrive route create` and `update`: the definition is a file, in the form of the server's configuration.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use redrive_client::proto::JsonValue;
use redrive_client::proto::redrive::v1::{RoutesCreateRequest, RoutesUpdateRequest};
use serde_json::{Value, json};

use crate::commands::identity::NamespaceOption;
use crate::session::Session;
use crate::values::file_to_read;

#[derive(clap::Args)]
#[command(after_help = "Examples:
  redrive route create orders --file orders.toml
  redrive route update orders --file orders.toml")]
pub(crate) struct DefinedRoute {
    /// Route name.
    name: String,
    #[command(flatten)]
    namespace: NamespaceOption,
    /// The whole definition in TOML: the fields of a [[routes]] section, without name and namespace.
    #[arg(long, value_name = "FILE", value_parser = file_to_read())]
    file: PathBuf,
}

pub(super) async fn create(arguments: &DefinedRoute, session: &Session) -> Result<()> {
    let (name, namespace) = (arguments.name.clone(), arguments.namespace.name(session));
    let definition = Some(read(&arguments.file)?);
    let request = RoutesCreateRequest { namespace: namespace.clone(), name: name.clone(), definition };
    session.call(session.client.create_route(&request)).await?;
    report(session, "created", &namespace, &name)
}

pub(super) async fn update(arguments: &DefinedRoute, session: &Session) -> Result<()> {
    let (name, namespace) = (arguments.name.clone(), arguments.namespace.name(session));
    let definition = Some(read(&arguments.file)?);
    let request = RoutesUpdateRequest { namespace: namespace.clone(), name: name.clone(), definition };
    session.call(session.client.update_route(&request)).await?;
    report(session, "updated", &namespace, &name)
}

fn report(session: &Session, done: &str, namespace: &str, name: &str) -> Result<()> {
    session.report(
        &format!("{done} route '{name}'; see how it is with: redrive route show {name}"),
        &json!({ "namespace": namespace, "name": name, "outcome": done }),
    )
}

fn read(file: &Path) -> Result<JsonValue> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {shown}"))?;
    let table: toml::Table = text.parse().with_context(|| format!("{shown} is not valid TOML"))?;
    if table.contains_key("routes") {
        bail!("{shown} has a [[routes]] section; write its fields alone");
    }
    let value: Value = serde_json::to_value(table).with_context(|| format!("{shown} cannot be sent as JSON"))?;
    Ok(value.into())
}
