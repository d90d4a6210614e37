//! Paths in people's words.

use atl_experiment::path::Words;

/// A path's words. Every refusal has a message, and one network that is read has a rate and a
/// round-trip time above zero.
pub fn path_words(data: &[u8]) {
    let Ok(text) = core::str::from_utf8(data) else { return };
    if let Err(wrong) = Words::read(text) {
        assert!(!wrong.is_empty());
    }
    match Words::network(text) {
        Ok(network) => {
            let rates = network.down.bps() > 0.0 && network.up.bps() > 0.0;
            assert!(rates && !network.rtt.is_zero(), "`{text}` is read as {network:?}");
        }
        Err(wrong) => assert!(!wrong.is_empty()),
    }
}
