//! Servers with authentication.

use redrive_server::{AuthMode, Bootstrap, Settings};

use crate::harness::{StoreKind, TestServer};

/// A server with internal authentication, bootstrapped so that anonymous callers may do everything until a test deletes
/// their role binding.
pub(crate) async fn server_with_auth(store_kind: StoreKind) -> TestServer {
    let listen = ([127, 0, 0, 1], 0).into();
    TestServer::with(
        store_kind,
        Settings { listen, auth: AuthMode::Internal, bootstrap: Bootstrap::Anonymous, ..Settings::default() },
    )
    .await
}

/// Runs a test on every store, each time with a new server with authentication.
pub(crate) async fn on_each_store_with_auth<F: Future<Output = ()>>(test: impl Fn(TestServer) -> F) {
    for store_kind in StoreKind::ALL {
        test(server_with_auth(store_kind).await).await;
    }
}
