//! A put whose answer was lost is sent again, and its items are in the queue once.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::bed::{Bed, folder};

fn serve(folder: &Path) -> Command {
    let mut serve = crate::bed::command(&["serve", "--listen", "127.0.0.1:0", "--data-dir", "data"]);
    serve.current_dir(folder);
    serve
}

/// Sends a put, and does not wait for its answer.
fn send(bed: &Bed, put: &Value) -> TcpStream {
    let body = put.to_string();
    let (address, length) = (&bed.address, body.len());
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!("POST /v1/queue.put HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\n");
    write!(stream, "{head}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}").unwrap();
    stream
}

fn answer(mut stream: TcpStream) -> Value {
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
    serde_json::from_str(body).unwrap()
}

fn ids(bed: &Bed) -> Vec<Value> {
    bed.objects(&["items", "list", "orders"]).into_iter().map(|item| item["id"].clone()).collect()
}

#[test]
fn a_put_whose_server_was_killed_before_the_answer_was_read_is_in_the_queue_once() {
    let folder = folder("request-id-killed");
    let put = json!({
        "queue_name": "orders", "request_timeout": "1m", "request_id": "r-1",
        "items": [{ "utf8": "one" }, { "utf8": "two" }],
    });
    let mut bed = Bed::start(serve(&folder));
    bed.done(&["queue", "create", "orders"]);
    let unread = send(&bed, &put);
    // What is listed is durable.
    while ids(&bed).is_empty() {}
    bed.child.kill().unwrap();
    bed.child.wait().unwrap();
    drop(unread);

    let bed = Bed::start(serve(&folder));
    let there = ids(&bed);
    let again = answer(send(&bed, &put));
    let told: Vec<Value> = again["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
    assert_eq!((there.len(), &told), (2, &there), "the answer is the one that was not read");
    assert_eq!(ids(&bed), there, "nothing is put in twice");
}

/// Stands between a client and a server: it keeps the first answer to itself, and passes on all that follow.
fn lossy(server: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = server.to_owned();
    std::thread::spawn(move || {
        for (number, client) in listener.incoming().enumerate() {
            let (client, server) = (client.unwrap(), TcpStream::connect(&server).unwrap());
            let (mut request, mut to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            let (mut answer, mut to_client) = (server, client);
            // It ends with the connection.
            std::thread::spawn(move || std::io::copy(&mut request, &mut to_server));
            if number == 0 {
                assert!(answer.read(&mut [0; 1024]).unwrap() > 0, "the server has answered");
                to_client.shutdown(std::net::Shutdown::Both).unwrap();
            } else {
                std::thread::spawn(move || std::io::copy(&mut answer, &mut to_client));
            }
        }
    });
    address
}

#[test]
fn a_produce_whose_answer_was_lost_is_tried_again_and_in_the_queue_once() {
    let bed = Bed::new();
    bed.done(&["queue", "create", "orders"]);
    let mut produce = crate::bed::command(&["produce", "orders", "the payload"]);
    produce.env("REDRIVE_SERVER", format!("http://{}", lossy(&bed.address)));
    let ran = crate::outcome(produce.spawn().unwrap());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ids(&bed).len(), 1);
}
