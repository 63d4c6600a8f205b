//! The arguments of a noun whose acts the server audits.

use anyhow::Result;

use crate::session::{ServerOptions, Session};
use crate::values::parse_reason;

#[derive(clap::Args)]
pub(crate) struct Audited<A: clap::Subcommand> {
    #[command(subcommand)]
    action: A,
    /// Reason, which the server writes to the audit record.
    #[arg(long, global = true, value_name = "TEXT", value_parser = parse_reason)]
    reason: Option<String>,
}

impl<A: clap::Subcommand> Audited<A> {
    /// Runs the act in a session that sends the reason with each call.
    pub(crate) fn run(&self, server: &ServerOptions, act: impl AsyncFnOnce(&A, &Session) -> Result<()>) -> Result<()> {
        Session::run(server, async |session| {
            let session = session.with_reason(self.reason.as_deref())?;
            act(&self.action, &session).await
        })
    }
}
