//! Failures with the same cause have the same fingerprint, others have different ones.

use redrive_core::{Failure, Fingerprint, Trace, normalise};

fn of(message: &str) -> Fingerprint {
    Fingerprint::of(&Failure::new(message))
}

#[test]
fn variable_parts_are_masked() {
    let cases = [
        ("order 4711 failed", "order <number> failed"),
        ("took 1.5e-3 s, -7 left, 1,234.5", "took <number> s, <number> left, <number>"),
        ("took 1.5s", "took <number>"),
        ("took 300ms", "took <number>"),
        ("at 0xDEADBEEF and 7f3a9c2be1", "at <hex> and <hex>"),
        ("commit 7f3a9c2, abcdefab12", "commit <hex>, <hex>"),
        ("pod web-7d4b9c6f5-x2kq9 died", "pod web-<hex>-<id> died"),
        ("req_7f3a9c2be1 and pi_3MtwBwLkdIwHu7ix28a3tqPa", "req_<hex> and pi_<id>"),
        ("order_3f2504e0-4f89-11d3-9a0c-0305e82c3301", "order_<uuid>"),
        ("'alpha','beta' 'gamma'", "<quoted>,<quoted> <quoted>"),
        ("Sun, 15 Nov 2026 12:00:00 GMT", "<time>"),
        ("dial [2001:db8:0:1::17]:443", "dial <address>"),
        ("a-17 is not a negative number", "a-<number> is not a negative number"),
        ("HTTP 404 returned, SQLSTATE 40001, error code 1205", "HTTP 404 returned, SQLSTATE 40001, error code 1205"),
        ("id 3F2504E0-4F89-11D3-9A0C-0305E82C3301 gone", "id <uuid> gone"),
        ("no key \"a b\" in `map` or 'list'", "no key <quoted> in <quoted> or <quoted>"),
        ("can't open what isn't there", "can't open what isn't there"),
        ("open /var/lib/x-1.2/y.db: no", "open <path>: no"),
        ("open C:\\data\\x\\y.db: no", "open <path>: no"),
        ("at 2026-11-15T12:00:00.123+01:00 or 2026-11-15 12:00:00", "at <time> or <time>"),
        ("at 12:00:05.77", "at <time>"),
        ("dial 10.0.0.17:5432 refused", "dial <address> refused"),
        ("GET https://x.y/z?a=1 failed", "GET <url> failed"),
        ("mail to a.b+c@d-e.com bounced", "mail to <email> bounced"),
        ("item 2PqKxYz7aBcDeFgHiJkLmNoPqRs gone", "item <id> gone"),
        ("a\t b\n\n  c", "a b c"),
        ("deadbeef is a word", "deadbeef is a word"),
        ("", ""),
    ];
    for (message, expected) in cases {
        assert_eq!(normalise(message), expected, "{message:?}");
    }
}

#[test]
fn masking_is_idempotent() {
    for message in ["order 4711 at /a/b/c 'x'", "can't 0x17 «y»", "a <number> b"] {
        let once = normalise(message);
        assert_eq!(normalise(&once), once);
    }
}

#[test]
fn one_fault_in_two_deployments_is_one_group() {
    let failure = |root: &str, line: u32, hash: &str, order: u32| {
        let trace = Trace::parse(&format!(
            "   0: rust_begin_unwind\n             at /rustc/{hash}/library/std/src/panicking.rs:{line}:5\n   \
                1: shop::orders::place::h{hash}\n             at {root}/src/orders.rs:{line}:9\n   \
                2: shop::main\n             at {root}/src/main.rs:{line}:1\n"
        ));
        Failure::new(format!("order {order} not found in {root}/orders.db")).with_trace(trace)
    };
    let monday = failure("/srv/app-1.2", 10, "0123456789abcdef", 4711);
    let tuesday = failure("/home/ci/build/7", 93, "fedcba9876543210", 12);
    assert_eq!(Fingerprint::of(&monday), Fingerprint::of(&tuesday));
    assert_eq!(
        monday.trace.as_ref().unwrap().first_user_frame().unwrap().function,
        "shop::orders::place::h0123456789abcdef"
    );
}

