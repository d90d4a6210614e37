//! Links, addresses and routes of the calling thread's network namespace, by rtnetlink
//! (rtnetlink(7)).

use std::io;
use std::net::IpAddr;
use std::os::fd::{AsRawFd as _, OwnedFd};

use nix::libc;
use nix::sys::socket::{
    AddressFamily as Domain, MsgFlags, NetlinkAddr, SockFlag, SockProtocol, SockType, recv, sendto,
    socket,
};

/// The loopback device has this index in every namespace.
pub(super) const LOOPBACK: u32 = 1;
/// Octets for an answer; acknowledgements are far shorter.
const ANSWER_BYTES: usize = 8192;
/// The size of `struct nlmsghdr`, which begins each message (netlink(7)).
const HEADER_BYTES: usize = 16;
pub(super) const CREATE: i32 = libc::NLM_F_CREATE | libc::NLM_F_EXCL;

/// Settings of a device that [`Netlink::up`] can make.
#[derive(Clone, Copy, Debug)]
pub(super) enum Setting {
    /// In octets.
    Mtu(u32),
    /// In packets.
    TxQueueLen(u32),
}

/// A property of a route, which connections over it take over (ip-route(8)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metric {
    /// In milliseconds.
    MinRto(u32),
    /// In packets.
    InitialWindow(u32),
    /// No ACK is delayed.
    QuickAck,
}

impl Metric {
    /// Its number in linux/rtnetlink.h (`RTAX_RTO_MIN`, `RTAX_INITCWND`, `RTAX_QUICKACK`), and its
    /// value.
    fn attribute(self) -> (u16, u32) {
        match self {
            Metric::MinRto(millis) => (13, millis),
            Metric::InitialWindow(packets) => (11, packets),
            Metric::QuickAck => (15, 1),
        }
    }
}

/// A socket to the kernel, which acts on the namespace in which it was opened.
#[derive(Debug)]
pub(super) struct Netlink(OwnedFd);

impl Netlink {
    /// Opens a socket in the calling thread's namespace.
    pub(super) fn open() -> io::Result<Netlink> {
        let protocol = SockProtocol::NetlinkRoute;
        Ok(Netlink(socket(Domain::Netlink, SockType::Raw, SockFlag::SOCK_CLOEXEC, protocol)?))
    }

    /// Brings a device up.
    pub(super) fn up(&self, device: u32, settings: &[Setting]) -> io::Result<()> {
        let up = libc::IFF_UP.cast_unsigned();
        // struct ifinfomsg: family, padding, type, index, flags, mask of flags.
        let mut message = Message::new(libc::RTM_SETLINK, 0, &[0; 4]);
        message.words(&[device, up, up]);
        for setting in settings {
            match *setting {
                Setting::Mtu(octets) => message.attribute(libc::IFLA_MTU, &octets.to_ne_bytes()),
                Setting::TxQueueLen(packets) => {
                    message.attribute(libc::IFLA_TXQLEN, &packets.to_ne_bytes());
                }
            }
        }
        self.request(message)
    }

    /// Gives a device an address of its own, without a network around it.
    pub(super) fn add_address(&self, device: u32, address: IpAddr) -> io::Result<()> {
        // No other host can have the address, so it is valid without a check.
        let flags = libc::IFA_F_NODAD as u8;
        // struct ifaddrmsg: family, length of the prefix, flags, scope, index.
        let header = [family(address), whole(address), flags, libc::RT_SCOPE_UNIVERSE];
        let mut message = Message::new(libc::RTM_NEWADDR, CREATE, &header);
        message.words(&[device]);
        message.address(libc::IFA_LOCAL, address);
        message.address(libc::IFA_ADDRESS, address);
        self.request(message)
    }

    /// Routes packets for a network through a device, with the address `source` and these metrics.
    ///
    /// # Errors
    /// `EEXIST` if there is such a route already.
    pub(super) fn add_route(
        &self,
        device: u32,
        (network, prefix): (IpAddr, u8),
        source: IpAddr,
        metrics: &[Metric],
    ) -> io::Result<()> {
        let scope = if network.is_ipv4() { libc::RT_SCOPE_LINK } else { libc::RT_SCOPE_UNIVERSE };
        // struct rtmsg: family, lengths of the prefixes of destination and source, type of
        // service; table, protocol, scope, type; flags.
        let header = [
            [family(network), prefix, 0, 0],
            [libc::RT_TABLE_MAIN, libc::RTPROT_STATIC, scope, libc::RTN_UNICAST],
            [0; 4],
        ];
        let mut message = Message::new(libc::RTM_NEWROUTE, CREATE, header.as_flattened());
        message.address(libc::RTA_DST, network);
        message.address(libc::RTA_PREFSRC, source);
        message.attribute(libc::RTA_OIF, &device.to_ne_bytes());
        if !metrics.is_empty() {
            // Attributes within an attribute, without a header of their own.
            let mut nested = Message(Vec::new());
            for (kind, value) in metrics.iter().map(|metric| metric.attribute()) {
                nested.attribute(kind, &value.to_ne_bytes());
            }
            message.attribute(libc::RTA_METRICS, &nested.0);
        }
        self.request(message)
    }

    /// Sends a request, and waits for its acknowledgement.
    fn request(&self, message: Message) -> io::Result<()> {
        let fd = self.0.as_raw_fd();
        sendto(fd, &message.finish(), &NetlinkAddr::new(0, 0), MsgFlags::empty())?;
        let mut answer = [0; ANSWER_BYTES];
        let length = recv(fd, &mut answer, MsgFlags::empty())?;
        acknowledged(&answer[..length])
    }
}

