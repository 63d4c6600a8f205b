//! Fails early, in one sentence, where the Kafka client cannot be compiled for lack of OpenSSL.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=OPENSSL_NO_VENDOR");
    println!("cargo::rerun-if-env-changed=OPENSSL_DIR");
    println!("cargo::rerun-if-env-changed=OPENSSL_LIB_DIR");
    println!("cargo::rerun-if-env-changed=PKG_CONFIG");
    let is_vendored = env::var_os("OPENSSL_NO_VENDOR").is_none_or(|value| value == "0");
    let is_elsewhere = ["OPENSSL_DIR", "OPENSSL_LIB_DIR"].into_iter().any(|name| env::var_os(name).is_some());
    if is_vendored || is_elsewhere {
        return;
    }
    let pkg_config = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let is_installed =
        Command::new(pkg_config).args(["--exists", "openssl"]).status().is_ok_and(|found| found.success());
    if !is_installed {
        println!(
            "cargo::error=the headers of OpenSSL are missing: install libssl-dev and pkg-config (Debian) or openssl-devel \
             (Fedora), or set OPENSSL_NO_VENDOR=0 to compile OpenSSL, too"
        );
    }
}
