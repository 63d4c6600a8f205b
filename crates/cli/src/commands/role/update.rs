//! `redrive role update`.
//!
//! An update replaces all permissions. To add or remove some, the role is read first.

use anyhow::Result;
use redrive_client::proto::querator::RolesUpdateRequest;
use serde_json::json;

use super::role_line::find;
use crate::cli_error::CliError;
use crate::commands::identity::NamespaceOption;
use crate::exit::Exit;
use crate::session::Session;

#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("change").required(true).multiple(true))]
#[command(after_help = "Examples:
  redrive role update operator --namespace shop --add letters.archive --remove queue.stats
  redrive role update operator --namespace shop --permission letters.read,letters.retry")]
pub(crate) struct Arguments {
    /// Role name.
    name: String,
    #[command(flatten)]
    namespace: NamespaceOption,
    /// Replace all permissions by these, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', group = "change", conflicts_with_all = ["add", "remove"])]
    permission: Vec<String>,
    /// Add permissions, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', group = "change")]
    add: Vec<String>,
    /// Remove permissions, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', group = "change")]
    remove: Vec<String>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let (name, namespace) = (&arguments.name, arguments.namespace.name(session));
    let permissions = if arguments.permission.is_empty() {
        arguments.changed(find(session, &namespace, name).await?.permissions)?
    } else {
        arguments.permission.clone()
    };
    let request = RolesUpdateRequest { namespace: namespace.clone(), name: name.clone(), permissions };
    session.call(session.client.update_role(&request)).await?;
    let message = format!("updated role '{name}' in the namespace '{namespace}'");
    session.report(&message, &json!({ "namespace": namespace, "name": name, "permissions": request.permissions }))
}

impl Arguments {
    /// The permissions of a role with the added and without the removed ones.
    fn changed(&self, mut permissions: Vec<String>) -> Result<Vec<String>, CliError> {
        if let Some(missing) = self.remove.iter().find(|removed| !permissions.contains(removed)) {
            let message = format!("role '{}' does not have the permission '{missing}'; nothing was changed", self.name);
            return Err(CliError::new(Exit::Rejected, message));
        }
        permissions.retain(|permission| !self.remove.contains(permission));
        let added: Vec<String> = self.add.iter().filter(|added| !permissions.contains(added)).cloned().collect();
        permissions.extend(added);
        Ok(permissions)
    }
}
