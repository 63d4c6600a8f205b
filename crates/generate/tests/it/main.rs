//! The checked-in generated files match the definitions.

#[test]
fn checked_in_generated_files_are_up_to_date() {
    let root = redrive_generate::root();
    for (path, text) in redrive_generate::generate(&root).unwrap() {
        let found = std::fs::read_to_string(root.join(&path)).unwrap_or_default();
        assert!(found == text, "{} is out of date; update it with: cargo xtask generate", path.display());
    }
}
