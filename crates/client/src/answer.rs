//! Reads answers.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, Response, StatusCode};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use redrive_proto::duh::v1::Reply;
use redrive_proto::prost::Message;

use crate::{ClientError, ServerError};

pub(crate) const PROTOBUF: &str = "application/protobuf";

/// Reads the answers of one server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'c> {
    pub(crate) address: &'c Arc<str>,
    pub(crate) bytes_max: usize,
}

impl Reader<'_> {
    /// Returns the encoded message of an answer, or the error that the server reported.
    pub(crate) async fn message(self, response: Response<Incoming>) -> Result<Bytes, ClientError> {
        let (head, body) = response.into_parts();
        let variant = ClientError::variant(head.status.as_u16());
        let is_ok = head.status == StatusCode::OK;
        let is_ours = is_protobuf(&head.headers);
        if is_ok && !is_ours {
            return Err(self.not_understood("it is not protobuf"));
        }
        if head.status == StatusCode::UPGRADE_REQUIRED {
            return Err(ClientError::TlsRequired { address: Arc::clone(self.address) });
        }
        if is_ok {
            return self.whole(body).await;
        }
        let Some(variant) = variant.filter(|_| is_ours) else {
            let status = head.status.as_u16();
            return Err(ClientError::Infrastructure { address: Arc::clone(self.address), status });
        };
        let reply: Reply = self.decode(self.whole(body).await?)?;
        Err(variant(ServerError::of_reply(reply, &head.headers)))
    }

    /// Decodes a message. Its payloads share the memory of the answer.
    pub(crate) fn decode<M: Message + Default>(self, body: Bytes) -> Result<M, ClientError> {
        M::decode(body).map_err(|_| self.not_understood("it is not the expected message"))
    }

    /// Returns the whole body in separate memory: a slice of the connection's buffer would keep all of that buffer as
    /// long as one of its payloads exists.
    pub(crate) async fn whole(self, mut body: Incoming) -> Result<Bytes, ClientError> {
        let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
        if announced > self.bytes_max {
            return Err(self.not_understood("it is too large"));
        }
        let Some(first) = self.next(&mut body).await? else { return Ok(Bytes::new()) };
        let Some(mut more) = self.next(&mut body).await? else { return Ok(Bytes::copy_from_slice(&first)) };
        let mut whole = BytesMut::with_capacity(announced.max(first.len() + more.len()));
        whole.extend_from_slice(&first);
        loop {
            if whole.len() + more.len() > self.bytes_max {
                return Err(self.not_understood("it is too large"));
            }
            whole.extend_from_slice(&more);
            match self.next(&mut body).await? {
                Some(next) => more = next,
                None => return Ok(whole.freeze()),
            }
        }
    }

    /// Returns the next chunk; trailers are skipped.
    async fn next(self, body: &mut Incoming) -> Result<Option<Bytes>, ClientError> {
        while let Some(frame) = body.frame().await {
            let frame = frame
                .map_err(|error| ClientError::Broken { address: Arc::clone(self.address), source: Arc::new(error) })?;
            match frame.into_data() {
                Ok(data) if data.len() <= self.bytes_max => return Ok(Some(data)),
                Ok(_) => return Err(self.not_understood("it is too large")),
                Err(_) => {}
            }
        }
        Ok(None)
    }

    pub(crate) fn not_understood(self, why: &'static str) -> ClientError {
        ClientError::NotUnderstood { address: Arc::clone(self.address), why }
    }
}

/// Ignores parameters after `;`.
fn is_protobuf(headers: &HeaderMap) -> bool {
    let given = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let name = given.split(';').next().unwrap_or_default().trim();
    name.eq_ignore_ascii_case(PROTOBUF)
}

#[cfg(test)]
mod tests {
    use http::Request;
    use http_body_util::Empty;
    use hyper_util::rt::TokioIo;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    #[tokio::test]
    async fn an_answer_does_not_keep_the_buffer_of_its_connection() {
        let (own, mut server) = tokio::io::duplex(1 << 20);
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(own)).await.unwrap();
        let connection = tokio::spawn(connection);
        let address = Arc::from("there");
        let reader = Reader { address: &address, bytes_max: 1 << 20 };
        for len in [3, 1_000] {
            let answered = async {
                let _request = server.read(&mut [0; 1_000]).await.unwrap();
                let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {len}\r\n\r\n");
                server.write_all(head.as_bytes()).await.unwrap();
                server.write_all(&vec![7; len]).await.unwrap();
            };
            let (response, ()) = tokio::join!(sender.send_request(Request::new(Empty::<Bytes>::new())), answered);
            let body = reader.whole(response.unwrap().into_body()).await.unwrap();
            assert_eq!(body, vec![7; len]);
            let room = body.try_into_mut().expect("the only reference").capacity();
            assert!(room < len * 2, "an answer of {len} bytes holds {room}");
        }
        drop((sender, server));
        connection.await.unwrap().unwrap();
    }
}
