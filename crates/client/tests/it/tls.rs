//! The same calls over TLS.

use std::path::Path;
use std::sync::Arc;

use redrive_client::{Client, ClientError, LeaseOptions, RemoteStore, Span};
use redrive_core::QueueName;
use redrive_embedded::{EmbeddedOptions, EmbeddedStore};
use redrive_model::{CreateQueue, GetStats, Lease, LeaseSpec, NewItem, Produce, QueueSettings};
use redrive_server::{Server, Settings, TlsFiles};
use redrive_store::{Store, SystemClock};
use tokio_util::sync::CancellationToken;

/// Self-signed, for 127.0.0.1 and these tests only.
const CERTIFICATE: &[u8] = include_bytes!("certificates/certificate.pem");

/// Starts a server with a queue; it ends with the test.
async fn serve() -> (String, Arc<dyn Store>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/certificates");
    let tls = TlsFiles { certificate: folder.join("certificate.pem"), key: folder.join("key.pem") };
    let settings = Settings { listen: ([127, 0, 0, 1], 0).into(), tls: Some(tls), ..Settings::default() };
    let store: Arc<dyn Store> = Arc::new(EmbeddedStore::in_memory(&EmbeddedOptions::default()).unwrap());
    store.create_queue(CreateQueue { settings: QueueSettings::new(orders()) }).await.unwrap();
    let server = Server::bind(settings, Arc::clone(&store), Arc::new(SystemClock)).await.unwrap();
    let address = format!("https://{}", server.address());
    tokio::spawn(server.serve(CancellationToken::new()));
    (address, store)
}

fn orders() -> QueueName {
    QueueName::new("orders").unwrap()
}

fn lease() -> Lease {
    let spec = LeaseSpec { batch: 1, lease: None, notes_receipt: false };
    Lease { queue: orders(), client_id: None, spec, wait: Span::from_mins(1) }
}

#[tokio::test]
async fn a_trusted_certificate_is_accepted() {
    let (address, _store) = serve().await;
    let client = Client::builder(&address).trust_pem(CERTIFICATE).unwrap().build().unwrap();
    client.queue("orders").produce(&[NewItem::default()]).await.unwrap();
    let leased = client.queue("orders").lease(&LeaseOptions::default()).await.unwrap();
    assert_eq!(leased.items.len(), 1);
    assert!(client.health().await.unwrap().is_well());
}

#[tokio::test]
async fn a_certificate_for_another_name_is_rejected() {
    let (address, _store) = serve().await;
    // The certificate is for an IP address, not for this name.
    let builder = Client::builder(&address.replace("127.0.0.1", "localhost")).tries(1);
    let client = builder.trust_pem(CERTIFICATE).unwrap().build().unwrap();
    let error = client.health().await.unwrap_err();
    assert!(matches!(error, ClientError::Connect { .. }), "{error:?}");
}

#[tokio::test]
async fn a_dropped_claim_leases_nothing_over_tls() {
    let (address, own) = serve().await;
    let client = Client::builder(&address).trust_pem(CERTIFICATE).unwrap().build().unwrap();
    for round in 0..20 {
        let store = RemoteStore::new(client.clone());
        let waiting = tokio::spawn(async move { store.lease(lease()).await.map(|_| ()) });
        while own.stats(GetStats { queue: orders() }).await.unwrap().waiting == 0 {}
        // Alternately before and after an item is available.
        if round % 2 == 0 {
            waiting.abort();
        }
        own.produce(Produce::new(orders(), vec![NewItem::of_payload("a")])).await.unwrap();
        waiting.abort();
        if waiting.await.is_err() {
            let leased = RemoteStore::new(client.clone()).lease(lease()).await.unwrap();
            assert_eq!(leased.items[0].info.attempts, 1, "no attempt was charged for the dropped claim");
        }
        own.clear(redrive_model::Clear { queue: orders(), ready: true, destructive: true, scheduled: true })
            .await
            .unwrap();
    }
}
