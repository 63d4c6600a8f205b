//! Connections are reused and shared.

use redrive_client::NewItem;
use redrive_client::proto::querator::{QueueProduceRequest, QueueStatsRequest};

use crate::stub::{Action, Stub};
use crate::test_server::{Storage, TestServer, queue};

#[tokio::test]
async fn sequential_calls_use_one_connection() {
    let (stub, client) = Stub::with_client(vec![Action::Reply(200, "")]).await;
    for _ in 0..20 {
        client.clone().produce(&QueueProduceRequest::default()).await.unwrap();
    }
    assert_eq!((stub.accepts(), stub.requests()), (1, 20));
}

#[tokio::test]
async fn a_rejected_call_keeps_the_connection() {
    let (stub, client) = Stub::with_client(vec![Action::Reply(400, "items cannot be empty")]).await;
    for _ in 0..5 {
        client.produce(&QueueProduceRequest::default()).await.unwrap_err();
    }
    assert_eq!((stub.accepts(), stub.requests()), (1, 5));
}

#[tokio::test]
async fn a_connection_closed_by_the_server_fails_no_call() {
    let mut server = TestServer::new(Storage::Journal).await;
    let client = server.client();
    client.create_queue(&queue("orders")).await.unwrap();
    for _ in 0..3 {
        server.stop().await;
        server.start().await;
        client.queue("orders").produce(&[NewItem::default()]).await.unwrap();
    }
    let stats = client.stats(&QueueStatsRequest { queue_name: "orders".to_owned() }).await.unwrap();
    assert_eq!(stats.logical_queues[0].partitions[0].total, 3);
}
