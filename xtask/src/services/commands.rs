//! The subcommands up, down and status.

use anyhow::{Context, Result, bail};

use super::{Running, SERVICES, Service};

#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Install missing packages, start the services, and wait until they answer.
    Up {
        /// The services to start; all by default.
        names: Vec<String>,
    },
    /// Stop services that `up` has started.
    Down {
        /// The services to stop; all by default.
        names: Vec<String>,
    },
    /// List all services with their state and address.
    Status,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    match &arguments.action {
        Action::Up { names } => {
            for service in named(names)? {
                let running = service.up()?;
                for (number, (variable, value)) in running.variables()?.into_iter().enumerate() {
                    let (name, state) = if number == 0 { (service.name, "up") } else { ("", "") };
                    println!("{name:<14} {state:<5} {value}  {variable}");
                }
                running.keep();
            }
        }
        Action::Down { names } => {
            for service in named(names)? {
                let was_running = service.down()?;
                println!("{:<14} {}", service.name, if was_running { "stopped" } else { "was not running" });
            }
        }
        Action::Status => {
            for service in SERVICES {
                match service.find()? {
                    Some((process, address)) => println!("{:<14} up    {address}  pid {}", service.name, process.pid()),
                    None => println!("{:<14} down", service.name),
                }
            }
        }
    }
    Ok(())
}

/// Starts the service with this name, unless it already runs.
pub(crate) fn up(name: &str) -> Result<Running> {
    named(&[name.to_owned()])?.first().map_or_else(|| bail!("no service is named '{name}'"), |service| service.up())
}

#[cfg(test)]
pub(crate) fn is_known(name: &str) -> bool {
    named(&[name.to_owned()]).is_ok()
}

fn named(names: &[String]) -> Result<Vec<&'static Service>> {
    if names.is_empty() {
        return Ok(SERVICES.iter().collect());
    }
    let find = |name: &String| {
        SERVICES.iter().find(|service| service.name == name).with_context(|| {
            let known: Vec<_> = SERVICES.iter().map(|service| service.name).collect();
            format!("no service is named '{name}'; known services: {}", known.join(", "))
        })
    };
    names.iter().map(find).collect()
}
