//! The server as a whole: many concurrent callers, shutdown, and restart.

mod concurrent_callers;
mod restart;
mod shutdown;
