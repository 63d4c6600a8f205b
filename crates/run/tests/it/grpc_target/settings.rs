//! The validation of the settings.

use redrive_core::Span;
use redrive_run::{GrpcSettings, GrpcTarget};

use super::METHOD;

fn rejection(change: impl FnOnce(&mut GrpcSettings)) -> String {
    let mut settings = GrpcSettings::new("http://localhost:50051", METHOD);
    change(&mut settings);
    GrpcTarget::new(&settings).unwrap_err().to_string()
}

#[test]
fn an_invalid_endpoint_is_rejected_with_the_allowed_form() {
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
        assert_eq!(rejection(|settings| settings.endpoint = endpoint.to_owned()), expected);
    }
}

#[test]
fn an_invalid_method_path_is_rejected() {
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
        assert_eq!(rejection(|settings| settings.method = method.to_owned()), expected);
    }
    for method in ["/Service/Method", "/a.b_1.Service/Method_2"] {
        GrpcTarget::new(&GrpcSettings::new("http://localhost", method)).unwrap();
    }
}

#[test]
fn invalid_metadata_is_rejected_without_showing_its_value() {
    let value = rejection(|settings| settings.metadata.push(("authorization".into(), "s3cret\n".into())));
    assert_eq!(value, "metadata.authorization is invalid: '…'; allowed: visible ASCII characters and spaces");
    for name in ["grpc-timeout", "te", "redrive-id", "x-bin", "content-type"] {
        let rejection = rejection(|settings| settings.metadata.push((name.into(), "x".into())));
        let expected = "; allowed: a name that is not set by the connection or by every call";
        assert!(rejection.ends_with(expected), "{rejection}");
    }
}

#[test]
fn limits_out_of_range_are_rejected() {
    let zero = rejection(|settings| settings.connect_timeout = Span::ZERO);
    assert!(zero.starts_with("connect_timeout is invalid: "), "{zero}");
    let long = rejection(|settings| settings.deadline = Some(Span::from_days(2)));
    assert!(long.starts_with("deadline is invalid: "), "{long}");
    let none = rejection(|settings| settings.message_bytes_max = 0);
    assert!(none.starts_with("message_bytes_max is invalid: '0'"), "{none}");
}

#[test]
fn a_target_can_be_created_without_a_runtime() {
    GrpcTarget::new(&GrpcSettings::new("http://localhost:1", METHOD)).unwrap();
}
