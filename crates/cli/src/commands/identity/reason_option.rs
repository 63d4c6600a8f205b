//! The option for the reason of an act.

use anyhow::Result;

use crate::session::Session;
use crate::values::parse_reason;

#[derive(Debug, clap::Args)]
pub(in crate::commands) struct ReasonOption {
    /// Reason, which the server writes to the audit record.
    #[arg(long, global = true, value_name = "TEXT", value_parser = parse_reason)]
    reason: Option<String>,
}

impl ReasonOption {
    /// The session, which sends the reason with each call.
    pub(in crate::commands) fn apply(&self, session: Session) -> Result<Session> {
        match &self.reason {
            Some(reason) => session.with_reason(reason),
            None => Ok(session),
        }
    }
}
