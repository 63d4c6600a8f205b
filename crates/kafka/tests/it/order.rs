
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn zz_timing() {
    let t = tokio::time::Instant::now();
    let cluster = Cluster::shared();
    let topic = cluster.topic("timing", 1).await;
    eprintln!("topic {:?}", t.elapsed());
    cluster.produce(&topic, &[NewRecord::keyed("a", "1")]);
    eprintln!("produce {:?}", t.elapsed());
    let consumer = KafkaConsumer::start(cluster.settings(&topic), Recorder::done(), None).await.unwrap();
    eprintln!("start {:?}", t.elapsed());
    wait_for("assigned", &consumer, |snapshot| snapshot.partitions.len() == 1).await;
    eprintln!("assigned {:?}", t.elapsed());
    wait_for_commits(&consumer, &[1]).await;
    eprintln!("commits {:?}", t.elapsed());
    consumer.stop().await;
    eprintln!("stop {:?}", t.elapsed());
    cluster.letters(&topic);
    eprintln!("letters {:?}", t.elapsed());
    cluster.committed(&cluster.settings(&topic).group_id, &topic, 1);
    eprintln!("committed {:?}", t.elapsed());
    cluster.end(&topic, 0);
    eprintln!("end {:?}", t.elapsed());
    cluster.alter(&topic, &[("retention.ms", "-1")]).await;
    eprintln!("alter {:?}", t.elapsed());
}
