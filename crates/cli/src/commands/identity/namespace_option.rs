//! The option for the namespace of a command.

use crate::session::Session;

#[derive(Debug, clap::Args)]
pub(crate) struct NamespaceOption {
    /// Namespace [default: that of the context, else _system].
    #[arg(long, value_name = "NAME")]
    namespace: Option<String>,
}

impl NamespaceOption {
    /// The namespace of the command; `_system` if neither the option nor the context names one.
    pub(in crate::commands) fn name(&self, session: &Session) -> String {
        let name = session.namespace_or(self.namespace.as_deref());
        if name.is_empty() { "_system".to_owned() } else { name }
    }
}
