//! Options of the link's own disciplines, with units. Their defaults are those of `atl-link`.

use atl_core::time::Span;
use atl_link::{CoDel, FqCoDel};
use serde::Deserialize;

use super::ListedDiscipline;

/// Declares the options of a discipline: the fields of its parameters, some with a unit.
macro_rules! options {
    ($options:ident of $config:ident { $($(#[$unit:meta])? $field:ident: $type:ty,)* }) => {
        #[derive(Clone, Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        struct $options {
            $($(#[$unit])? $field: $type,)*
        }

        impl Default for $options {
            fn default() -> Self {
                let $config { $($field,)* } = $config::default();
                $options { $($field,)* }
            }
        }

        impl From<$options> for $config {
            fn from(options: $options) -> Self {
                let $options { $($field,)* } = options;
                $config { $($field,)* }
            }
        }
    };
}

options! {
    CoDelOptions of CoDel {
        #[serde(deserialize_with = "crate::units::time_option")]
        target: Span,
        #[serde(deserialize_with = "crate::units::time_option")]
        interval: Span,
        ecn: bool,
        mtu: u32,
    }
}

options! {
    FqCoDelOptions of FqCoDel {
        #[serde(deserialize_with = "crate::units::time_option")]
        target: Span,
        #[serde(deserialize_with = "crate::units::time_option")]
        interval: Span,
        ecn: bool,
        mtu: u32,
        quantum: u32,
        flows: u32,
        drop_batch: u32,
        #[serde(deserialize_with = "crate::units::size_option")]
        memory_limit: Option<u64>,
    }
}

pub(super) const CODEL: ListedDiscipline = ListedDiscipline::ours::<CoDelOptions, CoDel>("codel");
pub(super) const FQ_CODEL: ListedDiscipline =
    ListedDiscipline::ours::<FqCoDelOptions, FqCoDel>("fq-codel");
