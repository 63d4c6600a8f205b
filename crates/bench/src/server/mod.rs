//! The server over loopback: full cycles of durable 1 KiB items, with RabbitMQ and Redis in the same run.

mod bulk;
mod figures;
mod in_process;
mod latency;
mod load;
mod peers;
mod redrive;
mod status;

pub(crate) use figures::figures;
