//! The two rules for type names, and their exceptions.

use std::collections::{BTreeMap, BTreeSet};

use super::definition::Definition;

/// Crates that are usually read together: private names must also be unique across them.
const READ_TOGETHER: &[&str] = &["model", "store", "queue", "embedded", "run"];

/// Names with a conventional meaning: clap's command line structures, and inner parts of a type.
const CONVENTIONAL: &[&str] = &["Action", "Arguments", "Command", "Entry", "Inner", "Shared"];

/// Names that may occur twice, each with its reason.
const ALLOWED: &[&str] = &[];

/// The findings of both rules: one line per name with its places.
#[derive(Debug, Default, PartialEq)]
pub(in crate::structure) struct NameFindings {
    /// Public names that several crates or modules define.
    pub(in crate::structure) public: Vec<String>,
    /// Names of any visibility that occur more than once in the crates of [`READ_TOGETHER`].
    pub(in crate::structure) shared: Vec<String>,
}

pub(in crate::structure) fn findings(definitions: &[Definition]) -> NameFindings {
    findings_except(definitions, ALLOWED)
}

fn findings_except(definitions: &[Definition], allowed: &[&str]) -> NameFindings {
    let mut by_name: BTreeMap<&str, Vec<&Definition>> = BTreeMap::new();
    for definition in definitions {
        by_name.entry(&definition.name).or_default().push(definition);
    }
    let mut findings = NameFindings::default();
    for (name, all) in by_name {
        if CONVENTIONAL.contains(&name) || allowed.contains(&name) {
            continue;
        }
        let public = places(all.iter().filter(|definition| definition.is_public));
        let is_public_twice = is_ambiguous(&all);
        if is_public_twice {
            findings.public.push(describe(name, &public));
        }
        let shared = places(all.iter().filter(|definition| READ_TOGETHER.contains(&definition.krate.as_str())));
        // Reporting the same places twice would inflate the number of findings.
        let is_reported = is_public_twice && shared.is_subset(&public);
        if shared.len() > 1 && !is_reported {
            findings.shared.push(describe(name, &shared));
        }
    }
    findings
}

/// Whether there are several public definitions. Endpoints count as one: their modules distinguish them.
fn is_ambiguous(all: &[&Definition]) -> bool {
    let public = all.iter().filter(|definition| definition.is_public);
    let kinds: Vec<bool> = public.map(|definition| definition.is_endpoint).collect();
    let others = kinds.iter().filter(|is_endpoint| !**is_endpoint).count();
    others + usize::from(others < kinds.len()) > 1
}

fn places<'a>(definitions: impl Iterator<Item = &'a &'a Definition>) -> BTreeSet<&'a str> {
    definitions.map(|definition| definition.place.as_str()).collect()
}

fn describe(name: &str, places: &BTreeSet<&str>) -> String {
    format!("name {name}: {}", places.iter().copied().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::super::definition::definitions;
    use super::*;
    use crate::structure::source::samples;

    fn check(files: &[(&str, &str)]) -> NameFindings {
        findings(&definitions(&samples(files)))
    }

    #[test]
    fn a_public_name_in_two_crates_is_a_finding() {
        let found = check(&[
            ("crates/core/src/a.rs", "\npub struct Wait;"),
            ("crates/client/src/b.rs", "pub type Wait = u32;"),
            ("crates/client/src/c.rs", "struct Wait; pub(crate) enum Pace {}"),
            ("crates/server/src/d.rs", "pub(crate) enum Pace {}"),
        ]);
        assert_eq!(found.public, ["name Wait: crates/client/src/b.rs:1, crates/core/src/a.rs:2"]);
        assert_eq!(found.shared, [] as [&str; 0]);
    }

    #[test]
    fn a_private_name_in_two_crates_that_are_read_together_is_a_finding() {
        let found = check(&[
            ("crates/run/src/a.rs", "struct Wait;"),
            ("crates/store/src/b.rs", "pub(crate) trait Wait {}"),
            ("crates/client/src/c.rs", "struct Wait;"),
        ]);
        assert_eq!(found.public, [] as [&str; 0]);
        assert_eq!(found.shared, ["name Wait: crates/run/src/a.rs:1, crates/store/src/b.rs:1"]);
    }

    #[test]
    fn a_name_that_breaks_both_rules_is_reported_twice_only_if_that_adds_a_place() {
        let public = [("crates/run/src/a.rs", "pub struct Wait;"), ("crates/store/src/b.rs", "pub struct Wait;")];
        assert_eq!(check(&public).public.len(), 1);
        assert_eq!(check(&public).shared, [] as [&str; 0]);

        let private = [public[0], public[1], ("crates/queue/src/c.rs", "struct Wait;")];
        assert_eq!(check(&private).shared.len(), 1);
    }

    #[test]
    fn names_of_tests_suites_and_generated_code_do_not_count() {
        let found = check(&[
            ("crates/run/src/a.rs", "pub struct Wait; #[cfg(test)] mod tests { pub struct Wait; }"),
            ("crates/run/src/conformance/b.rs", "pub struct Wait;"),
            ("crates/proto/src/c.rs", "pub struct Wait;"),
            ("crates/store/src/d.rs", "fn f() { struct Wait; } trait T { type Wait; }"),
        ]);
        assert_eq!(found, NameFindings::default());
    }

    #[test]
    fn conventional_names_may_recur() {
        let found = check(&[
            ("crates/run/src/a.rs", "struct Inner; pub struct Entry;"),
            ("crates/store/src/b.rs", "struct Inner; pub struct Entry;"),
        ]);
        assert_eq!(found, NameFindings::default());
    }

    #[test]
    fn names_of_endpoints_may_recur_in_the_server_only() {
        let list = "pub struct List; impl Endpoint for List {}";
        let endpoints = [("crates/server/src/users/list.rs", list), ("crates/server/src/roles/list.rs", list)];
        assert_eq!(check(&endpoints), NameFindings::default());

        let elsewhere = [endpoints[0], endpoints[1], ("crates/core/src/list.rs", "pub struct List;")];
        assert_eq!(check(&elsewhere).public.len(), 1);

        let no_endpoints =
            [("crates/server/src/a.rs", "pub struct List;"), ("crates/server/src/b.rs", "pub struct List;")];
        assert_eq!(check(&no_endpoints).public.len(), 1);
    }

    #[test]
    fn an_allowed_name_is_no_finding() {
        let wait = ["crates/core/src/a.rs", "crates/run/src/b.rs"].map(|path| (path, "pub struct Wait;"));
        let defined = definitions(&samples(&wait));
        assert_eq!(findings_except(&defined, &[]).public.len(), 1);
        assert_eq!(findings_except(&defined, &["Wait"]), NameFindings::default());
    }
}
