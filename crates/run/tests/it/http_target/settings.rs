//! The validation of the settings.

use redrive_core::Span;
use redrive_run::{HttpSettings, HttpTarget};

fn rejection(change: impl FnOnce(&mut HttpSettings)) -> String {
    let mut settings = HttpSettings::new("http://localhost:8080/in");
    change(&mut settings);
    HttpTarget::new(&settings).unwrap_err().to_string()
}

#[test]
fn an_invalid_url_is_rejected_with_the_allowed_form() {
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
        assert_eq!(rejection(|settings| settings.url = url.to_owned()), expected);
    }
}

#[test]
fn a_method_without_a_body_is_rejected() {
    for method in ["GET", "HEAD", "CONNECT", "P OST", ""] {
        let expected = format!("method is invalid: '{method}'; allowed: POST, PUT, PATCH, DELETE");
        assert_eq!(rejection(|settings| settings.method = method.to_owned()), expected);
    }
}

#[test]
fn an_invalid_header_is_rejected_without_showing_its_value() {
    let name = rejection(|settings| settings.headers.push(("authorization: Bearer s3cret".into(), "".into())));
    assert_eq!(name, "headers is invalid: 'authorization'; allowed: the name of a header: letters, digits and dashes");
    let value = rejection(|settings| settings.headers.push(("authorization".into(), "s3cret\r\nx: y".into())));
    assert_eq!(value, "headers.authorization is invalid: '…'; allowed: visible ASCII characters and spaces");
}

#[test]
fn a_reserved_header_is_rejected() {
    for name in ["Redrive-Id", "Idempotency-Key", "Content-Length", "Host", "Connection", "Transfer-Encoding"] {
        let rejection = rejection(|settings| settings.headers.push((name.into(), "x".into())));
        let expected = "; allowed: a name that is not set by the connection or by every call";
        assert!(rejection.ends_with(expected), "{rejection}");
    }
}

#[test]
fn credentials_in_both_the_url_and_a_header_are_rejected() {
    let rejection = rejection(|settings| {
        settings.url = "http://ann:s3cret@host/".to_owned();
        settings.headers.push(("Authorization".into(), "Bearer t0ken".into()));
    });
    assert_eq!(rejection, "url is invalid: 'http://host/'; allowed: no user, where headers have an authorization");
}

#[test]
fn limits_out_of_range_are_rejected() {
    let zero = rejection(|settings| settings.connect_timeout = Span::ZERO);
    assert!(zero.starts_with("connect_timeout is invalid: "), "{zero}");
    let long = rejection(|settings| settings.connect_timeout = Span::from_hours(1));
    assert!(long.ends_with("allowed: more than zero, up to 10m0s"), "{long}");
    let none = rejection(|settings| settings.body_bytes_max = 0);
    assert!(none.starts_with("body_bytes_max is invalid: '0'"), "{none}");
    let many = rejection(|settings| settings.headers = vec![("x".into(), "y".into()); 101]);
    assert_eq!(many, "headers is invalid: '101'; allowed: up to 100 of them");
}

#[test]
fn a_target_can_be_created_without_a_runtime() {
    HttpTarget::new(&HttpSettings::new("http://localhost")).unwrap();
}
