//! What can be configured, and what cannot.

use redrive_core::Span;
use redrive_run::{HttpSettings, HttpTarget};

fn refusal(change: impl FnOnce(&mut HttpSettings)) -> String {
    let mut settings = HttpSettings::new("http://localhost:8080/in");
    change(&mut settings);
    HttpTarget::new(&settings).unwrap_err().to_string()
}

#[test]
fn an_address_that_cannot_be_called_is_refused_with_what_is_allowed() {
    for (url, shown) in [
        ("", ""),
        ("orders", "orders"),
        ("/in", "/in"),
        ("http://", "http://"),
        ("ftp://host/in", "ftp://host/in"),
        ("file:///etc/passwd", "file:///etc/passwd"),
        ("unix:/run/socket", "unix:/run/socket"),
        ("http://host:99999/in", "http://host:99999/in"),
        ("http://ann:s3cret@host:99999/in?token=t0ken", "http://host:99999/in"),
    ] {
        let expected = format!(
            "url is invalid: '{shown}'; allowed: an http or https url with a host, as in https://host:8443/path"
        );
        assert_eq!(refusal(|settings| settings.url = url.to_owned()), expected);
    }
}

#[test]
fn a_method_without_a_body_is_refused() {
    for method in ["GET", "HEAD", "CONNECT", "P OST", ""] {
        let expected = format!("method is invalid: '{method}'; allowed: POST, PUT, PATCH, DELETE");
        assert_eq!(refusal(|settings| settings.method = method.to_owned()), expected);
    }
}

#[test]
fn a_header_that_cannot_be_sent_is_refused_without_its_value() {
    let name = refusal(|settings| settings.headers.push(("authorization: Bearer s3cret".into(), "".into())));
    assert_eq!(
        name,
        "headers[0].name is invalid: 'authorization'; allowed: the name of a header: letters, digits and dashes"
    );
    let value = refusal(|settings| settings.headers.push(("authorization".into(), "s3cret\r\nx: y".into())));
    assert_eq!(value, "headers[0].value is invalid: '…'; allowed: visible ASCII characters and spaces");
}

#[test]
fn a_header_that_belongs_to_the_call_is_refused() {
    for name in ["Redrive-Id", "Idempotency-Key", "Content-Length", "Host", "Connection", "Transfer-Encoding"] {
        let refusal = refusal(|settings| settings.headers.push((name.into(), "x".into())));
        let expected = "; allowed: a name that is not set by the connection or by every call";
        assert!(refusal.ends_with(expected), "{refusal}");
    }
}

#[test]
fn a_user_in_the_address_and_in_a_header_is_a_contradiction() {
    let refusal = refusal(|settings| {
        settings.url = "http://ann:s3cret@host/".to_owned();
        settings.headers.push(("Authorization".into(), "Bearer t0ken".into()));
    });
    assert_eq!(refusal, "url is invalid: 'http://host/'; allowed: no user, where headers have an authorization");
}

#[test]
fn bounds_are_bounded() {
    let zero = refusal(|settings| settings.connect_timeout = Span::ZERO);
    assert!(zero.starts_with("connect_timeout is invalid: "), "{zero}");
    let long = refusal(|settings| settings.connect_timeout = Span::from_hours(1));
    assert!(long.ends_with("allowed: more than zero, up to 10m0s"), "{long}");
    let none = refusal(|settings| settings.body_bytes_max = 0);
    assert!(none.starts_with("body_bytes_max is invalid: '0'"), "{none}");
    let many = refusal(|settings| settings.headers = vec![("x".into(), "y".into()); 101]);
    assert_eq!(many, "headers is invalid: '101'; allowed: up to 100 of them");
}

#[test]
fn a_target_needs_no_runtime_to_be_set_up() {
    HttpTarget::new(&HttpSettings::new("http://localhost")).unwrap();
}
