//! One service: found, started, waited for, stopped.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, bail};

use super::install;
use super::process::Process;
use crate::cargo::root;

/// How one service is had.
pub(crate) struct Service {
    pub(crate) name: &'static str,
    /// The program that must be there.
    pub(crate) program: &'static str,
    /// The system's package that brings it.
    pub(crate) package: &'static str,
    /// The command that runs it in the foreground.
    pub(crate) start: fn(directory: &Path, port: u16) -> Command,
    /// Whether it answers, not only listens.
    pub(crate) answers: fn(SocketAddr) -> bool,
}

/// The longest that a service may take until it answers.
const READY_WITHIN: Duration = Duration::from_secs(60);

/// A service that answers. Dropping it stops the service if this run has started it.
pub(crate) struct Running {
    service: &'static Service,
    pub(super) address: SocketAddr,
    started_here: bool,
}

impl Running {
    /// The variable by which tests find it.
    pub(crate) fn variable(&self) -> String {
        format!("REDRIVE_TEST_{}", self.service.name.to_uppercase())
    }

    pub(crate) fn address(&self) -> String {
        self.address.to_string()
    }

    /// Lets the service run on after this command.
    pub(super) fn keep(mut self) {
        self.started_here = false;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.started_here
            && let Err(error) = self.service.down()
        {
            eprintln!("could not stop {}: {error:#}", self.service.name);
        }
    }
}

impl Service {
    fn lock(&self) -> Result<fs::File> {
        let path = self.directory().with_extension("lock");
        let folder = path.parent().context("a lock has a folder")?;
        fs::create_dir_all(folder).with_context(|| format!("could not create {}", folder.display()))?;
        let file = fs::File::create(&path).with_context(|| format!("could not create {}", path.display()))?;
        file.lock().with_context(|| format!("could not lock {}", path.display()))?;
        Ok(file)
    }

    fn directory(&self) -> PathBuf {
        root().join("target/services").join(self.name)
    }

    /// The process that was started earlier and still runs, with its address.
    pub(super) fn find(&self) -> Result<Option<(Process, SocketAddr)>> {
        let Some(process) = Process::recorded_in(&self.directory())? else { return Ok(None) };
        let address = fs::read_to_string(self.directory().join("address")).context("the service's address is lost")?;
        Ok(Some((process, address.trim().parse().context("the service's address cannot be read")?)))
    }

    pub(super) fn up(&'static self) -> Result<Running> {
        // Two runs that need the same service must not both start it.
        let _lock = self.lock()?;
        if let Some((_, address)) = self.find()?
            && (self.answers)(address)
        {
            return Ok(Running { service: self, address, started_here: false });
        }
        install::ensure(self.program, self.package)?;
        self.down()?;
        let directory = self.directory();
        if directory.exists() {
            fs::remove_dir_all(&directory).with_context(|| format!("could not clear {}", directory.display()))?;
        }
        fs::create_dir_all(&directory).with_context(|| format!("could not create {}", directory.display()))?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()?));
        fs::write(directory.join("address"), address.to_string())?;
        let mut command = (self.start)(&directory, address.port());
        command.env("PATH", install::search_path()?);
        let process =
            Process::start(&mut command, &directory).with_context(|| format!("could not start {}", self.name))?;
        self.wait_until_it_answers(&process, address)?;
        Ok(Running { service: self, address, started_here: true })
    }

    #[expect(clippy::disallowed_methods, reason = "another program's start gives no signal but an answer")]
    fn wait_until_it_answers(&self, process: &Process, address: SocketAddr) -> Result<()> {
        let begin = Instant::now();
        while begin.elapsed() < READY_WITHIN {
            if (self.answers)(address) {
                return Ok(());
            }
            if !process.is_running() {
                bail!("{} ended at once; its log is {}", self.name, self.directory().join("log").display());
            }
            thread::sleep(Duration::from_millis(20));
        }
        self.down()?;
        let log = self.directory().join("log");
        bail!("{} did not answer within {READY_WITHIN:?}; its log is {}", self.name, log.display())
    }

    /// Stops it; `false` when it did not run.
    pub(super) fn down(&self) -> Result<bool> {
        match Process::recorded_in(&self.directory())? {
            Some(process) => process.stop().map(|()| true).with_context(|| format!("could not stop {}", self.name)),
            None => Ok(false),
        }
    }
}

/// A port that nobody listens on now.
fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port on loopback")?;
    Ok(listener.local_addr()?.port())
}
