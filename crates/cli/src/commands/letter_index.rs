//! The search index of letters that `redrive serve` keeps, if it is configured.

#[cfg(feature = "search")]
pub(crate) use with_search::CheckedIndex;
#[cfg(not(feature = "search"))]
pub(crate) use without_search::CheckedIndex;

#[cfg(feature = "search")]
mod with_search {
    use std::sync::Arc;

    use anyhow::Result;
    use redrive_search::{Projection, SearchSettings};
    use redrive_server::{CaptureMode, LetterIndex, Server};
    use redrive_store::{Clock, Store};

    use crate::config::Dlq;

    /// The checked settings of the index.
    pub(crate) struct CheckedIndex {
        settings: SearchSettings,
        capture: CaptureMode,
    }

    /// The projection of the store into the index.
    pub(crate) struct StartedIndex {
        projection: Arc<Projection>,
        capture: CaptureMode,
    }

    impl CheckedIndex {
        /// `None` if no index is configured.
        pub(crate) fn new(config: &Dlq) -> Result<Option<Self>> {
            let settings = config.search()?;
            Ok(settings.map(|settings| Self { settings, capture: config.capture_mode() }))
        }

        pub(crate) fn start(self, store: &Arc<dyn Store>, clock: &Arc<dyn Clock>) -> Result<StartedIndex> {
            let Self { settings, capture } = self;
            let projection = Projection::start_with_clock(Arc::clone(store), settings, Arc::clone(clock))?;
            Ok(StartedIndex { projection: Arc::new(projection), capture })
        }
    }

    impl StartedIndex {
        pub(crate) fn add_to(&self, server: Server) -> Server {
            server.with_index(LetterIndex { projection: Arc::clone(&self.projection), capture: self.capture })
        }

        /// Changes that the index has not acknowledged are sent again after the next start.
        pub(crate) async fn stop(&self) {
            self.projection.stop().await;
        }
    }
}

#[cfg(not(feature = "search"))]
mod without_search {
    use std::sync::Arc;

    use anyhow::{Result, bail};
    use redrive_server::Server;
    use redrive_store::{Clock, Store};

    use crate::config::Dlq;

    /// There is none: a configuration that needs an index is rejected.
    pub(crate) enum CheckedIndex {}
    pub(crate) enum StartedIndex {}

    impl CheckedIndex {
        pub(crate) fn new(config: &Dlq) -> Result<Option<Self>> {
            if config.opensearch_url.is_some() {
                bail!(
                    "dlq.opensearch_url: this program was built without search; build it with the cargo feature 'search'"
                );
            }
            Ok(None)
        }

        pub(crate) fn start(self, _: &Arc<dyn Store>, _: &Arc<dyn Clock>) -> Result<StartedIndex> {
            match self {}
        }
    }

    impl StartedIndex {
        pub(crate) fn add_to(&self, _: Server) -> Server {
            match *self {}
        }

        pub(crate) async fn stop(&self) {
            match *self {}
        }
    }
}
