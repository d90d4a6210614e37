//! The number that the kernel gave nl80211 when it started.

use super::attribute::Attributes;
use super::error::NetlinkError;
use super::message::{Messages, NLMSG_DONE, NLMSG_ERROR, NLMSG_NOOP, NLMSG_OVERRUN};
use super::request::GENL_ID_CTRL;

const CTRL_CMD_NEWFAMILY: u8 = 1;
const CTRL_ATTR_FAMILY_ID: u16 = 1;

/// The family's identifier in the answer to [`get_family`](super::get_family) with this sequence
/// number; `None` if the datagram holds no such answer.
///
/// # Errors
/// If the kernel refused (`ENOENT`: it has no nl80211), or the datagram is not made of netlink
/// messages.
pub fn family_id(datagram: &[u8], sequence: u32) -> Result<Option<u16>, NetlinkError> {
    for message in Messages::new(datagram) {
        let message = message?;
        if message.sequence != sequence {
            continue;
        }
        match message.kind {
            NLMSG_OVERRUN => return Err(NetlinkError::Overrun),
            NLMSG_ERROR => match message.errno()? {
                0 => {}
                errno => return Err(NetlinkError::Refused { errno }),
            },
            NLMSG_NOOP | NLMSG_DONE => {}
            GENL_ID_CTRL => {
                let (CTRL_CMD_NEWFAMILY, attributes) = message.generic()? else {
                    continue;
                };
                for attribute in Attributes::new(attributes) {
                    let attribute = attribute?;
                    if attribute.number == CTRL_ATTR_FAMILY_ID {
                        return attribute.u16().map(Some);
                    }
                }
                return Err(NetlinkError::Missing { attribute: "CTRL_ATTR_FAMILY_ID" });
            }
            _ => {}
        }
    }
    Ok(None)
}
