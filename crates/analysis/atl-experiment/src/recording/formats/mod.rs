//! The formats, a file for each.

mod csv;
mod leoreplayer;
mod mahimahi;
mod pantheon;
mod picoquic;
mod wetlinks;

use super::format::Format;

/// All of them, in the order in which they are asked whether a file is theirs.
pub const FORMATS: &[&dyn Format] = &[
    &leoreplayer::LeoReplayer,
    &mahimahi::Mahimahi,
    &pantheon::Pantheon,
    &picoquic::Picoquic,
    &wetlinks::WetLinks,
    &csv::Csv,
];
