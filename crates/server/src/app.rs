//! What all requests of a server share.

use std::sync::Arc;

use redrive_store::{Clock, Store};
use tokio_util::sync::CancellationToken;

use crate::auth::Auth;
use crate::deadlines::Deadlines;
use crate::desk::RequestIds;
use crate::door::Routes;
use crate::fault::Fault;
use crate::metrics::Metrics;
use crate::settings::Settings;
use crate::test_mode::Stills;
use crate::traffic::Traffic;

#[derive(Debug)]
pub(crate) struct App {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) settings: Settings,
    pub(crate) routes: Routes,
    pub(crate) auth: Auth,
    pub(crate) deadlines: Deadlines,
    pub(crate) traffic: Traffic,
    pub(crate) stills: Stills,
    pub(crate) metrics: Metrics,
    pub(crate) ids: RequestIds,
    /// The server shuts down: nothing waits any more.
    pub(crate) closing: CancellationToken,
}

impl App {
    pub(crate) fn new(settings: Settings, store: Arc<dyn Store>, clock: Arc<dyn Clock>) -> Self {
        let routes = Routes::new(&settings);
        Self {
            store,
            auth: Auth,
            deadlines: Deadlines::new(clock),
            traffic: Traffic::default(),
            stills: Stills::default(),
            metrics: Metrics::new(&routes.paths()),
            routes,
            ids: RequestIds::new(),
            closing: CancellationToken::new(),
            settings,
        }
    }
    /// Makes what must be there before anybody calls.
    pub(crate) async fn bootstrap(&self) -> Result<(), Fault> {
        Ok(())
    }
}
