"""The Kafka side of the examples of routes: creates topics, and writes and reads records with confluent_kafka.

    python3 records.py orders BOOTSTRAP_SERVERS TOPIC
    python3 records.py grpc-orders BOOTSTRAP_SERVERS TOPIC
    python3 records.py spring-dlt BOOTSTRAP_SERVERS TOPIC
    python3 records.py last BOOTSTRAP_SERVERS TOPIC
"""

import struct
import sys

from confluent_kafka import OFFSET_BEGINNING, Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

ORDERS = ["novel", "atlas", ""]


def create(servers, *topics):
    """Creates the topics that do not exist, each with one partition. A DLQ topic keeps its records."""
    config = {"retention.ms": "-1"}
    admin = AdminClient({"bootstrap.servers": servers})
    for future in admin.create_topics([NewTopic(topic, 1, 1, config=config) for topic in topics]).values():
        try:
            future.result()
        except KafkaException as error:
            if error.args[0].code() != KafkaError.TOPIC_ALREADY_EXISTS:
                raise


def send(servers, topic, value, key=None, headers=()):
    """Writes a record, and returns it with its partition, offset and timestamp."""
    delivered = []
    producer = Producer({"bootstrap.servers": servers, "acks": "all"})
    producer.produce(topic, value, key, headers=list(headers), on_delivery=lambda *report: delivered.append(report))
    producer.flush(30)
    if not delivered:
        sys.exit(f"no broker of {servers} answers")
    error, record = delivered[0]
    if error:
        raise KafkaException(error)
    return record


def orders(servers, topic):
    create(servers, topic)
    for order in ORDERS:
        send(servers, topic, order.encode())


def grpc_orders(servers, topic):
    """The value of a record is the message of the call, so the producer encodes it."""
    from google.protobuf.wrappers_pb2 import StringValue

    create(servers, topic)
    for order in ORDERS:
        send(servers, topic, StringValue(value=order).SerializeToString())


def spring_dlt(servers, topic):
    """A record, and what the DeadLetterPublishingRecoverer of Spring Kafka writes about it: numbers are binary."""
    create(servers, topic, f"{topic}.DLT")
    value, key, own = b'{"order":7,"amount":null}', b"customer-7", [("traceparent", b"00-ab-cd-01")]
    failed = send(servers, topic, value, key, own)
    cause = "java.lang.IllegalArgumentException"
    added = [
        ("kafka_dlt-exception-fqcn", b"org.springframework.kafka.listener.ListenerExecutionFailedException"),
        ("kafka_dlt-exception-cause-fqcn", cause.encode()),
        ("kafka_dlt-exception-message", f"Listener failed; nested exception is {cause}: no amount".encode()),
        ("kafka_dlt-exception-stacktrace", f"{cause}: no amount\n\tat com.shop.Billing.charge(Billing.java:42)\n".encode()),
        ("kafka_dlt-original-topic", topic.encode()),
        ("kafka_dlt-original-partition", struct.pack(">i", failed.partition())),
        ("kafka_dlt-original-offset", struct.pack(">q", failed.offset())),
        ("kafka_dlt-original-timestamp", struct.pack(">q", failed.timestamp()[1])),
        ("kafka_dlt-original-timestamp-type", b"CreateTime"),
        ("kafka_dlt-original-consumer-group", b"billing"),
    ]
    send(servers, f"{topic}.DLT", value, key, own + added)


def last(servers, topic):
    """Prints the last record of a topic with one partition."""
    consumer = Consumer({"bootstrap.servers": servers, "group.id": "unused", "enable.auto.commit": False})
    _, end = consumer.get_watermark_offsets(TopicPartition(topic, 0), timeout=30)
    consumer.assign([TopicPartition(topic, 0, end - 1 if end else OFFSET_BEGINNING)])
    record = consumer.poll(30)
    if record is None:
        sys.exit(f"topic {topic} is empty")
    print("key   ", record.key().decode())
    for name, value in record.headers():
        print("header", f"{name}={value.decode()}")
    print("value ", record.value().decode())


if __name__ == "__main__":
    actions = {"orders": orders, "grpc-orders": grpc_orders, "spring-dlt": spring_dlt, "last": last}
    actions[sys.argv[1]](*sys.argv[2:])
