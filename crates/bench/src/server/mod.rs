//! What a server does over loopback: full cycles of durable 1 KiB items, with the peers in the same run.

mod figures;
mod load;
mod peers;

pub(crate) use figures::figures;
