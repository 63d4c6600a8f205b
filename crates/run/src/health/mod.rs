//! Health checks over HTTP: one set of pages, for groups of loops and for the server.
//!
//! | path | answer |
//! |---|---|
//! | `/health/live` | 200 while the process runs |
//! | `/health/ready` | 200, or 503 if the process must not get work: it is unhealthy, or shuts down |
//! | `/health` | the same, but a shutdown does not count |

mod check;
mod format;
mod page;
mod server;

pub use check::{HealthCheck, HealthReport, HealthState};
pub use format::HealthFormat;
pub use page::HealthPage;
pub use server::HealthServer;
