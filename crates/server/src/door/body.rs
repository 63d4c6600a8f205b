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

/// The whole body, if it is no larger than `bytes_max`.
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
    let Some(second) = next(&mut body).await? else { return Ok(first) };
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
    use super::size;

    #[test]
    fn limits_are_written_as_the_wire_has_them() {
        let sizes = [5_000_000, 512_000, 64_000_000, 256_000, 4_096, 512, 999, 1_000];
        let texts = ["5.0MB", "500.0KiB", "61.0MiB", "250.0KiB", "4.0KiB", "512B", "999B", "1.0kB"];
        assert_eq!(sizes.map(size), texts);
    }
}
