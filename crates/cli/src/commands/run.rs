//! Dispatches the command line to its command.

use anyhow::Result;
use clap::CommandFactory;

use super::{
    classify, complete, completions, config, doctor, explain, items, lease, letters, man, policy, produce, queue,
    retry, search, serve,
};
use crate::arguments::{Arguments, Command};
use crate::session::Session;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let server = &arguments.server;
    match &arguments.command {
        Command::Serve(arguments) => serve::run(arguments),
        Command::Queue(arguments) => Session::run(server, |session| queue::run(arguments, session)),
        Command::Produce(arguments) => Session::run(server, |session| produce::run(arguments, session)),
        Command::Lease(arguments) => Session::run(server, |session| lease::run(arguments, session)),
        Command::Complete(arguments) => Session::run(server, |session| complete::run(arguments, session)),
        Command::Retry(arguments) => Session::run(server, |session| retry::run(arguments, session)),
        Command::Items(arguments) => Session::run(server, |session| items::run(arguments, session)),
        Command::Letters(arguments) => Session::run(server, |session| letters::run(arguments, session)),
        Command::Search(arguments) => Session::run(server, |session| search::run(arguments, session)),
        Command::Config(arguments) => config::run(arguments),
        Command::Classify(arguments) => classify::run(arguments, server.output),
        Command::Explain(arguments) => explain::run(arguments, server),
        Command::Policy(arguments) => policy::run(arguments),
        Command::Doctor(arguments) => doctor::run(arguments),
        Command::Completions(arguments) => completions::run(arguments, &mut Arguments::command()),
        Command::Man(arguments) => man::run(arguments, Arguments::command()),
    }
}
