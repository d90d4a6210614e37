//! What the keys of a table require of each other.

/// A requirement on the keys of one table.
#[derive(Clone, Copy, Debug)]
pub enum Rule {
    /// Keys of at most one of these groups may be given.
    Apart {
        /// The groups.
        groups: &'static [&'static [&'static str]],
        /// The error's label.
        label: &'static str,
    },
    /// At least one of these keys must be given.
    Some {
        /// The keys.
        keys: &'static [&'static str],
        /// What is wrong without them: "`link.air` has no rate".
        message: &'static str,
        /// The error's label.
        label: &'static str,
    },
    /// Where a key is given, all of these must be given too.
    With {
        /// The key.
        key: &'static str,
        /// What it needs.
        needs: &'static [&'static str],
    },
    /// Where a key is given, at least one of these must be given too.
    WithAny {
        /// The key.
        key: &'static str,
        /// What it needs one of.
        needs: &'static [&'static str],
        /// The error's label.
        label: &'static str,
    },
    /// Where all conditions hold, some keys are needed and others not allowed.
    When {
        /// The conditions.
        when: &'static [Condition],
        /// Keys that must be given.
        needs: &'static [&'static str],
        /// Keys that must not be given.
        never: &'static [&'static str],
        /// The error's label at a key that must not be given.
        label: &'static str,
    },
}

/// A condition on the value of a key.
#[derive(Clone, Copy, Debug)]
pub struct Condition {
    /// The key.
    pub key: &'static str,
    /// What it must be.
    pub is: Is,
}

/// What a value is.
#[derive(Clone, Copy, Debug)]
pub enum Is {
    /// One of these words.
    Word(&'static [&'static str]),
    /// Any text but these words.
    OtherWord(&'static [&'static str]),
    /// `true`.
    True,
    /// A list.
    List,
}

impl Rule {
    /// Keys of at most one group.
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

    /// Some keys are needed under conditions.
    pub(super) const fn needs(when: &'static [Condition], needs: &'static [&'static str]) -> Rule {
        Rule::When { when, needs, never: &[], label: "" }
    }

    /// Some keys are not allowed under conditions.
    pub(super) const fn never(
        when: &'static [Condition],
        never: &'static [&'static str],
        label: &'static str,
    ) -> Rule {
        Rule::When { when, needs: &[], never, label }
    }
}

/// A key that holds one of some words.
pub(super) const fn word(key: &'static str, words: &'static [&'static str]) -> Condition {
    Condition { key, is: Is::Word(words) }
}
