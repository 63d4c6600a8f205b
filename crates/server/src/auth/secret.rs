//! The secret of an API key. It is shown once; only its hash and its display prefix are stored.

use std::fmt;

use sha2::{Digest, Sha256};

const ENTROPY_BYTES: usize = 32;
/// Maximum digits of 32 bytes in base62; shorter numbers are padded.
const ENTROPY_CHARS: usize = 43;
/// Characters of the entropy that the display prefix includes, so that people can recognise a key.
const DISPLAYED_CHARS: usize = 8;
const TAG_CHARS_MAX: usize = 16;
const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// An API key: `<prefix>-<tag>-<entropy>`. It is never stored.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Secret {
    text: String,
    entropy_at: usize,
}

impl Secret {
    /// Generates a key from the randomness of the operating system.
    pub(crate) fn new(prefix: &str, tag: &str) -> Result<Self, getrandom::Error> {
        let mut entropy = [0; ENTROPY_BYTES];
        getrandom::fill(&mut entropy)?;
        let head = format!("{prefix}-{tag}-");
        Ok(Self { entropy_at: head.len(), text: head + &base62(entropy) })
    }

    /// Parses a key; `None` if the text does not have the format of keys.
    pub(crate) fn parse(text: &str, prefix: &str) -> Option<Self> {
        let (tag, entropy) = text.strip_prefix(prefix)?.strip_prefix('-')?.split_once('-')?;
        let is_tag = !tag.is_empty() && is_tag(tag);
        let is_entropy = entropy.len() >= ENTROPY_CHARS && entropy.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_tag && is_entropy).then(|| Self { entropy_at: text.len() - entropy.len(), text: text.to_owned() })
    }

    /// The whole key, for the caller that created it.
    pub(crate) fn reveal(&self) -> &str {
        &self.text
    }

    /// The first characters of the key, by which people recognise it.
    pub(crate) fn display_prefix(&self) -> &str {
        self.text.get(..self.entropy_at + DISPLAYED_CHARS).unwrap_or_default()
    }

    pub(crate) fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.text.as_bytes()).into()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secret({}…)", self.display_prefix())
    }
}

/// The format of keys with a prefix, for error messages.
pub(crate) fn key_format(prefix: &str) -> String {
    format!("{prefix}-<tag>-<at least {ENTROPY_CHARS} random letters and digits>")
}

/// Whether a text is a valid tag; the empty one is.
pub(crate) fn is_tag(tag: &str) -> bool {
    tag.len() <= TAG_CHARS_MAX && tag.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

fn base62(mut number: [u8; ENTROPY_BYTES]) -> String {
    let mut digits = [b'0'; ENTROPY_CHARS];
    for digit in digits.iter_mut().rev() {
        let mut rest = 0_u32;
        for byte in &mut number {
            let value = rest << 8 | u32::from(*byte);
            *byte = u8::try_from(value / 62).unwrap_or(u8::MAX);
            rest = value % 62;
        }
        *digit = DIGITS[rest as usize];
    }
    digits.iter().copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::{Secret, base62};

    #[test]
    fn all_bits_of_the_entropy_are_encoded() {
        assert_eq!(base62([0; 32]), "0".repeat(43));
        let mut small = [0; 32];
        small[31] = 61;
        assert!(base62(small).ends_with("00z"));
        small[30] = 1;
        assert!(base62(small).ends_with("057"), "{}", base62(small));
        assert_ne!(base62([0xFF; 32]).as_bytes()[0], b'0', "43 digits are just enough");
    }

    #[test]
    fn a_key_is_parsed_only_in_its_exact_format() {
        let secret = Secret::new("rdr", "live").unwrap();
        assert_eq!(Secret::parse(secret.reveal(), "rdr"), Some(secret.clone()));
        assert_eq!(secret.display_prefix().len(), "rdr-live-".len() + 8);
        assert_ne!(Secret::new("rdr", "live").unwrap(), secret);
        let entropy = "a".repeat(43);
        for bad in [
            "",
            "rdr",
            "rdr-live",
            "rdr-live-",
            "rdr-live-short",
            &format!("qtr-live-{entropy}"),
            &format!("rdr--{entropy}"),
            &format!("rdr-Live-{entropy}"),
            &format!("rdr-{}-{entropy}", "a".repeat(17)),
            &format!("rdr-live-{entropy}-"),
            &format!("rdr-live-{entropy}é"),
            &format!("rdrx-live-{entropy}"),
            &format!(" rdr-live-{entropy}"),
        ] {
            assert_eq!(Secret::parse(bad, "rdr"), None, "{bad}");
        }
    }
}
