//! Events of 802.11 devices.

use std::collections::BTreeMap;

use crate::info::LinkInfo;

/// Lines of `iw event`: an association with another access point is a handoff. It is told as it
/// happens, where [`nl80211`](crate::nl80211) sees it at its next look. p_w and d_w come from
/// there. A machine's devices share one stream: each is followed by its name, and a move of any of
/// them counts.
#[derive(Clone, Debug, Default)]
pub struct Iw {
    /// The access point that each device last belonged to.
    addresses: BTreeMap<String, String>,
    epoch: u32,
}

/// The words before the address of the access point that the device belongs to now.
const NOW_WITH: [&str; 2] = ["connected to ", "roamed to "];

/// No machine has as many devices; what a stream names beyond that is not remembered.
const MOST_DEVICES: usize = 64;

impl Iw {
    /// Takes a line; `None` if it tells of no association.
    pub fn take(&mut self, line: &str) -> Option<LinkInfo> {
        let (device, event) = event(line)?;
        let after = NOW_WITH.iter().find_map(|words| event.strip_prefix(words))?;
        let address = after.split_whitespace().next().filter(|text| is_address(text))?;
        if self.addresses.len() >= MOST_DEVICES && !self.addresses.contains_key(device) {
            return None;
        }
        let before = self.addresses.insert(device.to_owned(), address.to_owned());
        let moved = before.is_some_and(|before| before != address);
        self.epoch = self.epoch.wrapping_add(u32::from(moved));
        Some(LinkInfo { epoch: self.epoch, ..LinkInfo::UNKNOWN })
    }
}

/// The device's name and what follows it: `[TIME: ]NAME (phy #NUMBER): EVENT`.
fn event(line: &str) -> Option<(&str, &str)> {
    let (before, after) = line.split_once(" (phy #")?;
    let (_, event) = after.split_once("): ")?;
    Some((before.split_whitespace().next_back()?, event))
}

/// Six octets in hexadecimal, with colons between them.
fn is_address(text: &str) -> bool {
    let octet = |part: &str| part.len() == 2 && u8::from_str_radix(part, 16).is_ok();
    text.split(':').count() == 6 && text.split(':').all(octet)
}
