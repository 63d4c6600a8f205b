//! Finds, starts and stops a service, and waits until it answers.

use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::{Context, Result, bail};

use super::install::{self, Package};
use super::process::Process;
use crate::cargo::root;

/// The description of a service.
pub(crate) struct Service {
    pub(crate) name: &'static str,
    /// The program that the service needs.
    pub(crate) program: &'static str,
    /// The package of the operating system that contains the program.
    pub(crate) package: Package,
    /// Services that only this service uses, and that start and stop with it.
    pub(crate) needs: &'static [&'static Service],
    /// What it passes to tests in addition to its address.
    pub(crate) variables: &'static [Variable],
    /// The command that runs it in the foreground.
    pub(crate) start: fn(&StartContext<'_>) -> Result<Command>,
    /// Whether it answers, not only listens.
    pub(crate) answers: fn(SocketAddr) -> bool,
}

/// An environment variable that the tests of a service get.
pub(crate) struct Variable {
    /// `CA` stands for `REDRIVE_TEST_<NAME>_CA`.
    pub(super) suffix: &'static str,
    /// Reads the value from the folder of the service: an earlier command may have started it.
    pub(super) value: fn(&Path) -> Result<String>,
}

/// The folder and the addresses with which a service starts.
pub(crate) struct StartContext<'a> {
    /// An empty folder for this service only.
    pub(super) directory: &'a Path,
    pub(super) port: u16,
    /// The addresses of the services that it needs, in the order of `Service::needs`.
    pub(super) needs: &'a [SocketAddr],
}

/// The time limit for a started service to answer.
const READY_WITHIN: Duration = Duration::from_secs(120);

/// A running service. Dropping it stops the service if this run has started it.
pub(crate) struct Running {
    service: &'static Service,
    pub(super) address: SocketAddr,
    started_here: bool,
}

impl Running {
    /// The environment variables of its tests, with their values. The first one has the address.
    pub(crate) fn variables(&self) -> Result<Vec<(String, String)>> {
        let directory = self.service.directory();
        let name = format!("REDRIVE_TEST_{}", identifier(self.service.name).to_uppercase());
        let mut variables = vec![(name.clone(), self.address.to_string())];
        for Variable { suffix, value } in self.service.variables {
            variables.push((format!("{name}_{suffix}"), value(&directory)?));
        }
        Ok(variables)
    }

    /// Keeps the service running after this command.
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
        let folder = path.parent().context("the lock file has no folder")?;
        fs::create_dir_all(folder).with_context(|| format!("could not create {}", folder.display()))?;
        let file = fs::File::create(&path).with_context(|| format!("could not create {}", path.display()))?;
        file.lock().with_context(|| format!("could not lock {}", path.display()))?;
        Ok(file)
    }

    fn directory(&self) -> PathBuf {
        root().join("target/services").join(self.name)
    }

    /// The process of an earlier start that still runs, with its address.
    pub(super) fn find(&self) -> Result<Option<(Process, SocketAddr)>> {
        let Some(process) = Process::recorded_in(&self.directory())? else { return Ok(None) };
        let address = fs::read_to_string(self.directory().join("address"));
        let address = address.context("could not read the address of the service")?;
        Ok(Some((process, address.trim().parse().context("could not parse the address of the service")?)))
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
        // Dropped, and so stopped, if the service itself does not start.
        let needed: Vec<Running> = self.needs.iter().map(|service| service.up()).collect::<Result<_>>()?;
        let needs: Vec<SocketAddr> = needed.iter().map(|running| running.address).collect();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, free_port()?));
        fs::write(directory.join("address"), address.to_string())?;
        let context = StartContext { directory: &directory, port: address.port(), needs: &needs };
        let mut command = (self.start)(&context)?;
        command.env("PATH", install::search_path()?);
        let process =
            Process::start(&mut command, &directory).with_context(|| format!("could not start {}", self.name))?;
        self.wait_for_answer(&process, address)?;
        needed.into_iter().for_each(Running::keep);
        Ok(Running { service: self, address, started_here: true })
    }

    #[expect(clippy::disallowed_methods, reason = "the start of another program can only be detected by polling")]
    fn wait_for_answer(&self, process: &Process, address: SocketAddr) -> Result<()> {
        let begin = Instant::now();
        while begin.elapsed() < READY_WITHIN {
            if (self.answers)(address) {
                return Ok(());
            }
            if !process.is_running() {
                bail!("{} ended before it answered; its log is {}", self.name, self.directory().join("log").display());
            }
            thread::sleep(Duration::from_millis(20));
        }
        self.down()?;
        let log = self.directory().join("log");
        bail!("{} did not answer within {READY_WITHIN:?}; its log is {}", self.name, log.display())
    }

    /// Stops the service and then the services that it needs; returns whether it was running.
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

/// Sends a question to a service, whose answer can then be read from the stream. Each part of it may take five seconds.
pub(super) fn ask(address: SocketAddr, question: &[u8]) -> std::io::Result<TcpStream> {
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    stream.write_all(question)?;
    Ok(stream)
}

/// The whole answer to a question after which the service closes the connection.
pub(super) fn ask_to_end(address: SocketAddr, question: &[u8]) -> std::io::Result<String> {
    std::io::read_to_string(ask(address, question)?)
}

pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("could not write {}", path.display()))
}

/// The name of a service as variables and modules spell it.
pub(crate) fn identifier(name: &str) -> String {
    name.replace('-', "_")
}

/// A port without a listener.
pub(super) fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port on loopback")?;
    Ok(listener.local_addr()?.port())
}
