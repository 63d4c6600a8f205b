//! `redrive audit show`.

use anyhow::Result;
use redrive_client::proto::redrive::v1::AuditListRequest;
use redrive_server::AuditRecordId;

use super::audit_line::{AuditLine, fields};
use super::filter_options::ScopeOptions;
use crate::cli_error::CliError;
use crate::exit::Exit;
use crate::session::Session;

#[derive(clap::Args)]
#[command(after_help = "Example:
  redrive audit show 3M928yx0UrfVbDwCKPpjAHbKnmG-17")]
pub(crate) struct Arguments {
    /// Id of the record, as in a list.
    id: AuditRecordId,
    #[command(flatten)]
    scope: ScopeOptions,
}

pub(super) async fn run(arguments: &Arguments, session: &Session) -> Result<()> {
    let id = arguments.id.to_string();
    let namespace = arguments.scope.namespace(session);
    let request = AuditListRequest { namespace, id: id.clone(), ..AuditListRequest::default() };
    let found = session.call(session.client.list_audit(&request)).await?.records.pop();
    let record = found.ok_or_else(|| {
        CliError::new(Exit::NotFound, format!("no such audit record: '{id}'"))
            .remedy("it was removed to limit their number, or is of another namespace: redrive audit list")
    })?;
    session.show(fields(&record), &AuditLine::from(&record))
}
