//! Metrics that are read when the page is requested, in the text format of Prometheus.

use std::fmt::Display;

use metrics_exporter_prometheus::formatting::{sanitize_label_value, write_help_line, write_type_line};
use redrive_core::Span;

/// A page of metrics. The lines of one name must follow each other, after its help text and type.
#[derive(Debug, Default)]
pub(super) struct Page {
    text: String,
}

impl Page {
    /// All lines of a name: the labels and the value of each series.
    pub(super) fn metric<'l, const N: usize>(
        &mut self,
        name: &str,
        kind: &str,
        help: &str,
        series: impl IntoIterator<Item = ([(&'l str, &'l str); N], impl Display)>,
    ) {
        self.begin(name, kind, help);
        for (labels, value) in series {
            self.value(name, &labels, value);
        }
    }

    /// The lines of one series of a histogram: the count of each bucket by its upper bound.
    pub(super) fn histogram(
        &mut self,
        name: &str,
        labels: &[(&str, &str)],
        buckets: impl Iterator<Item = (Span, u64)>,
        (total, count): (Span, u64),
    ) {
        let bucket = format!("{name}_bucket");
        let mut sum = 0;
        for (bound, count) in buckets {
            sum += count;
            self.value(&bucket, &[labels, &[("le", &seconds(bound).to_string())]].concat(), sum);
        }
        self.value(&bucket, &[labels, &[("le", "+Inf")]].concat(), count);
        self.value(&format!("{name}_sum"), labels, seconds(total));
        self.value(&format!("{name}_count"), labels, count);
    }

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

#[expect(clippy::cast_precision_loss, reason = "a metric is a float")]
pub(super) fn seconds(span: Span) -> f64 {
    span.as_micros() as f64 / 1e6
}
