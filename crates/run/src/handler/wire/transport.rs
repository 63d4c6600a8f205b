//! What a conversation that broke tells.

use std::error::Error;
use std::io;

use redrive_core::{Evidence, Failure, IoKind, Link};

/// What the operating system said, if anything in the chain of causes is its word and says something.
pub(crate) fn evidence_of(error: &(dyn Error + 'static)) -> Option<Evidence> {
    chain(error).filter_map(|link| link.downcast_ref::<io::Error>()).find_map(kind_of).map(Evidence::Io)
}

fn kind_of(error: &io::Error) -> Option<IoKind> {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<io::Error>());
    match IoKind::from(error.kind()) {
        // TLS libraries say it of certificates and of what they cannot read: that blames the connection, not the work.
        IoKind::Other | IoKind::InvalidData => inner.and_then(kind_of),
        kind => Some(kind),
    }
}

/// The chain of causes, as texts, each said once.
pub(crate) fn links_of(error: &(dyn Error + 'static)) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for message in chain(error).take(Failure::CAUSES_MAX).map(ToString::to_string) {
        if links.last().is_none_or(|last| last.message != message) {
            links.push(Link { message, ..Link::default() });
        }
    }
    links
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
    fn the_word_of_the_operating_system_is_found_wherever_it_stands() {
        let reset = || io::Error::from(io::ErrorKind::ConnectionReset);
        let expected = Some(Evidence::Io(IoKind::ConnectionReset));
        assert_eq!(evidence_of(&reset()), expected);
        assert_eq!(evidence_of(&Outer(reset())), expected);
        assert_eq!(evidence_of(&Outer(io::Error::other(reset()))), expected);
    }

    #[test]
    fn unreadable_data_on_a_connection_does_not_blame_the_work() {
        let certificate = io::Error::new(io::ErrorKind::InvalidData, "invalid peer certificate: UnknownIssuer");
        assert_eq!(evidence_of(&Outer(certificate)), None);
    }

    #[test]
    fn a_chain_says_each_thing_once() {
        let texts: Vec<_> =
            links_of(&Outer(io::Error::other("no route"))).into_iter().map(|link| link.message).collect();
        assert_eq!(texts, ["could not connect", "no route"]);
    }
}
