//! What is checked in is what the definitions say.

#[test]
fn what_is_checked_in_is_up_to_date() {
    let root = redrive_generate::root();
    for (path, text) in redrive_generate::generate(&root).unwrap() {
        let found = std::fs::read_to_string(root.join(&path)).unwrap_or_default();
        assert!(found == text, "{} is out of date; bring it up to date with: cargo xtask generate", path.display());
    }
}
