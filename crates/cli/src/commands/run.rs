//! Dispatches the command line to its command.

use anyhow::Result;
use clap::CommandFactory;

use super::{
    audit, binding, classify, complete, completions, config, consume, context, doctor, explain, items, key, lease,
    letters, man, namespace, policy, produce, queue, retry, role, route, search, serve, status, user, whoami,
};
use crate::arguments::{Arguments, Command};
use crate::session::Session;

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let server = &arguments.server;
    match &arguments.command {
        Command::Serve(arguments) => {
            server.reject_json("set the format of its log with log.format")?;
            serve::run(arguments)
        }
        Command::Status(arguments) => Session::run(server, async |session| status::run(arguments, &session).await),
        Command::Queue(arguments) => Session::run(server, |session| queue::run(arguments, session)),
        Command::Produce(arguments) => Session::run(server, |session| produce::run(arguments, session)),
        Command::Lease(arguments) => Session::run(server, |session| lease::run(arguments, session)),
        Command::Complete(arguments) => Session::run(server, |session| complete::run(arguments, session)),
        Command::Retry(arguments) => Session::run(server, |session| retry::run(arguments, session)),
        Command::Items(arguments) => Session::run(server, |session| items::run(arguments, session)),
        Command::Letters(arguments) => Session::run(server, |session| letters::run(arguments, session)),
        Command::Search(arguments) => Session::run(server, |session| search::run(arguments, session)),
        Command::Namespace(arguments) => Session::run(server, |session| namespace::run(arguments, session)),
        Command::User(arguments) => Session::run(server, |session| user::run(arguments, session)),
        Command::Key(arguments) => Session::run(server, |session| key::run(arguments, session)),
        Command::Role(arguments) => Session::run(server, |session| role::run(arguments, session)),
        Command::Route(arguments) => Session::run(server, |session| route::run(arguments, session)),
        Command::Binding(arguments) => Session::run(server, |session| binding::run(arguments, session)),
        Command::Whoami(arguments) => Session::run(server, async |session| whoami::run(arguments, &session).await),
        Command::Context(arguments) => context::run(arguments, server),
        Command::Audit(arguments) => audit::run(arguments, server),
        Command::Consume(arguments) => Session::run(server, |session| consume::run(arguments, session)),
        Command::Config(arguments) => config::run(arguments, server),
        Command::Classify(arguments) => classify::run(arguments, server.format()),
        Command::Explain(arguments) => explain::run(arguments, server),
        Command::Policy(arguments) => policy::run(arguments, server.format()),
        Command::Doctor(arguments) => doctor::run(arguments, server.format()),
        Command::Completions(arguments) => {
            server.reject_json("it prints a script")?;
            completions::run(arguments, &mut Arguments::command())
        }
        Command::Man(arguments) => {
            server.reject_json("it prints a manual page")?;
            man::run(arguments, Arguments::command())
        }
    }
}
