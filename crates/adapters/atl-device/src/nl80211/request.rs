//! Requests to the kernel.

use super::message::{GENERIC_HEADER, HEADER, NLM_F_DUMP, NLM_F_REQUEST};

pub(super) const GENL_ID_CTRL: u16 = 16;

const CTRL_CMD_GETFAMILY: u8 = 3;
const CTRL_ATTR_FAMILY_NAME: u16 = 2;
const NL80211_CMD_GET_STATION: u8 = 17;
const NL80211_ATTR_IFINDEX: u16 = 3;

/// Asks for the number of the family nl80211.
pub fn get_family(sequence: u32) -> Vec<u8> {
    let header = Header { family: GENL_ID_CTRL, flags: NLM_F_REQUEST, sequence };
    message(header, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, b"nl80211\0")
}

/// Asks for the stations of the interface with this index. `family` is nl80211's number.
pub fn get_station(family: u16, interface: u32, sequence: u32) -> Vec<u8> {
    let header = Header { family, flags: NLM_F_REQUEST | NLM_F_DUMP, sequence };
    message(header, NL80211_CMD_GET_STATION, NL80211_ATTR_IFINDEX, &interface.to_ne_bytes())
}

#[derive(Clone, Copy)]
struct Header {
    family: u16,
    flags: u16,
    sequence: u32,
}

/// A generic netlink message with one attribute, whose value has a multiple of four bytes.
fn message(header: Header, command: u8, attribute: u16, value: &[u8]) -> Vec<u8> {
    debug_assert_eq!(value.len() % 4, 0);
    let attribute_length = 4 + value.len();
    let length = HEADER + GENERIC_HEADER + attribute_length;
    let mut bytes = Vec::with_capacity(length);
    bytes.extend((length as u32).to_ne_bytes());
    bytes.extend(header.family.to_ne_bytes());
    bytes.extend(header.flags.to_ne_bytes());
    bytes.extend(header.sequence.to_ne_bytes());
    // The kernel fills in the port.
    bytes.extend(0_u32.to_ne_bytes());
    // Version 1 of the family, and two bytes that are reserved.
    bytes.extend([command, 1, 0, 0]);
    bytes.extend((attribute_length as u16).to_ne_bytes());
    bytes.extend(attribute.to_ne_bytes());
    bytes.extend(value);
    bytes
}
