use super::{capture, show, with_dead};

#[test]
fn exported_letters_are_imported_elsewhere_under_their_ids() {
    let (from, to) = (with_dead(), with_dead());
    let id = capture(&from, "a");
    capture(&from, "b");
    from.done(&["letters", "note", "dead", &id, "look at this"]);
    assert_ne!(from.run(&["letters", "export", "dead"]).code, 0, "it shows payloads");
    let lines = from.done(&["letters", "export", "dead", "--reason", "a move"]);
    assert_eq!(lines.lines().count(), 2);
    let import = |lines: &str| to.run_with(&["letters", "import", "dead", "--output", "json"], lines.as_bytes());
    let ran = import(&lines);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let sums = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!((&sums(&ran.stdout)["imported"], &sums(&ran.stdout)["there"]), (&2.into(), &0.into()));
    assert_eq!(show(&to, &id), show(&from, &id));
    assert_eq!(sums(&import(&lines).stdout)["there"], 2, "twice is as good as once");
    let wrong = import("\nno letter\n");
    assert!(wrong.code == 1 && wrong.stderr.contains("line 2: "), "{}", wrong.stderr);
}