/// A request to the kernel: a header, a structure of its type, and attributes.
#[derive(Debug)]
pub(super) struct Message(Vec<u8>);

impl Message {
    /// A request of this kind, which the kernel acknowledges.
    pub(super) fn new(kind: u16, flags: i32, body: &[u8]) -> Message {
        Message::with(kind, libc::NLM_F_ACK | flags, body)
    }

    /// A request of this kind without an answer.
    pub(super) fn unanswered(kind: u16, body: &[u8]) -> Message {
        Message::with(kind, 0, body)
    }

    fn with(kind: u16, flags: i32, body: &[u8]) -> Message {
        let flags = (libc::NLM_F_REQUEST | flags) as u16;
        let mut bytes = vec![0; HEADER_BYTES];
        bytes[4..6].copy_from_slice(&kind.to_ne_bytes());
        bytes[6..8].copy_from_slice(&flags.to_ne_bytes());
        bytes.extend(body);
        Message(bytes)
    }

    fn words(&mut self, words: &[u32]) {
        self.0.extend(words.iter().flat_map(|word| word.to_ne_bytes()));
    }

    /// Appends an attribute, and pads it to four octets (rtnetlink(7), `struct rtattr`).
    pub(super) fn attribute(&mut self, kind: u16, value: &[u8]) {
        let length = (4 + value.len()) as u16;
        self.0.extend(length.to_ne_bytes());
        self.0.extend(kind.to_ne_bytes());
        self.0.extend(value);
        self.0.resize(self.0.len().next_multiple_of(4), 0);
    }

    /// Appends an attribute that holds others, which `fill` appends.
    pub(super) fn nested(&mut self, kind: u16, fill: impl FnOnce(&mut Message)) {
        let mut inner = Message(Vec::new());
        fill(&mut inner);
        self.attribute(kind | libc::NLA_F_NESTED as u16, &inner.0);
    }

    fn address(&mut self, kind: u16, address: IpAddr) {
        match address {
            IpAddr::V4(v4) => self.attribute(kind, &v4.octets()),
            IpAddr::V6(v6) => self.attribute(kind, &v6.octets()),
        }
    }

    /// Its octets, now that its length is known.
    pub(super) fn finish(mut self) -> Vec<u8> {
        let length = (self.0.len() as u32).to_ne_bytes();
        self.0[..4].copy_from_slice(&length);
        self.0
    }
}

/// Reads the answer to a request: an error of number 0 acknowledges it.
pub(super) fn acknowledged(answer: &[u8]) -> io::Result<()> {
    let kind = answer.get(4..6).and_then(|kind| kind.try_into().ok()).map(u16::from_ne_bytes);
    let code = answer.get(HEADER_BYTES..HEADER_BYTES + 4).and_then(|code| code.try_into().ok());
    match (kind, code.map(i32::from_ne_bytes)) {
        (Some(kind), Some(0)) if i32::from(kind) == libc::NLMSG_ERROR => Ok(()),
        (Some(kind), Some(code)) if i32::from(kind) == libc::NLMSG_ERROR => {
            Err(io::Error::from_raw_os_error(code.saturating_neg()))
        }
        _ => Err(io::Error::other(format!("the kernel answered {answer:?}"))),
    }
}

fn family(address: IpAddr) -> u8 {
    (if address.is_ipv4() { libc::AF_INET } else { libc::AF_INET6 }) as u8
}

/// The length of a prefix that covers one address.
fn whole(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    /// Written out by hand after netlink(7) and rtnetlink(7).
    #[test]
    fn a_message_has_its_length_its_type_and_padded_attributes() {
        let mut message = Message::new(libc::RTM_NEWADDR, CREATE, &[2, 32, 2, 0]);
        message.words(&[7]);
        message.address(libc::IFA_LOCAL, Ipv4Addr::new(198, 19, 0, 1).into());
        message.attribute(libc::IFA_LABEL, b"x\0");
        let bytes = message.finish();
        assert_eq!(bytes[..4], 40_u32.to_ne_bytes());
        assert_eq!(bytes[4..6], 20_u16.to_ne_bytes());
        assert_eq!(bytes[6..8], 0x605_u16.to_ne_bytes());
        assert_eq!(bytes[8..24], [[0; 4], [0; 4], [2, 32, 2, 0], 7_u32.to_ne_bytes()].concat());
        assert_eq!(
            bytes[24..32],
            [8_u16.to_ne_bytes(), 2_u16.to_ne_bytes(), [198, 19], [0, 1]].concat()
        );
        assert_eq!(
            bytes[32..],
            [6_u16.to_ne_bytes(), 3_u16.to_ne_bytes(), *b"x\0", [0; 2]].concat()
        );
    }

    #[test]
    fn an_answer_is_an_acknowledgement_an_error_or_refused() {
        let answer = |kind: u16, code: i32| {
            [&[0; 4][..], &kind.to_ne_bytes(), &[0; 10], &code.to_ne_bytes()].concat()
        };
        acknowledged(&answer(2, 0)).expect("acknowledged");
        let error = acknowledged(&answer(2, -libc::EEXIST)).expect_err("an error");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        for bad in [answer(3, 0), answer(2, 0)[..19].to_vec(), Vec::new()] {
            acknowledged(&bad).expect_err("no answer");
        }
        acknowledged(&answer(2, i32::MIN)).expect_err("an error");
    }
}
