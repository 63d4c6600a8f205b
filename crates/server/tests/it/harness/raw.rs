//! A TCP connection that a test writes byte by byte.

use std::net::SocketAddr;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::Response;

pub(crate) struct RawConnection {
    pub(crate) stream: TcpStream,
    read: Vec<u8>,
}

impl RawConnection {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        Self { stream: TcpStream::connect(address).await.unwrap(), read: Vec::new() }
    }

    /// Writes bytes; returns false if the server has closed the connection. A test that needs the reason reads the response.
    pub(crate) async fn write(&mut self, bytes: impl AsRef<[u8]>) -> bool {
        self.stream.write_all(bytes.as_ref()).await.is_ok()
    }

    /// Writes a complete JSON request.
    pub(crate) async fn post(&mut self, path: &str, body: &str) -> bool {
        self.write(request(path, body)).await
    }

    /// Reads the next response. `None` if the connection ends first.
    pub(crate) async fn response(&mut self) -> Option<Response> {
        let end = loop {
            if let Some(at) = self.read.windows(4).position(|four| four == b"\r\n\r\n") {
                break at;
            }
            self.more().await?;
        };
        let head = String::from_utf8(self.read[..end].to_vec()).unwrap();
        let mut lines = head.split("\r\n");
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        let mut headers = HeaderMap::new();
        for line in lines {
            let (name, value) = line.split_once(':').unwrap();
            headers
                .append(HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value.trim()).unwrap());
        }
        let length: usize = headers.get("content-length").map_or(0, |value| value.to_str().unwrap().parse().unwrap());
        while self.read.len() < end + 4 + length {
            self.more().await?;
        }
        let body = Bytes::copy_from_slice(&self.read[end + 4..end + 4 + length]);
        self.read.drain(..end + 4 + length);
        Some(Response {
            path: String::new(),
            status: StatusCode::from_bytes(status.as_bytes()).unwrap(),
            headers,
            body,
        })
    }

    /// Whether the server closes the connection without sending anything more.
    pub(crate) async fn is_ended(&mut self) -> bool {
        self.read.is_empty() && self.more().await.is_none()
    }

    /// Reads more bytes; returns false at the end of the connection.
    pub(crate) async fn more_until_end(&mut self) -> bool {
        self.more().await.is_some()
    }

    async fn more(&mut self) -> Option<()> {
        match self.stream.read_buf(&mut self.read).await {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(()),
        }
    }
}

fn request(path: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}
