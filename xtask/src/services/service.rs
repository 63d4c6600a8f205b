//! One service: found, started, waited for, stopped.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, bail};

use super::install::{self, Package};
use super::process::Process;
use crate::cargo::root;

/// How one service is had.
pub(crate) struct Service {
    pub(crate) name: &'static str,
    /// The program that must be there.
    pub(crate) program: &'static str,
    /// The system's package that brings it.
    pub(crate) package: Package,
    /// Those that run as long as it does, and for it alone.
    pub(crate) needs: &'static [&'static Service],
    /// The command that runs it in the foreground.
    pub(crate) start: fn(&Place<'_>) -> Result<Command>,
    /// Whether it answers, not only listens.
    pub(crate) answers: fn(SocketAddr) -> bool,
}

/// Where a service is to run.
pub(crate) struct Place<'a> {
    /// Empty, and its own.
    pub(super) directory: &'a Path,
    pub(super) port: u16,
    /// The addresses of those that it needs, in their order.
    pub(super) needs: &'a [SocketAddr],
}

/// The longest that a service may take until it answers.
const READY_WITHIN: Duration = Duration::from_secs(120);

/// A service that answers. Dropping it stops the service if this run has started it.
pub(crate) struct Running {
    service: &'static Service,
    pub(super) address: SocketAddr,
    started_here: bool,
}

impl Running {
    /// The variable by which tests find it.
    pub(crate) fn variable(&self) -> String {
        format!("REDRIVE_TEST_{}", identifier(self.service.name).to_uppercase())
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
        install::ensure(self.program, &self.package)?;
        self.down()?;
        let directory = self.directory();
        if directory.exists() {
            fs::remove_dir_all(&directory).with_context(|| format!("could not clear {}", directory.display()))?;
        }
        fs::create_dir_all(&directory).with_context(|| format!("could not create {}", directory.display()))?;
        // Dropped, and so stopped, if this one does not come up.
        let needed: Vec<Running> = self.needs.iter().map(|service| service.up()).collect::<Result<_>>()?;
        let needs: Vec<SocketAddr> = needed.iter().map(|running| running.address).collect();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()?));
        fs::write(directory.join("address"), address.to_string())?;
        let place = Place { directory: &directory, port: address.port(), needs: &needs };
        let mut command = (self.start)(&place)?;
        command.env("PATH", install::search_path()?);
        let process =
            Process::start(&mut command, &directory).with_context(|| format!("could not start {}", self.name))?;
        self.wait_until_it_answers(&process, address)?;
        needed.into_iter().for_each(Running::keep);
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

    /// Stops it, and then what it needed; `false` when it did not run.
    pub(super) fn down(&self) -> Result<bool> {
        let was_running = match Process::recorded_in(&self.directory())? {
            Some(process) => process.stop().map(|()| true).with_context(|| format!("could not stop {}", self.name))?,
            None => false,
        };
        for service in self.needs {
            service.down()?;
        }
        Ok(was_running)
    }
}

/// A service's name as variables and modules spell it.
pub(crate) fn identifier(name: &str) -> String {
    name.replace('-', "_")
}

/// A port that nobody listens on now.
pub(super) fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port on loopback")?;
    Ok(listener.local_addr()?.port())
}
