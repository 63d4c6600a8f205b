//! An error with its remedy and its exit code.

use std::fmt;

use crate::exit::Exit;

/// An error as it is printed to stderr: what failed, what the user can do about it, and the exit code.
#[derive(Debug)]
pub(crate) struct CliError {
    message: String,
    remedy: Option<String>,
    exit: Exit,
}

impl CliError {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { message: message.into(), remedy: None, exit }
    }

    /// Invalid usage that the argument parser cannot detect, as of arguments that are valid but exclude each other.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, message)
    }

    /// Sets the remedy, which is printed on a line of its own below the message.
    #[must_use]
    pub(crate) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }

    pub(crate) const fn exit(&self) -> Exit {
        self.exit
    }

    /// Whether a command failed because its server cannot be reached.
    pub(crate) fn is_unreachable(error: &anyhow::Error) -> bool {
        error.downcast_ref::<Self>().is_some_and(|error| error.exit == Exit::Unreachable)
    }
}

impl fmt::Display for CliError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.remedy.iter().try_for_each(|remedy| write!(f, "\n  {remedy}"))
    }
}

impl std::error::Error for CliError {}
