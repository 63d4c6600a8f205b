//! What a test finds on a page of the documentation.
//!
//! Every `console` block is run, from the first to the last, in one shell, and each command prints what the page shows: `…`
//! stands for any text, and no output for none. Comments that readers do not see direct the test:
//!
//! - `<!-- not run: REASON -->` above a block: its commands cannot run in a test. The block shows no output.
//! - `<!-- page not run: REASON -->`: none of the page's commands can.
//! - `<!-- run before: COMMANDS -->`: prepares what the next block assumes, such as a file of the reader, or waits until
//!   the server has done what the text says.
//! - `<!-- stands for: TEXT = COMMAND -->`: the following commands contain a text, such as the id of a letter, that is
//!   different for each reader. The command prints it.
//! - `<!-- file: NAME -->` above a block of any language: the reader saves it under this name.

/// What to do for a part of a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Commands that readers do not see.
    Prepare(String),
    /// A text of the following commands, such as an id, that stands for the output of a command.
    Define { placeholder: String, command: String },
    /// A file that the reader saves.
    File { name: String, content: String },
    /// A command, and the output that the page shows below it.
    Run { command: String, shown: String },
}

/// What a comment says about the block below it.
#[derive(Debug)]
enum Directive {
    NotRun(String),
    File(String),
}

#[derive(Debug, Default)]
pub(super) struct Page {
    pub(super) steps: Vec<Step>,
    /// The reasons of the blocks that are not run.
    pub(super) not_run: Vec<String>,
    /// The reason why no block is run.
    pub(super) page_not_run: Option<String>,
}

impl Page {
    pub(super) fn parse(text: &str) -> Self {
        let mut page = Self::default();
        let mut directive: Option<Directive> = None;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(found) = comment(line, &mut lines) {
                let (name, value) = found.split_once(':').unwrap_or((&found, ""));
                let value = value.trim().to_owned();
                match name.trim() {
                    "run before" => page.steps.push(Step::Prepare(value)),
                    "stands for" => {
                        let (placeholder, command) = value.split_once(" = ").expect("PLACEHOLDER = COMMAND");
                        let (placeholder, command) = (placeholder.to_owned(), command.to_owned());
                        page.steps.push(Step::Define { placeholder, command });
                    }
                    "page not run" => page.page_not_run = Some(value),
                    "not run" => directive = Some(Directive::NotRun(value)),
                    "file" => directive = Some(Directive::File(value)),
                    _ => {}
                }
            } else if let Some(language) = line.trim_start().strip_prefix("```") {
                let block: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != "```").collect();
                page.add(language, &block, directive.take());
            } else {
                assert!(directive.is_none() || line.is_empty(), "{directive:?} is not directly above a block: {line}");
            }
        }
        assert!(directive.is_none(), "{directive:?} is above no block");
        page
    }

    fn add(&mut self, language: &str, block: &[&str], directive: Option<Directive>) {
        let is_shell = matches!(language, "console" | "sh" | "bash" | "shell");
        match directive {
            Some(Directive::File(name)) => {
                let content = block.iter().flat_map(|line| [*line, "\n"]).collect();
                self.steps.push(Step::File { name, content });
            }
            Some(Directive::NotRun(reason)) => {
                assert!(is_shell && !reason.is_empty(), "a block of {language:?} is never run: {reason}");
                let shows_output = |step: &Step| matches!(step, Step::Run { shown, .. } if !shown.is_empty());
                assert!(!commands(block).iter().any(shows_output), "an output is shown and not compared: {block:?}");
                self.not_run.push(reason);
            }
            None if is_shell => self.steps.extend(commands(block)),
            None => {}
        }
    }
}

/// A whole HTML comment that begins on this line.
fn comment<'t>(line: &'t str, more: &mut impl Iterator<Item = &'t str>) -> Option<String> {
    let mut text = line.strip_prefix("<!--")?.to_owned();
    while !text.trim_end().ends_with("-->") {
        text.push('\n');
        text.push_str(more.next().expect("a comment ends"));
    }
    Some(text.trim_end().trim_end_matches("-->").trim().to_owned())
}

/// The commands of a block, each with the output below it. A command continues after a backslash.
fn commands(block: &[&str]) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut lines = block.iter();
    while let Some(line) = lines.next() {
        if let Some(command) = line.strip_prefix("$ ") {
            let mut command = command.to_owned();
            while command.ends_with('\\') {
                command.push('\n');
                command.push_str(lines.next().expect("a command continues after a backslash"));
            }
            steps.push(Step::Run { command, shown: String::new() });
        } else if let Some(Step::Run { shown, .. }) = steps.last_mut() {
            shown.push_str(line);
            shown.push('\n');
        } else {
            panic!("a block begins with a command, not with {line:?}");
        }
    }
    steps
}

#[test]
fn a_page_has_commands_with_their_outputs_files_and_reasons() {
    let text = "\
<!-- run before:
touch one
touch two
-->

```console
$ echo a \\
    b
a b
$ true # nothing
```

<!-- file: x.toml -->
```toml
a = 1
```

<!-- not run: it needs systemd -->
```console
$ systemctl start redrive
```
";
    let page = Page::parse(text);
    let run = |command: &str, shown: &str| Step::Run { command: command.to_owned(), shown: shown.to_owned() };
    assert_eq!(
        page.steps,
        [
            Step::Prepare("touch one\ntouch two".to_owned()),
            run("echo a \\\n    b", "a b\n"),
            run("true # nothing", ""),
            Step::File { name: "x.toml".to_owned(), content: "a = 1\n".to_owned() },
        ]
    );
    assert_eq!(page.not_run, ["it needs systemd"]);
}
