//! The settings of authentication.

/// How callers are authenticated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthMode {
    /// No authentication: every caller has all permissions.
    #[default]
    None,
    /// By API keys and roles that the server stores. A caller without a role has no permissions.
    Internal,
}

/// Where an API key that is scoped to a namespace is valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyScope {
    /// In that namespace only, whatever roles its user has elsewhere.
    #[default]
    Strict,
    /// In that namespace and in `_system`, as in Querator.
    Querator,
}

/// Who gets all permissions on a new server, and can then create users, keys and roles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bootstrap {
    /// The administrator. Without a key file, the first start generates the API key and shows it once.
    #[default]
    Key,
    /// Every caller without an API key, as in Querator.
    Anonymous,
}
