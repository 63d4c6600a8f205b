//! Rejects requests that a browser sends on behalf of another site.
//!
//! A web page can make a browser call any server that the browser can reach, also one on the user's own machine. Such a
//! request names the other site in `Origin`; or in `Host`, if the page's own host name resolves to this machine (DNS
//! rebinding).

use std::net::IpAddr;

use http::header::{HOST, HeaderName, ORIGIN};
use http::uri::Authority;
use http::{HeaderMap, Uri};

use crate::api_error::{ApiError, Code};

/// Checks that a request names this server as its host, and that it comes from a page of this server, from an allowed
/// origin or from no page at all.
pub(super) fn check(uri: &Uri, headers: &HeaderMap, hosts: &[String], origins: &[String]) -> Result<(), ApiError> {
    let named = uri.authority().map(ToString::to_string).or_else(|| text(headers, &HOST));
    if let Some(host) = &named
        && !is_own(host, hosts)
    {
        let message = format!("host '{host}' is not this server's; add its name to server.hosts");
        return Err(ApiError::new(Code::Forbidden, message).because("host_not_allowed"));
    }
    match text(headers, &ORIGIN) {
        Some(origin) if !is_allowed(&origin, named.as_deref(), origins) => {
            let message = format!("origin '{origin}' may not call this server; add it to server.origins");
            Err(ApiError::new(Code::Forbidden, message).because("origin_not_allowed"))
        }
        _ => Ok(()),
    }
}

/// Whether a host is this server's. An IP address always is: no DNS name of another site can stand for it.
fn is_own(named: &str, hosts: &[String]) -> bool {
    let Ok(authority) = named.parse::<Authority>() else { return false };
    let host = authority.host();
    let address = host.trim_start_matches('[').trim_end_matches(']');
    let is_name = |name: &str| host.eq_ignore_ascii_case(name);
    address.parse::<IpAddr>().is_ok() || is_name("localhost") || hosts.iter().any(|name| is_name(name))
}

fn is_allowed(origin: &str, host: Option<&str>, origins: &[String]) -> bool {
    let of = origin.split_once("://").map(|(_, of)| of);
    let is_own = of.zip(host).is_some_and(|(of, host)| of.eq_ignore_ascii_case(host));
    is_own || origins.iter().any(|allowed| allowed.eq_ignore_ascii_case(origin))
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::{is_allowed, is_own};

    #[test]
    fn addresses_and_localhost_are_always_allowed_and_names_must_be_listed() {
        let hosts = ["redrive.example".to_owned()];
        for own in
            ["127.0.0.1", "10.1.2.3:2319", "[::1]", "[::1]:2319", "localhost:1", "LOCALHOST", "Redrive.Example:80"]
        {
            assert!(is_own(own, &hosts), "{own}");
        }
        for foreign in ["", "evil.example", "127.0.0.1.evil.example", "localhost.evil", "redrive.example.evil", "a b"] {
            assert!(!is_own(foreign, &hosts), "{foreign}");
        }
    }

    #[test]
    fn a_page_of_this_server_or_of_a_listed_site_may_call() {
        let origins = ["https://console.example".to_owned()];
        for allowed in ["http://127.0.0.1:2319", "https://127.0.0.1:2319", "https://console.example"] {
            assert!(is_allowed(allowed, Some("127.0.0.1:2319"), &origins), "{allowed}");
        }
        for foreign in ["null", "", "http://127.0.0.1:3000", "http://console.example", "https://evil.example"] {
            assert!(!is_allowed(foreign, Some("127.0.0.1:2319"), &origins), "{foreign}");
        }
        assert!(!is_allowed("https://evil.example", None, &origins));
    }
}
