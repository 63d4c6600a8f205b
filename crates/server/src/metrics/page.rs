//! Prometheus' text form.

use std::fmt::{Display, Write};

/// A page of metrics. The lines of one name stand together, under what it means.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
}

impl Page {
    pub(super) fn begin(&mut self, name: &str, kind: &str, means: &str) {
        self.line(format_args!("# HELP {name} {means}"));
        self.line(format_args!("# TYPE {name} {kind}"));
    }

    pub(super) fn value(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let labels: Vec<String> = labels.iter().map(|(label, text)| format!("{label}=\"{}\"", escaped(text))).collect();
        match labels.as_slice() {
            [] => self.line(format_args!("{name} {value}")),
            labels => self.line(format_args!("{name}{{{}}} {value}", labels.join(","))),
        }
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing into a string cannot fail.
        let _written = writeln!(self.text, "{line}");
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
