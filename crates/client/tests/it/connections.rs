//! Connections are kept and shared.

use redrive_client::Client;
use redrive_client::proto::querator::{QueueProduceRequest, QueueStatsRequest};

use crate::bed::{Bed, Ground, queue};
use crate::stub::{Act, Stub};

#[tokio::test]
async fn calls_one_after_the_other_use_one_connection() {
    let stub = Stub::new(vec![Act::Reply(200, "")]).await;
    let client = Client::new(&stub.address.to_string()).unwrap();
    for _ in 0..20 {
        client.clone().produce(&QueueProduceRequest::default()).await.unwrap();
    }
    assert_eq!((stub.accepts(), stub.requests()), (1, 20));
}

#[tokio::test]
async fn an_answer_that_refuses_keeps_the_connection() {
    let stub = Stub::new(vec![Act::Reply(400, "items cannot be empty")]).await;
    let client = Client::new(&stub.address.to_string()).unwrap();
    for _ in 0..5 {
        client.produce(&QueueProduceRequest::default()).await.unwrap_err();
    }
    assert_eq!((stub.accepts(), stub.requests()), (1, 5));
}

#[tokio::test]
async fn a_connection_that_the_server_closed_costs_no_call() {
    let mut bed = Bed::new(Ground::Journal).await;
    let client = bed.client();
    client.create_queue(&queue("orders")).await.unwrap();
    for _ in 0..3 {
        bed.stop().await;
        bed.start().await;
        client.queue("orders").produce(vec![Default::default()]).await.unwrap();
    }
    let stats = client.stats(&QueueStatsRequest { queue_name: "orders".to_owned() }).await.unwrap();
    assert_eq!(stats.logical_queues[0].partitions[0].total, 3);
}
