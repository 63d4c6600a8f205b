//! Why a setting cannot be used in a build without an adapter.

pub(crate) fn reason(feature: &str) -> String {
    format!("this program was built without {feature}; build it with the cargo feature '{feature}'")
}
