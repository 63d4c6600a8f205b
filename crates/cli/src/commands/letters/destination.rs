//! `--destination`: the letters for one destination.

use super::group::and;

/// The option of commands that select letters by a filter.
#[derive(Debug, clap::Args)]
pub(super) struct DestinationOption {
    /// Only letters for this destination, as letters show prints it: for an item that died, the queue in which it died.
    #[arg(long, value_name = "NAME")]
    pub(super) destination: Option<String>,
}

impl DestinationOption {
    /// A filter that also requires the destination.
    pub(super) fn narrow(&self, filter: &str) -> String {
        match &self.destination {
            // A text in JSON is a text in CEL.
            Some(destination) => and(filter, &format!("destination == {}", serde_json::json!(destination))),
            None => filter.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::DestinationOption;

    #[test]
    fn a_destination_is_one_text_of_the_filter() {
        let narrow = |name: &str, filter| DestinationOption { destination: Some(name.to_owned()) }.narrow(filter);
        assert_eq!(narrow("bank", ""), "destination == \"bank\"");
        assert_eq!(narrow("a\" || true", "x == 1 || y == 2"), "(x == 1 || y == 2) && destination == \"a\\\" || true\"");
    }
}
