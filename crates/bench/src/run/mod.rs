//! The runner: its throughput compared with a bare loop, and its cost while idle.

mod busy;
mod fixture;
mod idle;
mod no_op;
mod prepared_source;
mod processes;
mod runner_alone;
pub(crate) mod worker;

use anyhow::Result;

use crate::figure::Figure;

pub(crate) fn figures() -> Result<Vec<Figure>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let idle = idle::figure().await?;
        Ok(vec![
            runner_alone::figure().await?,
            no_op::figure().await?,
            busy::figure().await?,
            processes::figure().await?,
            idle,
        ])
    })
}

/// Concurrent handlers of a runner.
const CONCURRENCY: usize = 256;
