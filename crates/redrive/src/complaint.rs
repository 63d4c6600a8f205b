//! An error as its user is told.

use std::fmt;

use crate::exit::Exit;

/// What was wrong, what to do about it, and how the process ends for it.
#[derive(Debug)]
pub(crate) struct Complaint {
    what: String,
    advice: Option<String>,
    exit: Exit,
}

impl Complaint {
    pub(crate) fn new(exit: Exit, what: impl Into<String>) -> Self {
        Self { what: what.into(), advice: None, exit }
    }

    /// Arguments that each are right, and do not go together.
    pub(crate) fn usage(what: impl Into<String>) -> Self {
        Self::new(Exit::Usage, what)
    }

    #[must_use]
    pub(crate) fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }

    pub(crate) const fn exit(&self) -> Exit {
        self.exit
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        self.advice.iter().try_for_each(|advice| write!(f, "\n  {advice}"))
    }
}

impl std::error::Error for Complaint {}
