//! Servers with authentication.

use redrive_server::{AuthMode, Bootstrap, Settings};

use crate::harness::{Caller, StoreKind, TestServer, local_settings, run};

/// A server with internal authentication, bootstrapped so that anonymous callers may do everything until a test deletes
/// their role binding.
pub(crate) async fn server_with_auth(store_kind: StoreKind) -> TestServer {
    TestServer::with(store_kind, anonymous_settings()).await
}

pub(crate) fn anonymous_settings() -> Settings {
    Settings { auth: AuthMode::Internal, bootstrap: Bootstrap::Anonymous, ..local_settings() }
}

/// Runs a test on every store, each time with a new server with authentication and an anonymous caller.
pub(crate) fn on_each_store_with_auth<F: Future<Output = ()>>(test: impl Fn(TestServer, Caller) -> F) {
    for store_kind in StoreKind::ALL {
        run(async {
            let server = server_with_auth(store_kind).await;
            let anonymous = server.caller().await;
            test(server, anonymous).await;
        });
    }
}
