//! URLs in error texts.

use url::Url;

use crate::handler::wire::shown;

/// Removes user, password, query and fragment, which may hold secrets.
pub(super) fn without_secrets(mut url: Url) -> Url {
    url.set_query(None);
    url.set_fragment(None);
    // These fail only for a URL that cannot have a user.
    let _has_no_user = (url.set_username(""), url.set_password(None));
    url
}

/// A URL as text, without secrets.
pub(super) fn shown_url(url: &Url) -> String {
    without_secrets(url.clone()).into()
}

/// A configured text without secrets, even if it is not a valid URL.
pub(super) fn shown_text(text: &str) -> String {
    Url::parse(text).map_or_else(|_| shown(text), |url| shown_url(&url))
}

#[cfg(test)]
mod tests {
    use super::shown_text;

    #[test]
    fn a_shown_url_has_its_whole_path_and_no_secrets() {
        assert_eq!(shown_text("https://ann:pass@host:8080/@me/x@y?token=1#x"), "https://host:8080/@me/x@y");
        assert_eq!(shown_text("unix:/run/socket"), "unix:/run/socket");
    }

    #[test]
    fn a_text_that_is_not_a_url_hides_too_much_rather_than_too_little() {
        assert_eq!(shown_text("https://ann:pa/ss@host/@me"), "https://me");
    }
}
