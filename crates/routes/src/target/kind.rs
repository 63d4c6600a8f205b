//! The kinds of targets.

/// What a target is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetKind {
    Http,
    Grpc,
    Worker,
    Origin,
}

impl TargetKind {
    /// As in "an http target".
    pub(super) const fn with_article(self) -> &'static str {
        match self {
            Self::Http => "an http",
            Self::Grpc => "a grpc",
            Self::Worker => "a worker",
            Self::Origin => "an origin",
        }
    }
}

/// As in "an http or a grpc target".
pub(super) fn any_of(kinds: &[TargetKind]) -> String {
    kinds.iter().map(|kind| kind.with_article()).collect::<Vec<_>>().join(" or ")
}
