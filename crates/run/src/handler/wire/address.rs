//! Addresses in error texts.

/// An address without user, password, query and fragment, which may hold secrets.
///
/// It works on text, since the configured value may not be a valid address. If it is unclear which part is the user, too much
/// is hidden rather than too little.
pub(crate) fn shown(address: &str) -> String {
    let bare = address.split(['?', '#']).next().unwrap_or_default();
    let (scheme, rest) = bare.split_once("://").map_or(("", bare), |(scheme, rest)| (scheme, rest));
    let rest = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
    if scheme.is_empty() { rest.to_owned() } else { format!("{scheme}://{rest}") }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_shown_address_has_no_user_password_query_or_fragment() {
        assert_eq!(shown("https://ann:pass@host:8080/a/b?token=1#x"), "https://host:8080/a/b");
        assert_eq!(shown("https://ann:p@ss/word@host/a"), "https://host/a");
        assert_eq!(shown("https://host/a"), "https://host/a");
    }

    #[test]
    fn an_invalid_address_shows_no_secrets_either() {
        assert_eq!(shown("ann:pass@host"), "host");
        assert_eq!(shown("host?token=1"), "host");
        assert_eq!(shown(""), "");
        assert_eq!(shown("ftp://user:pass@"), "ftp://");
    }
}
