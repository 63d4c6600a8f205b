//! Temporary folders of tests.

use tempfile::TempDir;

/// A new folder, removed on drop. It is beside the test executable: the system's temporary folder may be in memory, where
/// a sync costs nothing.
#[expect(clippy::expect_used, reason = "a test without its folder has failed")]
pub fn folder(name: &str) -> TempDir {
    let executable = std::env::current_exe().expect("the path of the test executable");
    let beside = executable.parent().expect("the test executable is in a folder");
    TempDir::with_prefix_in(format!("redrive-{name}-"), beside).expect("a new folder beside the test executable")
}

#[cfg(test)]
mod tests {
    use super::folder;

    #[test]
    fn two_folders_of_one_name_are_separate_and_are_removed_with_their_contents() {
        let (first, second) = (folder("same"), folder("same"));
        let file = first.path().join("file");
        std::fs::write(&file, "text").unwrap();
        assert!(!second.path().join("file").exists());
        let paths = [first.path().to_owned(), second.path().to_owned()];
        drop((first, second));
        assert!(paths.iter().all(|path| !path.exists()));
    }
}
