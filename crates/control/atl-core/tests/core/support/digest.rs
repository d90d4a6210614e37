//! A digest of whatever can be printed.

use std::fmt::{Debug, Write};

/// FNV-1a over all that is written to it.
#[derive(Clone, Debug)]
pub(crate) struct Digest(pub u64);

impl Digest {
    pub(crate) const fn new() -> Self {
        Digest(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn note(&mut self, what: impl Debug) {
        write!(self, "{what:?};").expect("a digest takes all");
    }
}

impl Write for Digest {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
        Ok(())
    }
}
