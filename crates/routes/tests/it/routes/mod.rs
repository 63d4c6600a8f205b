//! Routes: their settings, and what they do over real sources and targets.

mod fixture;
mod invalid;
mod queue;
mod with_redis;
