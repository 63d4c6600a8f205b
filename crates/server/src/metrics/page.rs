//! Metrics that are read when the page is requested, in the text format of Prometheus.

use std::fmt::Display;

use metrics_exporter_prometheus::formatting::{sanitize_label_value, write_help_line, write_type_line};

/// A page of metrics. The lines of one name must follow each other, after its help text and type.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
}

impl Page {
    pub(super) fn begin(&mut self, name: &str, kind: &str, help: &str) {
        write_help_line(&mut self.text, name, None, None, help);
        write_type_line(&mut self.text, name, None, None, kind);
    }

    pub(super) fn value(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let label = |(label, text): &(&str, &str)| format!("{label}=\"{}\"", sanitize_label_value(text));
        let labels = labels.iter().map(label).collect::<Vec<_>>().join(",");
        let labels = if labels.is_empty() { labels } else { format!("{{{labels}}}") };
        self.text += &format!("{name}{labels} {value}\n");
    }

    pub(super) fn into_text(self) -> String {
        self.text
    }
}