#[test]
fn different_faults_are_different_groups() {
    let with_kind = |kind: &str| Fingerprint::of(&Failure::of_kind(kind.parse().unwrap(), "x"));
    assert_ne!(with_kind("KeyError"), with_kind("ValueError"));
    assert_ne!(of("order 1 not found"), of("customer 1 not found"));
    let in_function = |function: &str| {
        let text = format!("Traceback (most recent call last):\n  File \"/a/b.py\", line 1, in {function}\n");
        Fingerprint::of(&Failure::new("x").with_trace(Trace::parse(&text)))
    };
    assert_ne!(in_function("place"), in_function("cancel"));
    let in_file = |file: &str| {
        let text = format!("Traceback (most recent call last):\n  File \"/a/{file}\", line 1, in f\n");
        Fingerprint::of(&Failure::new("x").with_trace(Trace::parse(&text)))
    };
    assert_ne!(in_file("orders.py"), in_file("stock.py"));
    let go = |function: &str| {
        let text = format!("main/internal/orders.{function}(0x1)\n\t/home/x/shop/internal/orders/orders.go:17 +0x1d\n");
        Fingerprint::of(&Failure::new("x").with_trace(Trace::parse(&text)))
    };
    assert_ne!(go("Place"), go("Cancel"), "internal/ contains the user's code in Go programs");
    assert_ne!(of(""), with_kind("KeyError"));
    let caused = |outer: &str, cause: &str| Fingerprint::of(&Failure::new(outer).caused_by(Failure::new(cause)));
    assert_ne!(caused("", "no route"), caused("", "no seat"));
    assert_ne!(caused("could not place order", "no route"), caused("could not place order", "no seat"));
    let typed = |status: u16| Fingerprint::of(&Failure::typed(redrive_core::Evidence::http(status)));
    assert_ne!(typed(404), typed(503));
    assert_ne!(of("HTTP 404 returned"), of("HTTP 503 returned"));
    let by_kind = |kind: &str| {
        let cause = Failure::of_kind(kind.parse().unwrap(), "noise");
        Fingerprint::of(&Failure::new("x").caused_by(cause))
    };
    assert_ne!(by_kind("KeyError"), by_kind("OSError"));
    // Adjacent fields are separated.
    let mut code = Failure::of_kind("ab".parse().unwrap(), "x");
    code.error.code = Some("c".into());
    let mut other = Failure::of_kind("a".parse().unwrap(), "x");
    other.error.code = Some("bc".into());
    assert_ne!(Fingerprint::of(&code), Fingerprint::of(&other));
}

/// Fingerprints are stored on letters: a new version of Redrive must compute the same ones.
#[test]
fn fingerprints_are_stable_across_versions() {
    let mut failure = Failure::of_kind("TimeoutError".parse().unwrap(), "read of order 17 timed out");
    failure.error.code = Some("E_TIMEOUT".into());
    let found = Fingerprint::of(&failure);
    assert_eq!(found.to_string(), "4a950c7875cc47f76ad3e779ceb05593");
    assert_eq!(found.to_string().parse(), Ok(found));
    assert_eq!(Fingerprint::from_bytes(*found.as_bytes()), found);
}

