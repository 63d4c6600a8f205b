//! Who gets what, through the public face.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod described;
mod found;
mod jitter;
mod model;
mod papers;
mod placement;
mod records;
mod relocated;
mod share;
mod templates;
mod turns;
