//! Servers that ask who calls.

use redrive_server::{AuthMode, Bootstrap, Settings};

use crate::bed::{Bed, Ground};

/// A server that asks, and lets whoever shows no key do everything until somebody closes the door.
pub(crate) async fn closed(ground: Ground) -> Bed {
    let listen = ([127, 0, 0, 1], 0).into();
    Bed::with(
        ground,
        Settings { listen, auth: AuthMode::Internal, bootstrap: Bootstrap::Anonymous, ..Settings::default() },
    )
    .await
}

/// The same on every ground.
pub(crate) async fn each_closed<F: Future<Output = ()>>(test: impl Fn(Bed) -> F) {
    for ground in Ground::ALL {
        test(closed(ground).await).await;
    }
}