#[test]
fn the_innermost_user_frame_is_found_in_every_language() {
    let cases = [
        (
            "Traceback (most recent call last):\n  File \"/srv/app/main.py\", line 3, in main\n    place(1)\n  File \"/srv/app/orders.py\", line 12, in place\n    get(x)\n  File \"/usr/lib/python3.11/urllib/request.py\", line 216, in urlopen\nurllib.error.URLError: x",
            "place",
            "/srv/app/orders.py",
        ),
        (
            "java.lang.IllegalStateException: x\n\tat java.base/java.util.Optional.get(Optional.java:143)\n\tat java.util.Optional.get(Optional.java:143)\n\tat com.shop.Orders.place(Orders.java:17)\n\tat com.shop.Main.main(Main.java:3)",
            "com.shop.Orders.place",
            "Orders.java",
        ),
        (
            "Error: x\n    at node:internal/process/task_queues:95:5\n    at Socket.emit (node:events:519:28)\n    at get (/app/node_modules/got/index.js:3:9)\n    at async place (/app/src/orders.js:17:11)\n    at /app/src/main.js:1:1",
            "place",
            "/app/src/orders.js",
        ),
        (
            "panic: x\n\ngoroutine 1 [running]:\nruntime.panicmem()\n\t/usr/local/go/src/runtime/panic.go:262\nmain.place(0xc0000140a0, 0x1)\n\t/home/x/shop/orders.go:17 +0x1d\nmain.main()\n\t/home/x/shop/main.go:9 +0x20",
            "main.place",
            "/home/x/shop/orders.go",
        ),
        (
            "System.InvalidOperationException: x\n   at System.Linq.ThrowHelper.ThrowNoElements() in /_/src/Linq.cs:line 3\n   at Shop.Orders.Place(Int32 id) in /src/Shop/Orders.cs:line 17",
            "Shop.Orders.Place",
            "/src/Shop/Orders.cs",
        ),
        (
            "x\n\tat org.springframework.web.X.y(X.java:1)\n\tat com.shop.OrderService.place(OrderService.java:17)",
            "com.shop.OrderService.place",
            "OrderService.java",
        ),
        (
            "Traceback (most recent call last):\n  File \"/srv/app/orders.py\", line 12, in place\n  File \"/usr/lib/python3/dist-packages/x.py\", line 1, in y\n",
            "place",
            "/srv/app/orders.py",
        ),
    ];
    for (text, function, file) in cases {
        let trace = Trace::parse(text);
        let frame = trace.first_user_frame().unwrap_or_else(|| panic!("no frame in {trace:?}"));
        assert_eq!((frame.function.as_str(), frame.file.as_str()), (function, file));
    }
    assert_eq!(Trace::parse("nothing like a trace\n\n   at all").first_user_frame(), None);
}

#[test]
fn an_explicit_in_user_code_flag_overrides_the_names() {
    use redrive_core::Frame;
    let frame = |function: &str, in_user_code: bool| Frame {
        function: function.into(),
        file: "x".into(),
        in_user_code: Some(in_user_code),
    };
    let trace = Trace { frames: vec![frame("mine_but_vendored", false), frame("std::really_mine", true)] };
    assert_eq!(trace.first_user_frame().unwrap().function, "std::really_mine");
}

proptest::proptest! {
    #[test]
    fn any_text_has_a_fingerprint(message in proptest::prelude::any::<String>(), trace in proptest::prelude::any::<String>()) {
        let failure = Failure::new(message).with_trace(Trace::parse(&trace));
        proptest::prop_assert_eq!(Fingerprint::of(&failure), Fingerprint::of(&failure.clone()));
    }
}

#[test]
fn a_failure_inherits_the_hint_and_trace_of_its_cause() {
    let trace = Trace::parse("at com.shop.Orders.place(Orders.java:17)");
    let cause = Failure::new("inner").with_retry_after(redrive_core::Span::from_secs(5)).with_trace(trace.clone());
    let failure = Failure::new("outer").caused_by(cause);
    assert_eq!((failure.retry_after, failure.trace), (Some(redrive_core::Span::from_secs(5)), Some(trace)));
}

#[test]
fn a_long_trace_keeps_its_innermost_frames() {
    let mut text = String::from("Traceback (most recent call last):\n");
    for number in 0..1_000 {
        text.push_str(&format!("  File \"/a/b.py\", line 1, in f{number}\n"));
    }
    let trace = Trace::parse(&text);
    assert_eq!((trace.frames.len(), trace.frames[0].function.as_str()), (Trace::FRAMES_MAX, "f999"));
}
