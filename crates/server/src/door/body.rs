//! Reading a body that may be too large, or never come.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};

use crate::fault::{Code, Fault};

/// A sender that sends nothing for so long has gone.
const PATIENCE: Duration = Duration::from_secs(30);
/// So much beyond its limit is still read of a body that is too large: a sender that is cut off may never see why.
const DRAINED_BYTES_MAX: usize = 16 << 20;

/// The whole body, if it is no larger than `bytes_max`, in memory of its own.
///
/// What comes from a connection is a piece of its buffer, which is many times as large as a small body: an item that
/// stays at hand would hold all of it, and every request would need a new one.
pub(super) async fn read(mut body: Incoming, bytes_max: usize) -> Result<Bytes, Fault> {
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > bytes_max {
        drain(body, bytes_max).await;
        return Err(too_large(bytes_max));
    }
    let Some(first) = next(&mut body).await? else { return Ok(Bytes::new()) };
    if first.len() > bytes_max {
        drain(body, bytes_max).await;
        return Err(too_large(bytes_max));
    }
    let Some(second) = next(&mut body).await? else { return Ok(Bytes::copy_from_slice(&first)) };
    let mut whole = BytesMut::with_capacity(announced.max(first.len() + second.len()).min(bytes_max));
    whole.extend_from_slice(&first);
    let mut piece = Some(second);
    while let Some(more) = piece {
        if whole.len() + more.len() > bytes_max {
            drain(body, bytes_max).await;
            return Err(too_large(bytes_max));
        }
        whole.extend_from_slice(&more);
        piece = next(&mut body).await?;
    }
    Ok(whole.freeze())
}

/// The next piece; trailers are passed over.
async fn next(body: &mut Incoming) -> Result<Option<Bytes>, Fault> {
    loop {
        match tokio::time::timeout(PATIENCE, body.frame()).await {
            Err(_) => return Err(broken("the request body did not come in time")),
            Ok(None) => return Ok(None),
            Ok(Some(Err(_))) => return Err(broken("the request body ended before its end")),
            Ok(Some(Ok(frame))) => {
                if let Ok(data) = frame.into_data() {
                    return Ok(Some(data));
                }
            }
        }
    }
}

async fn drain(mut body: Incoming, bytes_max: usize) {
    let mut left = bytes_max.saturating_add(DRAINED_BYTES_MAX);
    while let Ok(Some(piece)) = next(&mut body).await {
        let Some(rest) = left.checked_sub(piece.len()) else { return };
        left = rest;
    }
}

fn broken(message: &'static str) -> Fault {
    Fault::new(Code::ContentError, message)
}

fn too_large(bytes_max: usize) -> Fault {
    Fault::bad(format!("request body exceeds {} limit", size(bytes_max)))
}

/// A size with its unit: binary, where the limit is a whole number of them.
fn size(bytes: usize) -> String {
    let (unit, [kilo, mega]) = if bytes.is_multiple_of(1024) { (1024, ["KiB", "MiB"]) } else { (1000, ["kB", "MB"]) };
    // Limits are far below what a float can tell apart.
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let times = |unit: usize| bytes as f64 / unit as f64;
    if bytes >= unit * unit {
        format!("{:.1}{mega}", times(unit * unit))
    } else if bytes >= unit {
        format!("{:.1}{kilo}", times(unit))
    } else {
        format!("{bytes}B")
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http_body_util::Empty;
    use hyper::Response;
    use hyper::body::Incoming;
    use hyper::service::service_fn;
    use hyper_util::rt::TokioIo;
    use tokio::io::AsyncWriteExt;
    use tokio::sync::mpsc;

    use super::{read, size};

    #[tokio::test]
    async fn a_body_does_not_hold_the_buffer_of_its_connection() {
        let (mut caller, served) = tokio::io::duplex(1 << 20);
        let (bodies, mut came) = mpsc::channel(1);
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let bodies = bodies.clone();
            async move {
                bodies.send(read(request.into_body(), 1 << 20).await).await.unwrap();
                Ok::<_, std::convert::Infallible>(Response::new(Empty::<Bytes>::new()))
            }
        });
        let connection = hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(served), service);
        let connection = tokio::spawn(connection);
        for len in [3, 1_000, 100_000] {
            let head = format!("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: {len}\r\n\r\n");
            caller.write_all(head.as_bytes()).await.unwrap();
            caller.write_all(&vec![7; len]).await.unwrap();
            let body = came.recv().await.unwrap().unwrap_or_else(|fault| panic!("{fault:?}"));
            assert_eq!(body, vec![7; len]);
            let room = body.try_into_mut().expect("nobody else has it").capacity();
            assert!(room < len * 2, "a body of {len} bytes holds {room}");
        }
        drop(caller);
        connection.await.unwrap().unwrap();
    }

    #[test]
    fn limits_are_written_as_the_wire_has_them() {
        let sizes = [5_000_000, 512_000, 64_000_000, 256_000, 4_096, 512, 999, 1_000];
        let texts = ["5.0MB", "500.0KiB", "61.0MiB", "250.0KiB", "4.0KiB", "512B", "999B", "1.0kB"];
        assert_eq!(sizes.map(size), texts);
    }
}
