//! Whether callers are asked who they are.

/// Whether callers are asked who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuthMode {
    /// Everybody may do everything.
    #[default]
    None,
    /// By keys and roles that this server keeps. Whoever has no role may do nothing.
    Internal,
}

/// Where a key is good that was made for one namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyScope {
    /// In that namespace alone, whatever roles its user has elsewhere.
    #[default]
    Strict,
    /// In `_system`, too, as Querator has it.
    Querator,
}

/// Who may do everything on a new server, so that there is somebody who can let others in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Bootstrap {
    /// Whoever has the administrator's key: the first start makes one, which is shown once.
    #[default]
    Key,
    /// Whoever shows no key, as Querator has it.
    Anonymous,
}
