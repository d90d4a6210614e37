//! Fuzz targets: functions of arbitrary bytes that must not panic.
//!
//! Each target feeds the bytes to decoders, parsers or state machines, and panics if they panic or
//! break an invariant: a PDU that a decoder accepts encodes to the same bytes, memory is bounded,
//! rates are finite, and so on. `fuzz/` at the top of the repository runs the targets with
//! libFuzzer, which needs a nightly toolchain. Its seeds and findings are in `fuzz/corpus/`; the
//! tests of this crate run all of them through the targets with any toolchain.
//!
//! This crate holds targets and their invariants. It never holds anything that other crates depend
//! on.
//!
//! ```
//! // Every target by its name, which is also the name of its folder in `fuzz/corpus/`.
//! for (name, target) in atl_fuzz::TARGETS {
//!     println!("{name}");
//!     target(b"any bytes at all");
//! }
//! ```

mod accepted;
mod acks;
mod atm;
mod bytes;
mod captures;
mod caught;
mod claims;
mod corpus;
mod estimates;
mod link_query;
mod link_text;
mod lost_tags;
mod mutate;
mod netlink;
mod overrides;
mod paced;
mod paced_handoff;
mod path_words;
mod reception;
mod recordings;
mod rtcp;
mod s_arq;
mod shard_file;
pub mod swarm;
mod switch;
mod text;
mod transfer;
mod tun_header;
mod units;
mod verdicts;
mod wire;
mod wire_paced;

pub use accepted::accepted;
pub use acks::acks;
pub use atm::{aal5, aalt_pdus, cells};
pub use captures::captures;
pub use caught::caught;
pub use claims::claims;
pub use corpus::{corpus, corpus_folder};
pub use estimates::estimates;
pub use link_query::link_query;
pub use link_text::link_text;
pub use lost_tags::lost_tags;
pub use mutate::mutated;
pub use netlink::netlink;
pub use overrides::overrides;
pub use paced::paced;
pub use paced_handoff::paced_handoff;
pub use path_words::path_words;
pub use reception::reception;
pub use recordings::recordings;
pub use rtcp::rtcp;
pub use s_arq::s_arq;
pub use shard_file::shard_file;
pub use switch::{CONNECTION as SWITCHED_CONNECTION, LABELS as SWITCHED_LABELS, switch};
pub use text::{scenario, traces};
pub use transfer::transfer;
pub use tun_header::tun_header;
pub use units::units;
pub use verdicts::verdicts;
pub use wire::wire;
pub use wire_paced::wire_paced;

/// A function that must return on any input.
pub type Target = fn(&[u8]);

/// Every target with its name, which is also the name of its folder in `fuzz/corpus/`.
pub const TARGETS: &[(&str, Target)] = &[
    ("cells", cells),
    ("aal5", aal5),
    ("aalt_pdus", aalt_pdus),
    ("s_arq", s_arq),
    ("switch", switch),
    ("estimates", estimates),
    ("paced", paced),
    ("scenario", scenario),
    ("traces", traces),
    ("wire", wire),
    ("wire_paced", wire_paced),
    ("rtcp", rtcp),
    ("netlink", netlink),
    ("link_text", link_text),
    ("link_query", link_query),
    ("lost_tags", lost_tags),
    ("tun_header", tun_header),
    ("paced_handoff", paced_handoff),
    ("shard_file", shard_file),
    ("captures", captures),
    ("path_words", path_words),
    ("recordings", recordings),
    ("transfer", transfer),
    ("overrides", overrides),
    ("units", units),
    ("acks", acks),
    ("claims", claims),
    ("verdicts", verdicts),
    ("accepted", accepted),
    ("reception", reception),
];
