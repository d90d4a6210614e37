//! Constraints between the keys of a table.

/// A constraint on the keys of one table.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// At most one of these groups may have keys in the table.
    Apart {
        /// Groups of keys that exclude each other.
        groups: &'static [&'static [&'static str]],
        /// Label below the misplaced key in the error.
        label: &'static str,
    },
    /// At least one of these keys must be given.
    Some {
        /// Names of the keys.
        keys: &'static [&'static str],
        /// Message after the table's path: "`link.air` has no rate".
        message: &'static str,
        /// Label below the table in the error.
        label: &'static str,
    },
    /// A key that needs all of several others.
    With {
        /// Name of the key.
        key: &'static str,
        /// Names of the keys that it needs.
        needs: &'static [&'static str],
    },
    /// A key that needs at least one of several others.
    WithAny {
        /// Name of the key.
        key: &'static str,
        /// Names of the keys of which it needs one.
        needs: &'static [&'static str],
        /// Label below the key in the error.
        label: &'static str,
    },
    /// If all conditions hold, some keys are needed and others are not allowed.
    When {
        /// Conditions on other keys.
        when: &'static [Condition],
        /// Keys that must be given.
        needs: &'static [&'static str],
        /// Keys that must not be given.
        never: &'static [&'static str],
        /// Label below a misplaced key in the error.
        label: &'static str,
    },
}

/// A condition on the value of a key.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// Name of the key.
    pub key: &'static str,
    /// Predicate that the value must satisfy.
    pub is: Is,
}

/// A predicate on a value.
#[derive(Clone, Copy, Debug)]
pub enum Is {
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any text except these words.
    OtherWord(&'static [&'static str]),
    /// The value `true`.
    True,
    /// A list of any length.
    List,
    /// A table whose keys are declared elsewhere.
    Table,
}

impl Rule {
    /// At most one group of keys may be given.
    pub(super) const fn apart(groups: &'static [&'static [&'static str]]) -> Rule {
        Rule::Apart { groups, label: "has both" }
    }

    /// At least one of the keys.
    pub(super) const fn some(
        keys: &'static [&'static str],
        message: &'static str,
        label: &'static str,
    ) -> Rule {
        Rule::Some { keys, message, label }
    }

    /// `key` needs all of `needs`.
    pub(super) const fn with(key: &'static str, needs: &'static [&'static str]) -> Rule {
        Rule::With { key, needs }
    }

    /// Keys that are needed under conditions.
    pub(super) const fn needs(when: &'static [Condition], needs: &'static [&'static str]) -> Rule {
        Rule::When { when, needs, never: &[], label: "" }
    }

    /// Keys that are not allowed under conditions.
    pub(super) const fn never(
        when: &'static [Condition],
        never: &'static [&'static str],
        label: &'static str,
    ) -> Rule {
        Rule::When { when, needs: &[], never, label }
    }
}

/// A condition that a key holds one of these words.
pub(super) const fn word(key: &'static str, words: &'static [&'static str]) -> Condition {
    Condition { key, is: Is::Word(words) }
}
