//! Conversion of a Rust error to a failure.

use std::error::Error;
use std::fmt;
use std::io;

use super::{Evidence, Failure, Link};

impl Failure {
    /// Converts an error and its sources, with evidence from the standard library's error types.
    ///
    /// ```
    /// use std::io;
    /// use redrive_core::{Category, Classifier, Failure};
    ///
    /// let error = io::Error::new(io::ErrorKind::ConnectionRefused, "db-1:5432");
    /// let failure = Failure::from_error(&error);
    /// assert_eq!(Classifier::built_in().classify(&failure, 1).category, Category::Network);
    /// ```
    ///
    /// If `error` is a `Failure`, the result is a copy of it.
    pub fn from_error(error: &(dyn Error + 'static)) -> Self {
        if let Some(failure) = error.downcast_ref::<Self>() {
            return failure.clone();
        }
        let errors = std::iter::successors(Some(error), |link: &&(dyn Error + 'static)| (*link).source());
        let mut links = errors.flat_map(links_of);
        let outermost = links.next().unwrap_or_default();
        Self { error: outermost, causes: links.take(Self::CAUSES_MAX).collect(), ..Self::default() }
    }
}

impl Error for Failure {}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.error.kind, self.error.message.as_str()) {
            (Some(kind), "") => write!(f, "{kind}"),
            (None, "") => f.write_str("failed without a message"),
            (_, message) => f.write_str(message),
        }
    }
}

/// The links of an error without its sources. A failure among the sources keeps its kinds, and has its causes in itself.
fn links_of(error: &(dyn Error + 'static)) -> Vec<Link> {
    match error.downcast_ref::<Failure>() {
        Some(failure) => failure.links().cloned().collect(),
        None => vec![link_of(error)],
    }
}

fn link_of(error: &(dyn Error + 'static)) -> Link {
    let io = error.downcast_ref::<io::Error>();
    Link { message: error.to_string(), evidence: io.map(|error| Evidence::Io(error.kind().into())), ..Link::default() }
}
