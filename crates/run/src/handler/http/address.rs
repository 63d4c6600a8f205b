//! URLs in texts that people read.

use url::Url;

use crate::handler::wire::shown;

/// A URL as it may be shown: without user, password, query and fragment, where secrets stand.
pub(super) fn without_secrets(mut url: Url) -> Url {
    url.set_query(None);
    url.set_fragment(None);
    // Only a URL that cannot have a user refuses to have none.
    let _has_no_user = (url.set_username(""), url.set_password(None));
    url
}

/// The same as a text.
pub(super) fn shown_url(url: &Url) -> String {
    without_secrets(url.clone()).into()
}

/// The same for what may be no URL at all.
pub(super) fn shown_text(text: &str) -> String {
    Url::parse(text).map_or_else(|_| shown(text), |url| shown_url(&url))
}

#[cfg(test)]
mod tests {
    use super::shown_text;

    #[test]
    fn a_url_is_shown_without_what_may_be_secret_and_with_all_of_its_path() {
        assert_eq!(shown_text("https://ann:pass@host:8080/@me/x@y?token=1#x"), "https://host:8080/@me/x@y");
        assert_eq!(shown_text("unix:/run/socket"), "unix:/run/socket");
    }

    #[test]
    fn what_is_no_url_shows_rather_too_little() {
        assert_eq!(shown_text("https://ann:pa/ss@host/@me"), "https://me");
    }
}
