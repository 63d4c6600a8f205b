//! Groups failures with the same cause: normalised texts, stack traces, and the fingerprint of both.

mod fingerprint;
mod normalise;
mod trace;

pub use fingerprint::Fingerprint;
pub use normalise::normalise;
pub use trace::{Frame, Trace};
