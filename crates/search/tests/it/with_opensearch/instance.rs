//! A separate OpenSearch instance, which a test can stop and restart.

use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::fixture::shared;
use crate::waiting::TIMEOUT;

/// The directory of the instance, and its process while it runs.
pub(super) struct Instance {
    directory: PathBuf,
    home: PathBuf,
    port: u16,
    child: Option<Child>,
}

/// OpenSearch refuses to run as root; root runs it as this user.
const UNPRIVILEGED_USER: &str = "nobody";

impl Instance {
    /// Starts an instance from the distribution of the shared OpenSearch.
    pub(super) async fn start(name: &str) -> Self {
        let home = home().await;
        // Beside the distribution, which the unprivileged user can access; the build directory may be inaccessible.
        let directory = home.parent().unwrap().join(format!("opensearch-{name}-{}", std::process::id()));
        if directory.exists() {
            fs::remove_dir_all(&directory).unwrap();
        }
        for folder in ["config", "data", "logs", "tmp"] {
            fs::create_dir_all(directory.join(folder)).unwrap();
        }
        let (port, transport) = (free_port(), free_port());
        let settings = format!(
            "cluster.name: redrive-{name}\nnetwork.host: 127.0.0.1\nhttp.port: {port}\ntransport.port: {transport}\n\
             discovery.type: single-node\ncluster.routing.allocation.disk.threshold_enabled: false\n\
             path.data: {0}/data\npath.logs: {0}/logs\n",
            directory.display()
        );
        let config = directory.join("config");
        fs::write(config.join("opensearch.yml"), settings).unwrap();
        let options = "-Xms384m\n-Xmx384m\n-XX:+UseSerialGC\n18-:-Djava.security.manager=allow\n\
            -Djava.io.tmpdir=${OPENSEARCH_TMPDIR}\n";
        fs::write(config.join("jvm.options"), options).unwrap();
        fs::copy(home.join("config/log4j2.properties"), config.join("log4j2.properties")).unwrap();
        if is_root() {
            for folder in ["", "config", "data", "logs", "tmp"] {
                chown(directory.join(folder), Some(id("--user")), Some(id("--group"))).unwrap();
            }
        }
        let mut instance = Self { directory, home, port, child: None };
        instance.resume().await;
        instance
    }

    pub(super) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Starts the process with the existing data.
    pub(super) async fn resume(&mut self) {
        let log = File::options().create(true).append(true).open(self.directory.join("log")).unwrap();
        let program = self.home.join("bin/opensearch");
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command
                .args(["--reuid", UNPRIVILEGED_USER, "--regid", &id("--group").to_string(), "--clear-groups"])
                .arg(program);
            command
        } else {
            Command::new(program)
        };
        command
            .env("OPENSEARCH_PATH_CONF", self.directory.join("config"))
            .env("OPENSEARCH_TMPDIR", self.directory.join("tmp"))
            .env("OPENSEARCH_JAVA_HOME", java_home())
            .env_remove("OPENSEARCH_JAVA_OPTS")
            .current_dir(&self.directory)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log);
        self.child = Some(command.spawn().unwrap());
        let answers = async {
            // An answer is the only signal that another program has started.
            while !self.is_well().await {
                if let Some(end) = self.child.as_mut().unwrap().try_wait().unwrap() {
                    panic!("OpenSearch ended with {end}: {}", self.log_tail());
                }
                sleep(Duration::from_millis(100)).await;
            }
        };
        let is_up = timeout(TIMEOUT, answers).await.is_ok();
        assert!(is_up, "OpenSearch does not answer: {}", self.log_tail());
    }

    /// Returns the end of its log.
    fn log_tail(&self) -> String {
        let log = fs::read(self.directory.join("log")).unwrap();
        String::from_utf8_lossy(&log[log.len().saturating_sub(4096)..]).into_owned()
    }

    async fn is_well(&self) -> bool {
        let Ok(answer) = reqwest::get(format!("{}/_cluster/health", self.url())).await else { return false };
        let Ok(health) = answer.bytes().await else { return false };
        let health: Value = serde_json::from_slice(&health).unwrap_or_default();
        matches!(health["status"].as_str(), Some("green" | "yellow"))
    }

    /// Kills the process.
    pub(super) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }

    /// Suspends the process: it listens, but does not answer.
    pub(super) fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    pub(super) fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(self.child.as_ref().unwrap()), signal).unwrap();
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        self.kill();
        fs::remove_dir_all(&self.directory).unwrap();
    }
}

async fn home() -> PathBuf {
    let answer = reqwest::get(format!("{}/_nodes/_local/settings", shared())).await.unwrap().bytes().await.unwrap();
    let answer: Value = serde_json::from_slice(&answer).unwrap();
    let node = answer["nodes"].as_object().unwrap().values().next().unwrap();
    node["settings"]["path"]["home"].as_str().unwrap().into()
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn id(what: &str) -> u32 {
    let output = Command::new("id").args([what, UNPRIVILEGED_USER]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().parse().unwrap()
}

fn java_home() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    let java = std::env::split_paths(&path).map(|folder| folder.join("java")).find(|java| java.is_file()).unwrap();
    java.canonicalize().unwrap().parent().unwrap().parent().unwrap().to_owned()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
