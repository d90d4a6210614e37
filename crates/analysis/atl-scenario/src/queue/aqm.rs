//! Options of the link's own disciplines, with units. Their defaults are those of `atl-link`.

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_link::{AckFilter, Cake, CoDel, DualPi2, FqCoDel, Pie, Policer};
use serde::Deserialize;

use super::listed::ListedDiscipline;

/// Declares the options of a discipline: the fields of its parameters, some with a unit. Those of
/// parameters within them stand beside the others in a file.
macro_rules! options {
    ($options:ident of $config:ident {
        $($(#[$unit:meta])? $field:ident: $type:ty,)*
        $(..$inner:ident: $parameters:ident {
            $($(#[$its_unit:meta])? $its:ident: $its_type:ty,)*
        })?
    }) => {
        #[derive(Clone, Deserialize)]
        #[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
        struct $options {
            $($($(#[$its_unit])? $its: $its_type,)*)?
            $($(#[$unit])? $field: $type,)*
        }

        impl Default for $options {
            fn default() -> Self {
                let $config { $($inner: $parameters { $($its,)* },)? $($field,)* } = $config::default();
                $options { $($($its,)*)? $($field,)* }
            }
        }

        impl From<$options> for $config {
            fn from(options: $options) -> Self {
                let $options { $($($its,)*)? $($field,)* } = options;
                $config { $($inner: $parameters { $($its,)* },)? $($field,)* }
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
        quantum: u32,
        flows: u32,
        drop_batch: u32,
        #[serde(deserialize_with = "crate::units::some_size_option")]
        memory_limit: Option<u64>,
        ..codel: CoDel {
            #[serde(deserialize_with = "crate::units::time_option")]
            target: Span,
            #[serde(deserialize_with = "crate::units::time_option")]
            interval: Span,
            ecn: bool,
            mtu: u32,
        }
    }
}

options! {
    PieOptions of Pie {
        #[serde(deserialize_with = "crate::units::time_option")]
        target: Span,
        #[serde(deserialize_with = "crate::units::time_option")]
        update: Span,
        #[serde(deserialize_with = "crate::units::time_option")]
        max_burst: Span,
        alpha: f64,
        beta: f64,
        ecn: bool,
        mark_up_to: f64,
        mean_packet: u32,
    }
}

options! {
    DualPi2Options of DualPi2 {
        #[serde(deserialize_with = "crate::units::time_option")]
        target: Span,
        #[serde(deserialize_with = "crate::units::time_option")]
        update: Span,
        alpha: f64,
        beta: f64,
        #[serde(deserialize_with = "crate::units::time_option")]
        step: Span,
        step_packets: u32,
        coupling: f64,
        protection: f64,
        drop_on_overload: bool,
        mtu: u32,
    }
}

options! {
    AckFilterOptions of AckFilter {
        longest: u32,
        keep: u32,
        one_in: u32,
    }
}

options! {
    CakeOptions of Cake {
        #[serde(deserialize_with = "crate::units::time_option")]
        target: Span,
        #[serde(deserialize_with = "crate::units::time_option")]
        interval: Span,
        #[serde(deserialize_with = "crate::units::some_rate_option")]
        rate: Option<Rate>,
        flows: u32,
    }
}

/// A policer has no usual rate: 0 is refused.
#[derive(Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct PolicerOptions {
    #[serde(deserialize_with = "crate::units::rate_option")]
    rate: Rate,
    #[serde(deserialize_with = "crate::units::size_option")]
    burst: u64,
}

impl Default for PolicerOptions {
    fn default() -> Self {
        PolicerOptions { rate: Rate::from_bps(0.0), burst: 100_000 }
    }
}

impl From<PolicerOptions> for Policer {
    fn from(PolicerOptions { rate, burst }: PolicerOptions) -> Self {
        Policer { rate, burst }
    }
}

pub(super) const CODEL: ListedDiscipline = ListedDiscipline::ours::<CoDelOptions, CoDel>("codel");
pub(super) const FQ_CODEL: ListedDiscipline =
    ListedDiscipline::ours::<FqCoDelOptions, FqCoDel>("fq-codel");
pub(super) const CAKE: ListedDiscipline = ListedDiscipline::ours::<CakeOptions, Cake>("cake");
pub(super) const PIE: ListedDiscipline = ListedDiscipline::ours::<PieOptions, Pie>("pie");
pub(super) const DUAL_PI2: ListedDiscipline =
    ListedDiscipline::ours::<DualPi2Options, DualPi2>("dualpi2");
pub(super) const ACK_FILTER: ListedDiscipline =
    ListedDiscipline::ours::<AckFilterOptions, AckFilter>("ack-filter");
pub(super) const POLICER: ListedDiscipline =
    ListedDiscipline::ours::<PolicerOptions, Policer>("policer");
