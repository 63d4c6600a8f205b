//! A proxy that replaces every sentence of a server by `x`: a program that chooses by a sentence chooses differently behind
//! it.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

use redrive_client::proto::duh::v1::Reply;
use redrive_client::proto::prost::Message;
use redrive_client::proto::redrive::v1::{QueueExtendResponse, QueueSettleResponse, Refused};

/// Listens until the test process ends.
#[derive(Debug)]
pub(crate) struct BlankProxy {
    pub(crate) address: SocketAddr,
}

impl BlankProxy {
    pub(crate) fn new(server: SocketAddr) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            for client in listener.incoming() {
                let client = client.unwrap();
                // It returns when one of the two has closed its connection.
                thread::spawn(move || pass(client, TcpStream::connect(server).unwrap()));
            }
        });
        Self { address }
    }
}

fn pass(mut client: TcpStream, mut server: TcpStream) -> Option<()> {
    loop {
        let request = HttpMessage::read(&mut client)?;
        request.write(&mut server)?;
        HttpMessage::read(&mut server)?.without_sentences(&request.head).write(&mut client)?;
    }
}

struct HttpMessage {
    /// Without the empty line at its end.
    head: String,
    body: Vec<u8>,
}

impl HttpMessage {
    fn read(stream: &mut TcpStream) -> Option<Self> {
        let mut bytes = Vec::new();
        while !bytes.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).ok()?;
            bytes.extend(byte);
        }
        let head = String::from_utf8(bytes).unwrap().trim_end().to_owned();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
        stream.read_exact(&mut body).ok()?;
        Some(Self { head, body })
    }

    fn write(&self, stream: &mut TcpStream) -> Option<()> {
        stream.write_all(&[self.head.as_bytes(), b"\r\n\r\n", &self.body].concat()).ok()
    }

    fn without_sentences(self, request: &str) -> Self {
        let is_ok = self.head.starts_with("HTTP/1.1 200");
        let body = if !is_ok {
            let reply = Reply::decode(&*self.body).unwrap();
            assert!(!reply.message.is_empty(), "{reply:?}");
            Reply { message: "x".to_owned(), ..reply }.encode_to_vec()
        } else if request.starts_with("POST /v1/queue.settle ") {
            let mut answer = QueueSettleResponse::decode(&*self.body).unwrap();
            answer.items.iter_mut().for_each(|item| blank(item.refused.as_mut()));
            answer.encode_to_vec()
        } else if request.starts_with("POST /v1/queue.extend ") {
            let mut answer = QueueExtendResponse::decode(&*self.body).unwrap();
            answer.items.iter_mut().for_each(|item| blank(item.refused.as_mut()));
            answer.encode_to_vec()
        } else {
            self.body
        };
        let lines = self.head.lines().filter(|line| !line.starts_with("content-length: "));
        let length = format!("content-length: {}", body.len());
        Self { head: lines.chain([length.as_str()]).collect::<Vec<_>>().join("\r\n"), body }
    }
}

fn blank(refused: Option<&mut Refused>) {
    refused.into_iter().for_each(|refused| refused.message = "x".to_owned());
}
