//! Recorded answers of a kernel.

use std::collections::VecDeque;
use std::io;
use std::path::Path;

use atl_device::nl80211::Exchange;

/// A recording's bytes, by file name.
pub(crate) fn fixture(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/device/fixtures");
    let path = folder.join(format!("{name}.hex"));
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .map(|octet| u8::from_str_radix(octet, 16).expect("hexadecimal"))
        .collect()
}

/// Answers each request with datagrams recorded for it, with the request's own sequence number put
/// in.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    answers: VecDeque<Vec<Vec<u8>>>,
    waiting: VecDeque<Vec<u8>>,
    current: Vec<u8>,
    pub(crate) requests: Vec<Vec<u8>>,
    /// The index of any interface, for those who ask anew.
    pub(crate) index: Option<u32>,
}

impl Recorded {
    /// Datagrams by name, for each request in turn.
    pub(crate) fn new(answers: &[&[&str]]) -> Self {
        let answers = answers.iter().map(|names| names.iter().map(|n| fixture(n)).collect());
        Recorded { answers: answers.collect(), ..Recorded::default() }
    }
}

/// Puts a sequence number into each message of a datagram that is complete.
fn renumbered(mut datagram: Vec<u8>, sequence: &[u8]) -> Vec<u8> {
    let mut at = 0;
    while at + 16 <= datagram.len() {
        let length = u32::from_le_bytes(datagram[at..at + 4].try_into().expect("four bytes"));
        datagram[at + 8..at + 12].copy_from_slice(sequence);
        at += (length as usize).next_multiple_of(4).max(16);
    }
    datagram
}

impl Exchange for Recorded {
    fn send(&mut self, request: &[u8]) -> io::Result<()> {
        self.requests.push(request.to_vec());
        let answer = self.answers.pop_front().unwrap_or_default();
        self.waiting = answer.into_iter().map(|d| renumbered(d, &request[8..12])).collect();
        Ok(())
    }

    fn receive(&mut self) -> io::Result<&[u8]> {
        self.current = self.waiting.pop_front().ok_or(io::ErrorKind::WouldBlock)?;
        Ok(&self.current)
    }

    fn index(&self, _: &str) -> io::Result<u32> {
        self.index.ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}
