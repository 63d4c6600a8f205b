//! Invalid configuration, and the errors that it gets.

use redrive_core::{
    Backoff, BackoffSpec, BreakerConfig, Classifier, Condition, ErrorMatcher, Factor, Fingerprint, Invalid, Jitter,
    Kind, Operand, Policy, PolicySpec, Problem, RuleSpec, Span, SqlState, Template, Time,
};

/// Builds a policy from its configuration form.
fn policy(json: &str) -> Result<Policy, Invalid> {
    serde_json::from_str::<PolicySpec>(json).expect("the fields are known").build()
}

#[track_caller]
fn assert_rejected(json: &str, field: &str, problem: Problem, value: &str, allowed: &str) {
    let error = policy(json).expect_err("invalid configuration");
    assert_eq!((error.field.as_str(), error.problem, error.value.as_str()), (field, problem, value), "{error}");
    assert!(error.allowed.contains(allowed), "{error}");
    let text = error.to_string();
    assert!(text.contains(field) && text.contains(&error.allowed), "{text}");
}

/// A policy with these fields in its default backoff.
fn backoff(fields: &str) -> String {
    format!(r#"{{"backoff":{{"default":{{{fields}}}}}}}"#)
}

/// A policy with a rule of these fields.
fn rule(fields: &str) -> String {
    format!(r#"{{"rules":[{{"name":"r",{fields}}}]}}"#)
}

#[test]
fn errors_of_unknown_names_list_the_known_names() {
    let unknown = Problem::UnknownName;
    assert_rejected(r#"{"strategy":"auto"}"#, "strategy", unknown, "auto", "automatic, selective, manual, disabled");
    assert_rejected(r#"{"template":"htp"}"#, "template", unknown, "htp", "http-api");
    let json = r#"{"backoff":{"netwrok":{"curve":"never"}}}"#;
    let names = "transient, network, resource, permission, validation, permanent, default";
    assert_rejected(json, "backoff", unknown, "netwrok", names);
    let json = r#"{"backoff":{"network":{"curve":"expo"}}}"#;
    assert_rejected(json, "backoff.network.curve", unknown, "expo", "exponential");
    assert_rejected(r#"{"include":["category:nope"]}"#, "include[0]", unknown, "nope", "transient");
    assert_rejected(r#"{"include":["rule:htp:429"]}"#, "include[0]", unknown, "rule:htp:429", "as in rule:http:429");
    let unknown_rule = r#"{"exclude":["rule:user:nope"],"rules":[{"name":"r","regex":"x"}]}"#;
    assert_rejected(unknown_rule, "exclude", unknown, "rule:user:nope", "rule:user:r");
    let rule = |field: &str| rule(&format!(r#""regex":"x",{field}"#));
    assert_rejected(&rule(r#""category":"nope""#), "rules[0].category", unknown, "nope", "transient");
    let json = rule(r#""policy":"sometimes""#);
    assert_rejected(&json, "rules[0].policy", unknown, "sometimes", "never, linear, exponential, immediate");
    assert_rejected(&rule(r#""policy":"custom""#), "rules[0].policy", unknown, "custom", "never, linear");
    let backoff = r#"{"backoff":{"nope":{"curve":"fixed"}}}"#;
    assert_rejected(backoff, "backoff", unknown, "nope", "transient, network");
    assert_rejected(&rule(r#""field":"payload""#), "rules[0].field", unknown, "payload", "message, type, code");
    let jitter = r#"{"backoff":{"default":{"curve":"fixed","first":"1s","jitter":{"kind":"some"}}}}"#;
    assert_rejected(jitter, "backoff.default.jitter.kind", unknown, "some", "none, additive, full, equal, spread");
}

#[test]
fn counts_and_sizes_out_of_range_are_rejected() {
    let range = Problem::OutOfRange;
    assert_rejected(r#"{"max_attempts":0}"#, "max_attempts", range, "0", "1 or more");
    assert_rejected(r#"{"max_attempts":"0"}"#, "max_attempts", range, "0", "unlimited");
    assert_rejected(r#"{"max_attempts":-3}"#, "max_attempts", Problem::Malformed, "-3", "1 or more");
    assert_rejected(r#"{"deadline":"0s"}"#, "deadline", range, "0s", "more than zero");
    for retries in ["101", "-1", "1.5"] {
        let json = format!(r#"{{"rules":[{{"name":"r","regex":"x","max_retries":{retries}}}]}}"#);
        assert_rejected(&json, "rules[0].max_retries", range, retries, "0 to 100");
    }
    assert_rejected(r#"{"max_attempts":1.5}"#, "max_attempts", Problem::Malformed, "1.5", "1 or more");
    let delay = r#"{"rules":[{"name":"r","regex":"x","delay":"721h"}]}"#;
    assert_rejected(delay, "rules[0].delay", range, "721h0m0s", "720h0m0s");
    let json = backoff(r#""curve":"list","delays":[]"#);
    assert_rejected(&json, "backoff.default.delays", range, "0 delays", "1 to 1000");
    let json = backoff(r#""curve":"list","delays":["721h"]"#);
    assert_rejected(&json, "backoff.default.delays", range, "721h0m0s", "720h0m0s");
    let json = backoff(r#""curve":"exponential","first":"1s","factor":0.5"#);
    assert_rejected(&json, "backoff.default.factor", range, "0.5", "1 to 1000");
    assert_rejected(&backoff(r#""curve":"fixed""#), "backoff.default.first", Problem::Missing, "", "a duration");
    assert_rejected(r#"{"backoff":{"default":{}}}"#, "backoff.default.curve", Problem::Missing, "", "never, immediate");
    let error = policy(r#"{"backoff":{"default":{"curve":"fixed"}}}"#).unwrap_err();
    assert!(error.to_string().starts_with("backoff.default.first is missing; allowed: a duration"), "{error}");
    let json = backoff(r#""curve":"fixed","first":"1s","jitter":{"kind":"spread","percent":300}"#);
    assert_rejected(&json, "backoff.default.jitter.percent", range, "300", "0 to 100");
    assert!(Factor::new(f64::NAN).is_err() && Factor::new(f64::INFINITY).is_err());
    assert!(Jitter::spread(101).is_err());
    for (threshold, open, probes, field) in [
        (0, 10, 1, "breaker.threshold"),
        (1001, 10, 1, "breaker.threshold"),
        (5, 0, 1, "breaker.open_for"),
        (5, 3601, 1, "breaker.open_for"),
        (5, 10, 0, "breaker.probes"),
        (5, 10, 101, "breaker.probes"),
    ] {
        let error = BreakerConfig::new(threshold, Span::from_secs(open), probes).unwrap_err();
        assert_eq!((error.field.as_str(), error.problem), (field, range));
    }
}

#[test]
fn contradicting_fields_are_rejected() {
    let conflict = Problem::Contradiction;
    let cap = r#"{"backoff":{"network":{"curve":"exponential","first":"1s","cap":"500ms"}}}"#;
    assert_rejected(cap, "backoff.network.cap", conflict, "500ms", "the first delay (1s) or more");
    assert!(Backoff::fixed(Span::from_secs(2)).capped(Span::from_secs(1)).is_err());
    assert_rejected(r#"{"include":["x"],"exclude":["x"]}"#, "include", conflict, "x", "not in both");
    let json = r#"{"exclude":["x"],"backoff":{"default":{"curve":"never"}}}"#;
    assert_rejected(json, "exclude", conflict, "x", "other than never");
    let json = backoff(r#""curve":"never","first":"1s""#);
    assert_rejected(&json, "backoff.default.first", conflict, "a value", "reads nothing");
    assert_rejected(r#"{"rules":[{"name":"r"}]}"#, "rules[0]", conflict, "neither", "either regex or when");
    let both = r#"{"rules":[{"name":"r","regex":"x","policy":"never","delay":"5s"}]}"#;
    assert_rejected(both, "rules[0].policy", conflict, "never", "not both");
    let field = r#"{"rules":[{"name":"r","when":"true","field":"code"}]}"#;
    assert_rejected(field, "rules[0].field", conflict, "code", "where regex looks");
    assert_rejected(r#"{"rules":[{"name":"r","regex":"x","when":"true"}]}"#, "rules[0]", conflict, "both", "either");
    let json = r#"{"rules":[{"name":"r","regex":"x"},{"name":"r","regex":"y"}]}"#;
    assert_rejected(json, "rules[1].name", conflict, "r", "no other rule");
}

fn when(source: &str) -> String {
    format!(r#"{{"rules":[{{"name":"r","when":{}}}]}}"#, serde_json::to_string(source).unwrap())
}

#[test]
fn expressions_that_do_not_compile_are_rejected() {
    let malformed = Problem::Malformed;
    let cases = [
        ("http ==", malformed, "CEL expression that compiles: line 1"),
        ("", malformed, "CEL expression that compiles"),
        ("1 + 1", malformed, "true or false"),
        ("http == 500 ? 'x' : false", malformed, "true or false"),
        ("http == 500 && message", malformed, "true or false"),
        ("chain.map(c, c)", malformed, "true or false"),
        ("nosuch(message)", Problem::UnknownName, "unknown: nosuch"),
        ("http == 500 && nosuch(message)", Problem::UnknownName, "unknown: nosuch"),
        ("http == 500 && message.containz('x')", Problem::UnknownName, "unknown: containz"),
        ("payload == 'x'", Problem::UnknownName, "unknown: payload"),
        ("chain.exists(c, d == 'x')", Problem::UnknownName, "unknown: d"),
        ("message.matches('a(')", malformed, "a pattern for matches()"),
        ("message.matches(message)", malformed, "written out"),
        (r"message.matches('(\\w{50}){50}')", malformed, "not too large"),
    ];
    for (source, problem, allowed) in cases {
        assert_rejected(&when(source), "rules[0].when", problem, source, allowed);
    }
    let long = format!("'{}' == ''", "x".repeat(5_000));
    assert_rejected(&when(&long), "rules[0].when", Problem::OutOfRange, &long, "at most 1024 bytes");
    let regex = r#"{"rules":[{"name":"r","regex":"a("}]}"#;
    assert_rejected(regex, "rules[0].regex", malformed, "a(", "regular expression that compiles");
    let huge = r#"{"rules":[{"name":"r","regex":"(a{1000}){1000}"}]}"#;
    assert_rejected(huge, "rules[0].regex", malformed, "(a{1000}){1000}", "regular expression");
    let deep = format!("{}a{}", "(?:".repeat(100), ")*".repeat(100));
    let json = format!(r#"{{"rules":[{{"name":"r","regex":"{deep}"}}]}}"#);
    assert_rejected(&json, "rules[0].regex", malformed, &deep, "regular expression");
    assert_rejected(r#"{"rules":[{"name":"a b","regex":"x"}]}"#, "rules[0].name", malformed, "a b", "letters, digits");
}

/// Without the cost limit, each of these takes seconds or hundreds of megabytes for one failure.
#[test]
fn expressions_that_cost_too_much_are_rejected() {
    let sums = "(parts+parts+parts+parts).exists(a, (parts+parts+parts+parts).exists(b, a == b + 'x'))";
    let sources = [
        "chain.all(a, chain.all(b, chain.all(c, chain.all(d, a == b && c == d))))",
        sums,
        "parts.exists(a, parts.exists(b, message.matches('x')))",
        "[message].map(a, a+a+a+a+a+a+a+a).map(a, a+a+a+a+a+a+a+a).map(a, a+a+a+a+a+a+a+a).exists(a, a == '')",
        "chain.map(c, [c, c]).exists(x, x.exists(y, y == ''))",
        "metadata.a.all(a, metadata.a.all(b, metadata.a.all(c, a == b && b == c)))",
        "metadata.a.exists(a, a.exists(b, b == ''))",
        "(metadata.a + metadata.a).exists(a, a == '')",
        "{'a': parts + parts}.a.exists(a, a == '')",
    ];
    for source in sources {
        let error = policy(&when(source)).expect_err(source);
        assert_eq!((error.field.as_str(), error.problem), ("rules[0].when", Problem::OutOfRange), "{error}");
    }
    // Realistic expressions are within the limit.
    for source in [
        "chain.exists(c, c.matches('^a.*b$'))",
        "parts.all(p, chain.exists(c, c.contains(p)))",
        "metadata.a.exists(a, parts.exists(p, p == a.b))",
    ] {
        assert!(policy(&when(source)).is_ok(), "{source}");
    }
}

/// The parser recurses: every source within the size limit must be accepted or rejected without a stack overflow.
#[test]
fn no_expression_overflows_the_stack() {
    let nested = |open: &str, inner: &str, close: &str| {
        let times = (1024 - inner.len() - 8) / (open.len() + close.len());
        format!("{}{inner}{} == 1", open.repeat(times), close.repeat(times))
    };
    let sources = [
        nested("(", "1", ")"),
        nested("[", "1", "]"),
        nested("{1:", "1", "}"),
        nested("!", "true", ""),
        nested("-", "1", ""),
        nested("true ? 1 : ", "1", ""),
        nested("", "metadata", ".a"),
        nested("", "chain", "[0]"),
        nested("", "1", "+1"),
        nested("", "message", ".size()"),
        nested("size(", "message", ")"),
        nested("chain.map(x, ", "x", ")"),
    ];
    for source in sources {
        let rule = RuleSpec { name: "r".into(), when: Some(source), ..RuleSpec::default() };
        // Accepted or rejected, it did not overflow the stack.
        drop(Classifier::with_rules(&[rule]));
    }
}

#[test]
fn texts_that_are_not_durations_are_rejected() {
    let malformed = Problem::Malformed;
    assert_rejected(r#"{"deadline":"soon"}"#, "deadline", malformed, "soon", "a duration as in 500ms");
    assert_rejected(&rule(r#""regex":"x","delay":"5""#), "rules[0].delay", malformed, "5", "missing unit");
    let json = backoff(r#""curve":"fixed","first":"-1s""#);
    assert_rejected(&json, "backoff.default.first", malformed, "-1s", "negative");
}

#[test]
fn unknown_fields_are_errors() {
    assert!(serde_json::from_str::<PolicySpec>(r#"{"max_attempt":3}"#).is_err());
    assert!(serde_json::from_str::<BackoffSpec>(r#"{"curve":"never","caps":"1s"}"#).is_err());
    assert!(serde_json::from_str::<RuleSpec>(r#"{"name":"x","regexp":"y"}"#).is_err());
}

#[test]
fn too_many_rules_are_rejected() {
    let rules: Vec<_> = (0..=Classifier::USER_RULES_MAX)
        .map(|n| RuleSpec { name: format!("r{n}"), regex: Some("x".into()), ..RuleSpec::default() })
        .collect();
    assert_eq!(Classifier::with_rules(&rules).unwrap_err().field, "rules");
}

#[test]
fn a_long_rejected_value_is_truncated_in_the_text_only() {
    let long = "x".repeat(5_000);
    let error = long.parse::<redrive_core::Category>().unwrap_err();
    assert!(error.to_string().len() < 400);
    assert_eq!(error.value, long);
}

#[test]
fn other_malformed_texts_are_rejected() {
    assert_eq!("".parse::<Kind>().unwrap_err().problem, Problem::OutOfRange);
    assert_eq!("a b".parse::<Kind>().unwrap_err().problem, Problem::Malformed);
    for typo in ["rule:", "rule:htp:429", "rules:http:429", "categories:network", "a:b"] {
        assert_eq!(typo.parse::<ErrorMatcher>().unwrap_err().problem, Problem::UnknownName, "{typo}");
    }
    let long = "x".repeat(257);
    assert_eq!(long.parse::<Kind>().unwrap_err().problem, Problem::OutOfRange);
    for kind in ["*net.OpError", "Result<T,E>", "TimeoutError[int]"] {
        assert!(kind.parse::<Kind>().is_ok(), "{kind}");
    }
    assert_eq!("4000".parse::<SqlState>().unwrap_err().field, "sqlstate");
    assert_eq!("40p01".parse::<SqlState>(), "40P01".parse::<SqlState>());
    assert_eq!("40-01".parse::<SqlState>().unwrap_err().problem, Problem::Malformed);
    assert_eq!("yesterday".parse::<Time>().unwrap_err().field, "time");
    assert_eq!("zz".parse::<Fingerprint>().unwrap_err().field, "fingerprint");
    assert_eq!(Template::named("x").unwrap_err().field, "template");
}

#[test]
fn patterns_scan_no_more_text_than_their_size_allows() {
    let holds = |source: &str, text: &str| {
        let condition = Condition::new("filter", source, &["text", "texts"]).unwrap();
        condition.holds(|field| match field {
            "text" => Operand::Text(text.to_owned()),
            _ => Operand::Texts(vec![text.to_owned(); 64]),
        })
    };
    // Close to the largest accepted pattern.
    let large = "text.matches('^[a-y]{1,300}$')";
    assert_eq!(holds(large, &"a".repeat(8 * 1024)), Ok(false), "any pattern may scan a long error");
    let fault = holds(large, &"a".repeat(1 << 20)).unwrap_err();
    assert!(fault.contains("at most 536870912 in one evaluation"), "{fault}");
    assert_eq!(holds("text.matches('a$')", &"a".repeat(512 * 1024)), Ok(true), "a small pattern may scan much more");
    assert_eq!(holds("texts.exists(each, each.matches('b'))", &"a".repeat(8 * 1024)), Ok(false));
    let all = holds("texts.exists(each, each.matches('b'))", &"a".repeat(16 * 1024)).unwrap_err();
    assert_eq!(all, fault, "the limit is for all matches of one evaluation");
    assert_eq!(
        holds("text.matches('b') || text.matches('a') && matches(text, 'a')", "a"),
        Ok(true),
        "each match uses its own pattern"
    );
}
