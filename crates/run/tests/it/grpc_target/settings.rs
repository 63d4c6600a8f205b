//! What can be configured, and what cannot.

use redrive_core::Span;
use redrive_run::{GrpcSettings, GrpcTarget};

use super::METHOD;

fn refusal(change: impl FnOnce(&mut GrpcSettings)) -> String {
    let mut settings = GrpcSettings::new("http://localhost:50051", METHOD);
    change(&mut settings);
    GrpcTarget::new(&settings).unwrap_err().to_string()
}

#[test]
fn a_server_that_cannot_be_called_is_refused_with_what_is_allowed() {
    for (endpoint, shown) in [
        ("", ""),
        ("orders", "orders"),
        ("localhost:50051", "localhost:50051"),
        ("/in", "/in"),
        ("http://", "http://"),
        ("grpc://host:1", "grpc://host:1"),
        ("http://host:1/path", "http://host:1/path"),
        ("http://host:1?token=t0ken", "http://host:1"),
        ("http://ann:s3cret@host:1", "http://host:1"),
    ] {
        let expected = format!(
            "endpoint is invalid: '{shown}'; allowed: http or https, a host and a port, without user and path, as in \
             https://host:8443"
        );
        assert_eq!(refusal(|settings| settings.endpoint = endpoint.to_owned()), expected);
    }
}

#[test]
fn a_path_that_is_no_method_is_refused() {
    for method in [
        "",
        "/",
        "Method",
        "Service/Method",
        "/Method",
        "/Service/",
        "//Method",
        "/a.Service/Method/",
        "/a..S/M",
        "/.S/M",
        "/1.S/M",
        "/a.S/M?x=1",
        "/a.S/M N",
        "/a.S/\u{e4}",
    ] {
        let expected = format!("method is invalid: '{method}'; allowed: /package.Service/Method");
        assert_eq!(refusal(|settings| settings.method = method.to_owned()), expected);
    }
    for method in ["/Service/Method", "/a.b_1.Service/Method_2"] {
        GrpcTarget::new(&GrpcSettings::new("http://localhost", method)).unwrap();
    }
}

#[test]
fn metadata_that_cannot_be_sent_is_refused_without_its_value() {
    let value = refusal(|settings| settings.metadata.push(("authorization".into(), "s3cret\n".into())));
    assert_eq!(value, "metadata[0].value is invalid: '…'; allowed: visible ASCII characters and spaces");
    for name in ["grpc-timeout", "te", "redrive-id", "x-bin", "content-type"] {
        let refusal = refusal(|settings| settings.metadata.push((name.into(), "x".into())));
        let expected = "; allowed: a name that is not set by the connection or by every call";
        assert!(refusal.ends_with(expected), "{refusal}");
    }
}

#[test]
fn bounds_are_bounded() {
    let zero = refusal(|settings| settings.connect_timeout = Span::ZERO);
    assert!(zero.starts_with("connect_timeout is invalid: "), "{zero}");
    let long = refusal(|settings| settings.deadline = Some(Span::from_days(2)));
    assert!(long.starts_with("deadline is invalid: "), "{long}");
    let none = refusal(|settings| settings.message_bytes_max = 0);
    assert!(none.starts_with("message_bytes_max is invalid: '0'"), "{none}");
}

#[test]
fn a_target_needs_no_runtime_to_be_set_up() {
    GrpcTarget::new(&GrpcSettings::new("http://localhost:1", METHOD)).unwrap();
}
