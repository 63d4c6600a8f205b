//! Syntax and classification of media types.

/// Whether a text is a media type: two tokens with a slash between them, and optional parameters.
pub(super) fn is_media_type(text: &str) -> bool {
    let (essence, parameters) = text.split_once(';').unwrap_or((text, "x=y"));
    let is_essence = essence.trim_end().split_once('/').is_some_and(|(kind, name)| is_token(kind) && is_token(name));
    is_essence && parameters.contains('=') && parameters.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
}

/// Whether content of this media type is readable text.
pub(super) fn is_textual(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let readable = ["application/json", "application/xml", "application/x-www-form-urlencoded"];
    let suffixes = ["+json", "+xml"];
    essence.starts_with("text/")
        || readable.contains(&essence.as_str())
        || suffixes.iter().any(|suffix| essence.ends_with(suffix))
}

#[cfg(test)]
mod tests {
    use super::{is_media_type, is_textual};

    #[test]
    fn media_types_are_recognized() {
        for is in
            ["application/json", "text/plain; charset=utf-8", "text/plain;charset=\"utf 8\"", "a/b+c", "x/y ; z=1"]
        {
            assert!(is_media_type(is), "{is}");
        }
        for is_not in
            ["", "json", "/", "a/", "/b", "a/b/c", "a b/c", "a/b;", "a/b;x", "a/b\r\nx: y", "a/b; x=\r\ny: z", "é/b"]
        {
            assert!(!is_media_type(is_not), "{is_not}");
        }
    }

    #[test]
    fn textual_media_types_are_recognized() {
        for textual in ["text/html", "Application/JSON; charset=utf-8", "application/problem+json", "image/svg+xml"] {
            assert!(is_textual(textual), "{textual}");
        }
        for binary in ["application/octet-stream", "image/png", ""] {
            assert!(!is_textual(binary), "{binary}");
        }
    }
}
