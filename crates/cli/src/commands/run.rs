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
        Command::Queue(audited) => audited.run(server, queue::run),
        Command::Produce(arguments) => Session::run(server, |session| produce::run(arguments, session)),
        Command::Lease(arguments) => Session::run(server, |session| lease::run(arguments, session)),
        Command::Complete(arguments) => Session::run(server, |session| complete::run(arguments, session)),
        Command::Retry(arguments) => Session::run(server, |session| retry::run(arguments, session)),
        Command::Items(action) => Session::run(server, |session| items::run(action, session)),
        Command::Letters(arguments) => Session::run(server, |session| letters::run(arguments, session)),
        Command::Search(audited) => audited.run(server, search::run),
        Command::Namespace(audited) => audited.run(server, namespace::run),
        Command::User(audited) => audited.run(server, user::run),
        Command::Key(audited) => audited.run(server, key::run),
        Command::Role(audited) => audited.run(server, role::run),
        Command::Route(audited) => audited.run(server, route::run),
        Command::Binding(audited) => audited.run(server, binding::run),
        Command::Whoami(arguments) => Session::run(server, async |session| whoami::run(arguments, &session).await),
        Command::Context(action) => context::run(action, server),
        Command::Audit(action) => audit::run(action, server),
        Command::Consume(action) => Session::run(server, |session| consume::run(action, session)),
        Command::Config(action) => config::run(action, server),
        Command::Classify(arguments) => classify::run(arguments, server.format()),
        Command::Explain(arguments) => explain::run(arguments, server),
        Command::Policy(action) => policy::run(action, server.format()),
        Command::Doctor(action) => doctor::run(action, server.format()),
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
