//! The tree of commands, as `--help` prints it.

use crate::redrive;

/// An option that takes a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueOption {
    /// The long name, with its dashes.
    pub(crate) name: String,
    /// Whether every command has it.
    pub(crate) is_global: bool,
}

fn help(command: &[String]) -> String {
    let words: Vec<&str> = command.iter().map(String::as_str).chain(["--help"]).collect();
    redrive(&words).stdout
}

/// All visible commands without subcommands, below a command.
pub(crate) fn leaves(command: &[String]) -> Vec<Vec<String>> {
    let help = help(command);
    let Some(list) = help.split("\nCommands:\n").nth(1) else { return vec![command.to_vec()] };
    let list = list.split("\n\n").next().unwrap();
    let names = list.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.flat_map(|name| leaves(&[command, &[name.to_owned()]].concat())).collect()
}

/// The visible options of a command that take a value.
pub(crate) fn value_options(command: &[String]) -> Vec<ValueOption> {
    let help = help(command);
    let (mut is_global, mut found) = (false, Vec::new());
    for line in help.lines() {
        if !line.is_empty() && !line.starts_with(' ') {
            is_global = line == "Global options:";
        }
        let indent = line.len() - line.trim_start().len();
        let mut words = line.split_whitespace().skip_while(|word| !word.starts_with("--"));
        // The description of an option is indented further.
        let is_option = line.trim_start().starts_with('-') && indent <= 6;
        if let (true, Some(name), Some(value)) = (is_option, words.next(), words.next())
            && value.starts_with(['<', '['])
        {
            found.push(ValueOption { name: name.to_owned(), is_global });
        }
    }
    found
}

/// The examples in the help of a command. A long one is wrapped.
pub(crate) fn examples(command: &[String]) -> Vec<String> {
    let help = help(command);
    let shown = help.split("Examples:\n").nth(1).or_else(|| help.split("Example:\n").nth(1));
    let shown = shown.unwrap_or_else(|| panic!("{command:?} has no example"));
    let mut examples: Vec<String> = Vec::new();
    for line in shown.split("\n\n").next().unwrap().lines() {
        match examples.last_mut() {
            Some(last) if !line.starts_with("  redrive") => *last += &format!(" {}", line.trim()),
            _ => examples.push(line.trim().to_owned()),
        }
    }
    let start = format!("redrive {}", command.join(" "));
    assert!(examples.iter().any(|example| example.contains(&start)), "{command:?}: {examples:?}");
    examples
}
