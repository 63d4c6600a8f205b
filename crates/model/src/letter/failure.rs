//! Restores a failure from the records of its letter.

use redrive_core::{Evidence, Failure};

use crate::{Attempt, CaptureContext};

impl Attempt {
    /// The failure, as far as it is stored: text, type, and the evidence in its rule (`http:503`). Parts and metadata
    /// come from the letter.
    pub fn failure(&self, context: &CaptureContext) -> Failure {
        let mut failure = Failure::new(self.error.clone());
        failure.error.kind = self.error_type.as_deref().and_then(|kind| kind.parse().ok());
        failure.error.evidence = self.rule.as_deref().and_then(evidence);
        failure.parts.clone_from(&context.parts);
        failure.metadata.extend(context.metadata.clone());
        failure
    }
}

fn evidence(rule: &str) -> Option<Evidence> {
    let (source, value) = rule.split_once(':')?;
    match source {
        "http" => value.parse().ok().map(Evidence::http),
        "grpc" => value.parse().ok().and_then(redrive_core::GrpcCode::from_number).map(Evidence::Grpc),
        "io" => value.parse().ok().map(Evidence::Io),
        "sqlstate" => value.parse().ok().map(Evidence::Sql),
        _ => None,
    }
}
