//! The single writer: what it takes, what it lets in, whom it serves, whom it tells.

mod admit;
mod ahead;
mod failure;
mod gather;
mod limits;
mod listen;
mod news;
mod random;
mod release;
mod serve;
mod set_aside;
mod under_way;
mod weight;
mod writer;

pub(crate) use limits::Limits;
pub(crate) use random::Random;
pub(crate) use under_way::UnderWay;
pub(crate) use writer::{Mode, Writer};
