//! Test mode of `redrive serve`: a second listener that controls the clock. Only in builds with the feature `test-mode`.

#[cfg(not(feature = "test-mode"))]
pub(super) use disabled::TestModeOptions;
#[cfg(feature = "test-mode")]
pub(super) use enabled::TestModeOptions;

#[cfg(feature = "test-mode")]
mod enabled {
    use std::net::SocketAddr;
    use std::sync::Arc;

    use anyhow::{Result, bail};
    use redrive_core::Time;
    use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
    use redrive_server::{Server, TestClock, TestMode};

    use crate::config::Config;
    use crate::values::{parse_address, parse_time};

    #[derive(Debug, Clone, clap::Args)]
    pub(crate) struct TestModeOptions {
        /// For tests: a second listener that controls the clock. Requires test mode.
        #[arg(long, value_name = "ADDRESS", hide = true, value_parser = parse_address)]
        control: Option<SocketAddr>,
        /// For tests: freeze the clock at this time from the start.
        #[arg(long, value_name = "TIME", hide = true, requires = "control", value_parser = parse_time)]
        freeze: Option<Time>,
        #[arg(skip)]
        clock: TestClock,
    }

    impl TestModeOptions {
        pub(crate) fn check(&self, config: &Config) -> Result<()> {
            if self.control.is_some() && !config.test_mode.enabled {
                bail!(
                    "test mode is not enabled; with --control, every user of this machine can stop the server's clock\n  \
                     enable it with REDRIVE_TEST_MODE=true, or `enabled = true` under [test_mode] in the configuration"
                );
            }
            Ok(())
        }

        /// Lets the store, and with it the server, use the controlled clock.
        pub(crate) fn set_clock(&self, options: &mut EmbeddedOptions) {
            if self.control.is_some() {
                options.clock = Arc::new(self.clock.clone());
            }
            if let Some(at) = self.freeze {
                self.clock.freeze(at);
            }
        }

        pub(crate) async fn add_to(&self, server: Server, store: &EmbeddedStore) -> Result<Server> {
            let Some(listen) = self.control else { return Ok(server) };
            let mode = TestMode { listen, clock: self.clock.clone(), store: Arc::new(store.clone()) };
            Ok(server.with_test_mode(mode).await?)
        }

        /// The address of the control listener, as it stands in the ready line.
        pub(crate) fn control(&self, server: &Server) -> String {
            server.control_address().map(|control| format!(" control={control}")).unwrap_or_default()
        }
    }
}

#[cfg(not(feature = "test-mode"))]
mod disabled {
    use anyhow::Result;
    use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
    use redrive_server::Server;

    use crate::config::Config;

    #[derive(Debug, Clone, clap::Args)]
    pub(crate) struct TestModeOptions {}

    #[expect(clippy::unused_self, clippy::unused_async, clippy::unnecessary_wraps, reason = "as with the feature")]
    impl TestModeOptions {
        pub(crate) fn check(&self, _: &Config) -> Result<()> {
            Ok(())
        }

        pub(crate) fn set_clock(&self, _: &mut EmbeddedOptions) {}

        pub(crate) async fn add_to(&self, server: Server, _: &EmbeddedStore) -> Result<Server> {
            Ok(server)
        }

        pub(crate) fn control(&self, _: &Server) -> &'static str {
            ""
        }
    }
}
