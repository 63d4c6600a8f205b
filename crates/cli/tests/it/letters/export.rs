use super::{capture, show, with_dead};

#[test]
fn exported_letters_keep_their_ids_on_import() {
    let (from, to) = (with_dead(), with_dead());
    let id = capture(&from, "a");
    capture(&from, "b");
    from.run_ok(&["letters", "note", "dead", &id, "check this"]);
    assert_eq!(from.run(&["letters", "export", "dead"]).code, 2, "an export reveals payloads and needs a reason");
    let lines = from.run_ok(&["letters", "export", "dead", "--reason", "a move"]);
    assert_eq!(lines.lines().count(), 2);
    let import = |lines: &str| to.run_with(&["letters", "import", "dead", "--output", "json"], lines.as_bytes());
    let ran = import(&lines).succeeded();
    let sums = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    assert_eq!((&sums(&ran.stdout)["imported"], &sums(&ran.stdout)["there"]), (&2.into(), &0.into()));
    assert_eq!(show(&to, &id), show(&from, &id));
    assert_eq!(sums(&import(&lines).stdout)["there"], 2, "an import is idempotent");
    import("\nno letter\n").fails(1, "line 2: ");
}
