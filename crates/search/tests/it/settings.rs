//! Validation of settings, and secrets that are never shown.

use redrive_core::Span;
use redrive_search::{Credentials, Search, SearchSettings};

#[test]
fn secrets_are_never_shown() {
    let mut settings = SearchSettings::new("https://search.internal:9200");
    settings.credentials = Credentials::Basic { user: "ann".to_owned(), password: "5ecret".into() };
    let shown = format!("{settings:?} {:?}", Search::new(&settings).unwrap());
    assert!(shown.contains("ann") && !shown.contains("5ecret"), "{shown}");
    settings.credentials = Credentials::ApiKey("5ecret".into());
    let shown = format!("{settings:?} {:?}", Search::new(&settings).unwrap());
    assert!(!shown.contains("5ecret"), "{shown}");
    settings.credentials = Credentials::ApiKey("5ecret\n".into());
    assert!(!Search::new(&settings).unwrap_err().to_string().contains("5ecret"));
    for url in
        ["https://ann:5ecret@host", "https://ann:5e/cret@host", "5ecret", "https://host/?key=5ecret", "ftp://5ecret"]
    {
        let invalid = SearchSettings::new(url).check().unwrap_err();
        assert_eq!(invalid.field, "url");
        assert!(!invalid.to_string().contains("5e"), "{invalid}");
    }
}

#[test]
fn invalid_settings_are_rejected_with_the_allowed_values() {
    type Change = fn(&mut SearchSettings);
    let wrong: [(&str, Change); 10] = [
        ("index", |settings| settings.index = "Upper".to_owned()),
        ("index", |settings| settings.index = "_all".to_owned()),
        ("index", |settings| settings.index = "a/../b".to_owned()),
        ("index", |settings| settings.index = String::new()),
        ("batch_documents", |settings| settings.batch_documents = 0),
        ("batch_bytes", |settings| settings.batch_bytes = 1),
        ("request_timeout", |settings| settings.request_timeout = Span::ZERO),
        ("backoff_min", |settings| settings.backoff_min = Span::from_hours(2)),
        ("backoff_max", |settings| settings.backoff_max = Span::from_days(2)),
        ("shards", |settings| settings.shards = 0),
    ];
    for (field, change) in wrong {
        let mut settings = SearchSettings::new("http://localhost:9200");
        change(&mut settings);
        let invalid = settings.check().unwrap_err();
        assert_eq!(invalid.field, field);
        assert!(!invalid.allowed.is_empty());
    }
    let mut settings = SearchSettings::new("https://localhost:9200");
    settings.ca_certificate = Some(b"no certificate".to_vec());
    assert_eq!(Search::new(&settings).unwrap_err().field, "ca_certificate");
}
