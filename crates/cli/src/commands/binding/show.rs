//! `redrive binding show`.

use anyhow::Result;
use redrive_client::proto::querator::RoleBindingInfo;

use super::binding_line::{BindingLine, BindingNames, fields, page};
use crate::cli_error::CliError;
use crate::commands::identity::{NamespaceOption, PivotPages};
use crate::exit::Exit;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive binding show 3M928yx0UrfVbDwCKPpjAHbKnmG --namespace shop")]
pub(crate) struct Arguments {
    /// Id of the binding.
    id: String,
    #[command(flatten)]
    namespace: NamespaceOption,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let (id, namespace) = (&arguments.id, arguments.namespace.name(session));
    let pages = PivotPages::new(
        |binding: &RoleBindingInfo| &binding.id,
        async |pivot| page(session, &namespace, "", pivot).await,
    );
    let found = pages.find(|binding| binding.id == *id).await?.ok_or_else(|| {
        CliError::new(Exit::NotFound, format!("no such binding: '{id}' in the namespace '{namespace}'"))
            .remedy(format!("list all with: redrive binding list --namespace {namespace}"))
    })?;
    let names = BindingNames::read(session, &namespace).await?;
    session.show(fields(&found, &names), &BindingLine::new(&found, &names))
}
