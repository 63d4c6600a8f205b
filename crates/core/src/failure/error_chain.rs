//! From a Rust error to a failure.

use std::error::Error;
use std::io;

use super::{Evidence, Failure, Link};

impl Failure {
    /// The error and its sources, with the evidence that the standard library's types give.
    ///
    /// ```
    /// use std::io;
    /// use redrive_core::{Category, Classifier, Failure};
    ///
    /// let error = io::Error::new(io::ErrorKind::ConnectionRefused, "db-1:5432");
    /// let failure = Failure::from_error(&error);
    /// assert_eq!(Classifier::built_in().classify(&failure, 1).category, Category::Network);
    /// ```
    pub fn from_error(error: &(dyn Error + 'static)) -> Self {
        let mut links =
            std::iter::successors(Some(error), |link: &&(dyn Error + 'static)| (*link).source()).map(link_of);
        let outermost = links.next().unwrap_or_default();
        Self { error: outermost, causes: links.take(Self::CAUSES_MAX).collect(), ..Self::default() }
    }
}

fn link_of(error: &(dyn Error + 'static)) -> Link {
    let io = error.downcast_ref::<io::Error>();
    Link { message: error.to_string(), evidence: io.map(|error| Evidence::Io(error.kind().into())), ..Link::default() }
}
