//! Stored error texts.

/// Maximum length of a stored error text, in bytes.
pub(crate) const ERROR_BYTES_MAX: usize = 8 << 10;

/// The part of an error text that is stored.
pub(crate) fn bounded_error(error: &str) -> &str {
    &error[..error.floor_char_boundary(ERROR_BYTES_MAX)]
}
