//! Reads numbers from a fuzzer's bytes; zeros after the end.

#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    pub(crate) fn up_to(&mut self, n: usize) -> &'a [u8] {
        let (first, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        first
    }

    pub(crate) fn number<const N: usize>(&mut self) -> [u8; N] {
        let mut number = [0; N];
        let taken = self.up_to(N);
        number[..taken.len()].copy_from_slice(taken);
        number
    }

    pub(crate) fn u16(&mut self) -> u16 {
        u16::from_le_bytes(self.number())
    }

    pub(crate) fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.number())
    }

    pub(crate) fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.number())
    }

    /// Any bit pattern, including infinities and NaN.
    pub(crate) fn f64(&mut self) -> f64 {
        f64::from_bits(self.u64())
    }
}
