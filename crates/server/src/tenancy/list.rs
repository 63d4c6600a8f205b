//! How much of a list is wanted.

use crate::fault::Fault;

const LIMIT: usize = 1_000;
/// More is not given at once, whatever is asked for.
const LIMIT_MAX: usize = 65_536;

pub(super) fn limit(given: i32) -> Result<usize, Fault> {
    match usize::try_from(given) {
        Ok(0) => Ok(LIMIT),
        Ok(limit) => Ok(limit.min(LIMIT_MAX)),
        Err(_) => Err(Fault::bad("limit is invalid; limit cannot be negative")),
    }
}
