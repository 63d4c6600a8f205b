//! The subcommands of `redrive audit`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::AuditListRequest;
use redrive_server::AuditRecordId;

use super::audit_line::{AuditLine, fields};
use super::filter_options::ScopeOptions;
use super::{export, list, verify};
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::session::{ServerOptions, Session};

#[derive(clap::Subcommand)]
pub(crate) enum Action {
    /// List audit records, the newest first.
    List(list::Arguments),
    /// Show an audit record.
    #[command(visible_alias = "get")]
    #[command(after_help = "Example:
  redrive audit show 3M928yx0UrfVbDwCKPpjAHbKnmG-17")]
    Show {
        /// Id of the record, as in a list.
        id: AuditRecordId,
        #[command(flatten)]
        scope: ScopeOptions,
    },
    /// Write audit records as JSON, the oldest first. Without filters, the file can be verified.
    Export(export::Arguments),
    /// Check that no audit record was changed or removed.
    Verify(verify::Arguments),
}

pub(crate) fn run(action: &Action, server: &ServerOptions) -> Result<()> {
    match action {
        Action::List(arguments) => Session::run(server, async |session| list::run(arguments, &session).await),
        Action::Show { id, scope } => Session::run(server, async |session| show(id, scope, &session).await),
        Action::Export(arguments) => Session::run(server, async |session| export::run(arguments, &session).await),
        Action::Verify(arguments) => verify::run(arguments, server),
    }
}

async fn show(id: &AuditRecordId, scope: &ScopeOptions, session: &Session) -> Result<()> {
    let id = id.to_string();
    let request = AuditListRequest {
        namespace: scope.namespace(session),
        all_namespaces: scope.all_namespaces,
        id: id.clone(),
        ..AuditListRequest::default()
    };
    let found = session.call(session.client.list_audit(&request)).await?.records.pop();
    let record = found.ok_or_else(|| {
        CliError::new(Exit::NotFound, format!("no such audit record: '{id}'"))
            .remedy("it was removed to limit their number, or is of another namespace: redrive audit list")
    })?;
    session.show(fields(&record), &AuditLine::from(&record))
}
