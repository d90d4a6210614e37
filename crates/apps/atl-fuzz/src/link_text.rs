//! Link information in the text form of files and commands.

use atl_device::text::{MAX_TEXT, parse};

/// Reads the bytes: an accepted text has sane values.
pub fn link_text(data: &[u8]) {
    let Ok(info) = parse(data) else {
        return;
    };
    assert!(data.len() <= MAX_TEXT);
    if let Some(loss) = info.loss {
        assert!(loss.low <= loss.value && loss.value <= loss.high, "{loss:?}");
    }
    if let Some(delay) = info.delay {
        assert!(delay.low <= delay.value && delay.value <= delay.high, "{delay:?}");
        assert!(delay.high.secs() <= 60.0);
    }
    assert!(info.rate.is_none_or(|rate| rate.bps() > 0.0));
    assert_eq!(info.report().is_some(), info.loss.is_some() && info.delay.is_some());
}
