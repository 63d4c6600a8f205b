//! Evidence in transport errors.

use std::error::Error;
use std::io;

use redrive_core::{Evidence, Failure, IoKind, Link};

/// The I/O error kind of the operating system, if the chain of causes contains a conclusive one.
pub(crate) fn evidence_of(error: &(dyn Error + 'static)) -> Option<Evidence> {
    chain(error).filter_map(|link| link.downcast_ref::<io::Error>()).find_map(kind_of).map(Evidence::Io)
}

fn kind_of(error: &io::Error) -> Option<IoKind> {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<io::Error>());
    match IoKind::from(error.kind()) {
        // TLS libraries use it for certificates and unreadable data, which concern the connection and not the work.
        IoKind::Other | IoKind::InvalidData => inner.and_then(kind_of),
        kind => Some(kind),
    }
}

/// The chain of causes as texts, without consecutive duplicates.
fn links_of(error: &(dyn Error + 'static)) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for message in chain(error).take(Failure::CAUSES_MAX).map(ToString::to_string) {
        if links.last().is_none_or(|last| last.message != message) {
            links.push(Link { message, ..Link::default() });
        }
    }
    links
}

/// The failure for a connection that broke before or during an answer.
pub(crate) fn broken(message: String, cause: Option<&(dyn Error + 'static)>) -> Failure {
    let mut failure = Failure::new(message);
    failure.causes = cause.map(links_of).unwrap_or_default();
    failure.error.evidence = cause.and_then(evidence_of);
    if failure.error.evidence.is_none() {
        failure.error.kind = "connection".parse().ok();
    }
    failure
}

/// The error and what caused it, outermost first.
pub(crate) fn chain<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |link: &&'e (dyn Error + 'static)| (*link).source())
}

#[cfg(test)]
mod tests {
    use std::io;

    use redrive_core::{Evidence, IoKind};

    use super::{evidence_of, links_of};

    #[derive(Debug, thiserror::Error)]
    #[error("could not connect")]
    struct Outer(#[source] io::Error);

    #[test]
    fn an_error_of_the_operating_system_is_found_anywhere_in_the_chain() {
        let reset = || io::Error::from(io::ErrorKind::ConnectionReset);
        let expected = Some(Evidence::Io(IoKind::ConnectionReset));
        assert_eq!(evidence_of(&reset()), expected);
        assert_eq!(evidence_of(&Outer(reset())), expected);
        assert_eq!(evidence_of(&Outer(io::Error::other(reset()))), expected);
    }

    #[test]
    fn invalid_data_on_a_connection_is_no_evidence() {
        let certificate = io::Error::new(io::ErrorKind::InvalidData, "invalid peer certificate: UnknownIssuer");
        assert_eq!(evidence_of(&Outer(certificate)), None);
    }

    #[test]
    fn consecutive_duplicates_are_removed_from_a_chain() {
        let texts: Vec<_> =
            links_of(&Outer(io::Error::other("no route"))).into_iter().map(|link| link.message).collect();
        assert_eq!(texts, ["could not connect", "no route"]);
    }
}
