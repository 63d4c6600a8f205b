//! Define classification rules: which category an error has, and when it is retried.
//!
//! Rules are evaluated in order, before the built-in ones. Their condition is a regular expression or a CEL expression.
//! They are checked when they are loaded, and an error names the field, the value and what is allowed.
//!
//! Run it with `cargo run -p redrive --example rules`.
//!
//! Output:
//!
//! ```text
//! upgrade in progress, 3 of 7 nodes
//!   transient by user:deploy
//!   retry at 2026-11-15T12:01:30.000Z
//! payment required
//!   permanent by http:402
//!   dead-letter: failed as permanent (rule http:402), which is not retried automatically
//! payment required
//!   resource by user:late-payer
//!   retry at 2026-11-15T12:05:00.000Z
//! connection reset by peer
//!   network by phrase:reset by peer
//!   retry at 2026-11-15T12:01:00.000Z
//! rules[0].category is invalid: 'temporary'; allowed: transient, network, resource, permission, validation, permanent
//! ```

use std::error::Error;
use std::sync::Arc;

use redrive::core::{Attempts, Classifier, Evidence, Failure, Policy, RuleSpec, Time};

fn main() -> Result<(), Box<dyn Error>> {
    let rules = [
        // The message alone would be classified as permanent.
        RuleSpec {
            name: "deploy".to_owned(),
            regex: Some("^upgrade in progress".to_owned()),
            category: Some("transient".to_owned()),
            delay: Some("90s".to_owned()),
            ..RuleSpec::default()
        },
        // One customer pays late, and gets twenty retries with increasing delays.
        RuleSpec {
            name: "late-payer".to_owned(),
            when: Some("http == 402 && 'customer' in metadata && metadata.customer == 'acme'".to_owned()),
            category: Some("resource".to_owned()),
            policy: Some("linear".to_owned()),
            max_retries: Some("20".to_owned()),
            ..RuleSpec::default()
        },
    ];
    let classifier = Arc::new(Classifier::with_rules(&rules)?);
    let policy = Policy::builder().max_attempts(3).classifier(classifier).build()?;

    let unpaid = Failure::new("payment required").with_evidence(Evidence::http(402));
    let mut unpaid_by_acme = unpaid.clone();
    unpaid_by_acme.metadata.insert("customer".to_owned(), "acme".into());
    let failures = [
        Failure::new("upgrade in progress, 3 of 7 nodes"),
        unpaid,
        unpaid_by_acme,
        Failure::new("connection reset by peer"),
    ];

    // A policy reads no clock: the same failure at the same time gives the same decision.
    let now: Time = "2026-11-15T12:00:00Z".parse()?;
    for failure in &failures {
        let decided = policy.decide(failure, Attempts::charged(1, now), now, 0);
        println!("{failure}");
        println!("  {} by {}", decided.classification.category, decided.classification.rule);
        println!("  {}", decided.decision);
    }

    let wrong = RuleSpec { category: Some("temporary".to_owned()), ..rules[0].clone() };
    if let Err(error) = Classifier::with_rules(&[wrong]) {
        println!("{error}");
    }
    Ok(())
}
