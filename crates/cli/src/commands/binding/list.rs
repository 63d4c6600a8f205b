//! `redrive binding list`.

use anyhow::Result;
use redrive_client::proto::querator::RoleBindingInfo;

use super::binding_line::{BindingLine, BindingNames, HEADER, page, row};
use crate::commands::identity::{NamespaceOption, PivotPages, user_id};
use crate::console::Lines;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive binding list --namespace shop --user ann")]
pub(crate) struct Arguments {
    #[command(flatten)]
    namespace: NamespaceOption,
    /// Only bindings of this user, by name or id.
    #[arg(long, value_name = "USER")]
    user: Option<String>,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let namespace = arguments.namespace.name(session);
    let user = match &arguments.user {
        Some(user) => user_id(session, user).await?,
        None => String::new(),
    };
    let mut pages = PivotPages::new(
        |binding: &RoleBindingInfo| &binding.id,
        async |pivot| page(session, &namespace, &user, pivot).await,
    );
    // Before the names, so that a missing permission to list bindings is reported first.
    let mut next = pages.next().await?;
    let names = BindingNames::read(session, &namespace).await?;
    let mut lines = Lines::new(session.format, HEADER);
    while let Some(page) = next {
        page.iter().try_for_each(|binding| lines.push(|| row(binding, &names), &BindingLine::new(binding, &names)))?;
        next = pages.next().await?;
    }
    lines.finish()
}
