//! Events of an 802.11 device.

use crate::info::LinkInfo;

/// Lines of `iw event`: an association with another access point is a handoff. It is told as it
/// happens, where [`nl80211`](crate::nl80211) sees it at its next look. p_w and d_w come from
/// there.
#[derive(Clone, Debug, Default)]
pub struct Iw {
    address: Option<String>,
    epoch: u32,
}

/// The words before the address of the access point that the device belongs to now.
const NOW_WITH: [&str; 2] = ["connected to ", "roamed to "];

impl Iw {
    /// Takes a line; `None` if it tells of no association.
    pub fn take(&mut self, line: &str) -> Option<LinkInfo> {
        let refused = line.contains("failed to connect");
        let after =
            NOW_WITH.iter().find_map(|words| line.split_once(words)).filter(|_| !refused)?.1;
        let address = after.split_whitespace().next().filter(|text| is_address(text))?;
        let before = self.address.replace(address.to_owned());
        let moved = before.is_some_and(|before| before != address);
        self.epoch = self.epoch.wrapping_add(u32::from(moved));
        Some(LinkInfo { epoch: self.epoch, ..LinkInfo::UNKNOWN })
    }
}

/// Six octets in hexadecimal, with colons between them.
fn is_address(text: &str) -> bool {
    let octet = |part: &str| part.len() == 2 && u8::from_str_radix(part, 16).is_ok();
    text.split(':').count() == 6 && text.split(':').all(octet)
}
