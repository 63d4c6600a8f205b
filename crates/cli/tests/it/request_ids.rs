//! A put with a request id whose response was lost is repeated, and its items are in the queue once.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::test_server::{TestServer, folder};

fn serve(folder: &Path) -> Command {
    let mut serve = crate::test_server::command(&["serve", "--listen", "127.0.0.1:0", "--data-dir", "data"]);
    serve.current_dir(folder);
    serve
}

/// Sends a put without waiting for the response.
fn send(server: &TestServer, put: &Value) -> TcpStream {
    let body = put.to_string();
    let (address, length) = (&server.address, body.len());
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

fn ids(server: &TestServer) -> Vec<Value> {
    server.objects(&["items", "list", "orders"]).into_iter().map(|item| item["id"].clone()).collect()
}

#[test]
fn a_put_that_is_repeated_after_a_crash_is_in_the_queue_once() {
    let folder = folder("request-id-killed");
    let put = json!({
        "queue_name": "orders", "request_timeout": "1m", "request_id": "r-1",
        "items": [{ "utf8": "one" }, { "utf8": "two" }],
    });
    let mut server = TestServer::start(serve(folder.path()));
    server.run_ok(&["queue", "create", "orders"]);
    let unread = send(&server, &put);
    // Listed items are durable.
    while ids(&server).is_empty() {}
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    drop(unread);

    let server = TestServer::start(serve(folder.path()));
    let stored = ids(&server);
    let again = answer(send(&server, &put));
    let answered: Vec<Value> = again["items"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect();
    assert_eq!((stored.len(), &answered), (2, &stored), "the response is the lost one");
    assert_eq!(ids(&server), stored, "no item is stored twice");
}

/// A proxy that drops the response on the first connection, and forwards all others.
fn lossy(server: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let server = server.to_owned();
    std::thread::spawn(move || {
        for (number, client) in listener.incoming().enumerate() {
            let (client, server) = (client.unwrap(), TcpStream::connect(&server).unwrap());
            let (mut request, mut to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            let (mut answer, mut to_client) = (server, client);
            // Ends with the connection.
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
fn a_produce_whose_response_was_lost_is_retried_and_in_the_queue_once() {
    let server = TestServer::new();
    server.run_ok(&["queue", "create", "orders"]);
    let mut produce = crate::test_server::command(&["produce", "orders", "the payload"]);
    produce.env("REDRIVE_SERVER", format!("http://{}", lossy(&server.address)));
    crate::outcome(produce.spawn().unwrap()).succeeded();
    assert_eq!(ids(&server).len(), 1);
}
