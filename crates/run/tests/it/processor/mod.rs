//! The processor: retries letters automatically and manually.

mod back_to_origin;
mod fixture;
mod lifecycle;
mod manual_retry;
mod schedule;
