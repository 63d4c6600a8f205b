//! OpenSearch: a single node of the project's minimal distribution.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result};

use super::service::{StartContext, ask_to_end, free_port, write};
use super::user::User;
use super::{Service, install, java};

pub(super) const SERVICE: Service =
    Service { name: "opensearch", program: "java", package: java::RUNTIME, needs: &[], variables: &[], start, answers };

/// The distribution creates no user, and OpenSearch refuses to run as root.
const USER: User = User("nobody");

const FOLDER: &str = "opensearch-2.19.4";
const ARTIFACT: &str = "org.opensearch.distribution.integ-test-zip:opensearch:2.19.4:zip";

/// Replaces the distribution's file, which writes logs into the distribution's folder; that folder belongs to another
/// user.
const JVM_OPTIONS: &str = "-Xms512m\n-Xmx512m\n-XX:+UseSerialGC\n18-:-Djava.security.manager=allow\n\
    -Djava.io.tmpdir=${OPENSEARCH_TMPDIR}\n";

fn start(context: &StartContext<'_>) -> Result<Command> {
    let directory = context.directory;
    let home = java::distribution(directory, FOLDER, download)?;
    let config = directory.join("config");
    USER.own(directory)?;
    for folder in ["config", "data", "logs", "tmp"] {
        USER.create(&directory.join(folder))?;
    }
    write(&config.join("opensearch.yml"), &settings(context)?)?;
    write(&config.join("jvm.options"), JVM_OPTIONS)?;
    fs::copy(home.join("config/log4j2.properties"), config.join("log4j2.properties"))
        .context("the OpenSearch distribution has an unexpected layout")?;
    for file in ["opensearch.yml", "jvm.options", "log4j2.properties"] {
        USER.own(&config.join(file))?;
    }

    let mut command = USER.command(home.join("bin/opensearch"));
    command
        .current_dir(directory)
        .env("OPENSEARCH_PATH_CONF", &config)
        .env("OPENSEARCH_TMPDIR", directory.join("tmp"))
        .env("OPENSEARCH_JAVA_HOME", java_home()?)
        .env_remove("OPENSEARCH_JAVA_OPTS")
        .env_remove("JAVA_OPTS");
    Ok(command)
}

fn settings(context: &StartContext<'_>) -> Result<String> {
    let StartContext { directory, port, .. } = context;
    let (data, logs) = (directory.join("data"), directory.join("logs"));
    Ok(format!(
        "cluster.name: redrive-test\nnetwork.host: 127.0.0.1\nhttp.port: {port}\ntransport.port: {}\n\
         discovery.type: single-node\ncluster.routing.allocation.disk.threshold_enabled: false\n\
         path.data: {}\npath.logs: {}\n",
        free_port()?,
        data.display(),
        logs.display()
    ))
}

/// Downloads the distribution and returns its folder.
fn download(folder: &Path) -> Result<PathBuf> {
    eprintln!("downloading {ARTIFACT}");
    // Maven records in its working folder what it has unpacked, and would otherwise skip it after the files were
    // deleted. Therefore it works in the folder that it fills.
    let output = format!("-DoutputDirectory={}", folder.display());
    java::maven(folder, &["dependency:unpack".into(), format!("-Dartifact={ARTIFACT}"), output])?;
    Ok(folder.join(FOLDER))
}

/// The Java home: `OPENSEARCH_JAVA_HOME` > `JAVA_HOME` > the `java` on the `PATH`.
fn java_home() -> Result<PathBuf> {
    if let Some(named) = env::var_os("OPENSEARCH_JAVA_HOME").or_else(|| env::var_os("JAVA_HOME")) {
        return Ok(named.into());
    }
    let path = install::search_path()?;
    let java = env::split_paths(&path).map(|folder| folder.join("java")).find(|java| java.is_file());
    let java = java.context("java is not on the path")?.canonicalize().context("could not resolve the path of java")?;
    let home = java.parent().and_then(Path::parent).context("java is not in the bin folder of a Java home")?;
    Ok(home.to_owned())
}

/// Whether the cluster reports a usable status, not only whether the port is open.
fn answers(address: SocketAddr) -> bool {
    let question = b"GET /_cluster/health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    ask_to_end(address, question).is_ok_and(|answer| {
        answer.starts_with("HTTP/1.1 200") && answer.contains("\"status\":") && !answer.contains("\"status\":\"red\"")
    })
}

#[cfg(test)]
mod with_opensearch {
    use super::answers;

    /// Covers the download, the user, the start and the address.
    #[test]
    fn the_service_in_the_metadata_of_this_package_answers() {
        let address = std::env::var("REDRIVE_TEST_OPENSEARCH").expect("cargo xtask test sets the variable");
        assert!(answers(address.parse().expect("an address")));
    }
}
