//! The keys of a mailbox.

use redrive_mailbox::{MailboxName, MessageId};

/// The keys of a mailbox. All have one hash tag, so that a cluster keeps them on one node.
#[derive(Debug, Clone)]
pub(crate) struct MailboxKeys {
    /// The beginning of all keys with the same hash tag: the namespace, which has no braces, and the tag.
    tag: String,
    prefix: String,
    parts: [String; 8],
}

/// The order in which the scripts expect them.
const PARTS: [&str; 8] = ["pending", "invisible", "data", "meta", "expires", "wake", "voided", "delayed"];

impl MailboxKeys {
    pub(crate) fn new(namespace: &str, name: &MailboxName) -> Self {
        let tag = tag(namespace, name);
        Self::with_prefix(tag.clone(), tag)
    }

    /// The keys of a mailbox of letters that shares the tag of its source. The braces around its name, which no name
    /// contains, keep it apart from other keys; only the first braces of a key are its tag.
    pub(crate) fn of_letters(namespace: &str, source: &MailboxName, name: &MailboxName) -> Self {
        let tag = tag(namespace, source);
        Self::with_prefix(format!("{tag}:dlq:{{{name}}}"), tag)
    }

    fn with_prefix(prefix: String, tag: String) -> Self {
        let parts = PARTS.map(|part| format!("{prefix}:{part}"));
        Self { tag, prefix, parts }
    }

    /// The keys of the mailbox, in the order of the scripts.
    pub(crate) fn parts(&self) -> &[String; 8] {
        &self.parts
    }

    pub(crate) fn wake(&self) -> &str {
        &self.parts[5]
    }

    /// Remembers an operation.
    pub(crate) fn operation(&self, id: &str) -> String {
        format!("{}:op:{id}", self.prefix)
    }

    /// Remembers an explicit id.
    pub(crate) fn accepted(&self, id: &MessageId) -> String {
        format!("{}:accepted:{id}", self.prefix)
    }

    pub(crate) fn probe(&self) -> String {
        format!("{}:probe", self.prefix)
    }

    #[cfg(feature = "manual-clock")]
    pub(crate) fn clock(&self) -> String {
        format!("{}:clock", self.tag)
    }

    /// Whether one script may use the keys of both on a cluster.
    pub(crate) fn has_tag_of(&self, other: &Self) -> bool {
        self.tag == other.tag
    }
}

fn tag(namespace: &str, name: &MailboxName) -> String {
    format!("{namespace}{{queue:{name}}}")
}

/// The pattern of all keys of a namespace, as an ACL has it.
pub(crate) fn pattern(namespace: &str) -> String {
    format!("~{namespace}{{queue:*")
}

#[cfg(test)]
mod tests {
    use redrive_mailbox::{MailboxName, MessageId};

    use super::MailboxKeys;

    /// Two mailboxes, or a key of a mailbox and another mailbox, must never share a key.
    #[test]
    fn no_choice_of_names_and_ids_makes_two_keys_equal() {
        let namespaces = ["", "a:", "queue:a:", "a:queue:"];
        let names = [
            "a",
            "b",
            "a:queue:b",
            "queue:b",
            "a:pending",
            "a:dlq",
            "a:dlq:b",
            "dlq",
            "b:op",
            "b:accepted:x",
            "pending",
            "x",
        ];
        let names = names.map(|name| MailboxName::new(name).unwrap());
        let ids = ["x", "pending", "dlq:b:pending", "x:op:x", "{b}:pending"].map(|id| MessageId::new(id).unwrap());
        let mut all = Vec::new();
        for (namespace, name) in namespaces.iter().flat_map(|namespace| names.iter().map(move |name| (namespace, name)))
        {
            let mut mailboxes = vec![MailboxKeys::new(namespace, name)];
            mailboxes.extend(names.iter().map(|letters| MailboxKeys::of_letters(namespace, name, letters)));
            for keys in mailboxes {
                all.extend(keys.parts().iter().cloned());
                all.push(keys.probe());
                all.extend(ids.iter().map(|id| keys.accepted(id)));
                all.push(keys.operation("0123"));
            }
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
