//! The distribution of an application's pauses.

use serde::Deserialize;

/// As in the key `distribution` of other sources.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Distribution {
    Constant,
    Exponential,
}

impl Distribution {
    pub(super) fn of(exponential: bool) -> Distribution {
        if exponential { Distribution::Exponential } else { Distribution::Constant }
    }
}
