//! The allowed dependencies between crates of the workspace.
//!
//! Only normal dependencies count: tests may use any crate, and are not part of a user's build.

use crate::cargo::Package;

/// The crates of the workspace that a crate may depend on.
enum Allowed {
    Only(&'static [&'static str]),
    AllBut(&'static [&'static str]),
}

use Allowed::{AllBut, Only};

/// From the lowest to the highest layer. A crate in the table need not exist yet.
const LAYERS: &[(&str, Allowed)] = &[
    ("core", Only(&[])),
    ("http", Only(&[])),
    ("testkit", Only(&[])),
    ("journal", Only(&[])),
    ("model", Only(&["core"])),
    ("proto", Only(&["core", "model"])),
    ("store", Only(&["core", "model", "testkit"])),
    ("queue", Only(&["core", "model"])),
    ("embedded", Only(&["core", "model", "store", "queue", "journal"])),
    ("run", Only(&["core", "http", "model", "store", "testkit"])),
    ("search", Only(&["core", "http", "model", "store"])),
    ("mailbox", Only(&["core", "model", "store", "run", "testkit"])),
    ("redis", Only(&["core", "store", "mailbox"])),
    ("kafka", Only(&["core", "model", "store", "run"])),
    ("client", Only(&["core", "http", "proto", "model", "store", "run"])),
    ("routes", Only(&["core", "http", "model", "store", "run", "kafka", "mailbox", "redis", "client"])),
    ("server", Only(&["core", "proto", "model", "store", "run", "search", "routes"])),
    ("redrive", AllBut(&["cli", "bench", "generate", "xtask"])),
    ("cli", AllBut(&["bench", "generate", "xtask"])),
    ("bench", AllBut(&[])),
    ("generate", Only(&[])),
    ("xtask", Only(&[])),
];

pub(super) fn findings(packages: &[Package]) -> Vec<String> {
    let crates: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    let mut findings = Vec::new();
    for package in packages {
        let name = short(&package.name);
        let Some((_, allowed)) = LAYERS.iter().find(|(known, _)| *known == name) else {
            findings.push(format!("add crate {name} to the table in xtask/src/structure/layers.rs"));
            continue;
        };
        let normal = package.dependencies.iter().filter(|dependency| dependency.is_normal());
        let names = normal.map(|dependency| dependency.name.as_str());
        let inside = names.filter(|needed| crates.contains(needed)).map(short);
        findings.extend(inside.filter_map(|needed| allowed.violation(name, needed)));
    }
    findings.sort();
    findings.dedup();
    findings
}

impl Allowed {
    fn violation(&self, name: &str, needed: &str) -> Option<String> {
        match self {
            Only(allowed) if allowed.contains(&needed) => None,
            Only([]) => Some(format!("{name} → {needed}: {name} may depend on no crate of the workspace")),
            Only(allowed) => Some(format!("{name} → {needed}: {name} may depend on {} only", allowed.join(", "))),
            AllBut(refused) if !refused.contains(&needed) => None,
            AllBut(refused) => Some(format!("{name} → {needed}: {name} may not depend on {}", refused.join(", "))),
        }
    }
}

/// The name of a package without the common prefix `redrive-`.
fn short(package: &str) -> &str {
    package.strip_prefix("redrive-").unwrap_or(package)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cargo::Dependency;

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Package {
        let dependency = |(name, kind): &(&str, Option<&str>)| Dependency {
            name: (*name).to_owned(),
            kind: kind.map(str::to_owned),
        };
        Package::sample(name, dependencies.iter().map(dependency).collect())
    }

    #[test]
    fn allowed_dependencies_are_no_finding() {
        let packages = [
            package("redrive-core", &[("serde", None)]),
            package("redrive-model", &[("redrive-core", None)]),
            package("redrive-run", &[("redrive-core", None), ("redrive-model", None)]),
            package("redrive-cli", &[("redrive-run", None), ("redrive-core", None)]),
        ];
        assert_eq!(findings(&packages), [] as [&str; 0]);
    }

    #[test]
    fn a_dependency_on_a_crate_above_is_a_finding() {
        let packages = [
            package("redrive-queue", &[]),
            package("redrive-core", &[("redrive-queue", None)]),
            package("redrive-run", &[("redrive-queue", None)]),
        ];
        assert_eq!(
            findings(&packages),
            [
                "core → queue: core may depend on no crate of the workspace",
                "run → queue: run may depend on core, http, model, store, testkit only",
            ]
        );
    }

    #[test]
    fn tests_and_build_scripts_may_use_any_crate() {
        let dependencies = [("redrive-server", Some("dev")), ("redrive-generate", Some("build"))];
        let packages = [
            package("redrive-server", &[]),
            package("redrive-generate", &[]),
            package("redrive-client", &dependencies),
        ];
        assert_eq!(findings(&packages), [] as [&str; 0]);
    }

    #[test]
    fn the_program_contains_no_developer_tool() {
        let packages = [package("redrive-bench", &[]), package("redrive-cli", &[("redrive-bench", None)])];
        assert_eq!(findings(&packages), ["cli → bench: cli may not depend on bench, generate, xtask"]);
    }

    #[test]
    fn a_crate_without_a_layer_is_a_finding() {
        let packages = [package("redrive-extra", &[])];
        assert_eq!(findings(&packages), ["add crate extra to the table in xtask/src/structure/layers.rs"]);
    }

    /// A user of the library who wants the server alone waits for no client library.
    #[test]
    fn the_server_alone_compiles_no_client_library() {
        let features = ["--no-default-features", "--features", "server", "--edges", "normal,build"];
        let mut tree = crate::cargo::cargo();
        let tree = tree.args(["tree", "--locked", "--package", "redrive", "--prefix", "none"]).args(features).output();
        let tree = String::from_utf8(tree.unwrap().stdout).unwrap();
        let has = |name: &str| tree.lines().any(|line| line.split(' ').next() == Some(name));
        assert!(has("redrive-server"), "{tree}");
        for library in ["rdkafka", "rdkafka-sys", "redis", "tonic", "openssl-sys"] {
            assert!(!has(library), "{library} is a dependency of the server");
        }
    }
}
