//! Links, addresses and routes of the calling thread's network namespace, by rtnetlink
//! (rtnetlink(7)).

use std::io;
use std::net::IpAddr;
use std::os::fd::{AsRawFd as _, OwnedFd};

use netlink_packet_core::{
    NLM_F_ACK, NLM_F_CREATE, NLM_F_EXCL, NLM_F_REQUEST, NetlinkHeader, NetlinkMessage,
    NetlinkPayload,
};
use netlink_packet_route::address::{AddressAttribute, AddressHeaderFlags, AddressMessage};
use netlink_packet_route::link::{LinkAttribute, LinkFlags, LinkMessage};
use netlink_packet_route::route::{
    RouteAddress, RouteAttribute, RouteHeader, RouteMessage, RouteProtocol, RouteScope, RouteType,
};
use netlink_packet_route::{AddressFamily, RouteNetlinkMessage};
use nix::sys::socket::{
    AddressFamily as Domain, MsgFlags, NetlinkAddr, SockFlag, SockProtocol, SockType, recv, sendto,
    socket,
};

/// The loopback device has this index in every namespace.
pub(super) const LOOPBACK: u32 = 1;
/// Octets for an answer; acknowledgements are far shorter.
const ANSWER_BYTES: usize = 8192;

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
    pub(super) fn up(&self, device: u32, settings: Vec<LinkAttribute>) -> io::Result<()> {
        let mut message = LinkMessage::default();
        message.header.index = device;
        message.header.flags = LinkFlags::Up;
        message.header.change_mask = LinkFlags::Up;
        message.attributes = settings;
        self.request(RouteNetlinkMessage::SetLink(message), 0)
    }

    /// Gives a device an address of its own, without a network around it.
    pub(super) fn add_address(&self, device: u32, address: IpAddr) -> io::Result<()> {
        let mut message = AddressMessage::default();
        message.header.family = family(address);
        message.header.prefix_len = whole(address);
        message.header.index = device;
        // No other host can have the address, so it is valid without a check.
        message.header.flags = AddressHeaderFlags::Nodad;
        message.attributes =
            vec![AddressAttribute::Local(address), AddressAttribute::Address(address)];
        self.request(RouteNetlinkMessage::NewAddress(message), NLM_F_CREATE | NLM_F_EXCL)
    }

    /// Routes packets for a network through a device, with the address `source`.
    ///
    /// # Errors
    /// `EEXIST` if there is such a route already.
    pub(super) fn add_route(
        &self,
        device: u32,
        (network, prefix): (IpAddr, u8),
        source: IpAddr,
    ) -> io::Result<()> {
        let mut message = RouteMessage::default();
        message.header.address_family = family(network);
        message.header.destination_prefix_length = prefix;
        message.header.table = RouteHeader::RT_TABLE_MAIN;
        message.header.protocol = RouteProtocol::Static;
        message.header.scope =
            if network.is_ipv4() { RouteScope::Link } else { RouteScope::Universe };
        message.header.kind = RouteType::Unicast;
        message.attributes = vec![
            RouteAttribute::Destination(route_address(network)),
            RouteAttribute::PrefSource(route_address(source)),
            RouteAttribute::Oif(device),
        ];
        self.request(RouteNetlinkMessage::NewRoute(message), NLM_F_CREATE | NLM_F_EXCL)
    }

    /// Sends a request, and waits for its acknowledgement.
    fn request(&self, message: RouteNetlinkMessage, flags: u16) -> io::Result<()> {
        let mut header = NetlinkHeader::default();
        header.flags = NLM_F_REQUEST | NLM_F_ACK | flags;
        let mut message = NetlinkMessage::new(header, NetlinkPayload::from(message));
        message.finalize();
        let mut bytes = vec![0; message.buffer_len()];
        message.serialize(&mut bytes);
        let fd = self.0.as_raw_fd();
        sendto(fd, &bytes, &NetlinkAddr::new(0, 0), MsgFlags::empty())?;
        let mut answer = [0; ANSWER_BYTES];
        let length = recv(fd, &mut answer, MsgFlags::empty())?;
        let answer: NetlinkMessage<RouteNetlinkMessage> =
            NetlinkMessage::deserialize(&answer[..length]).map_err(io::Error::other)?;
        match answer.payload {
            NetlinkPayload::Error(error) => match error.code {
                None => Ok(()),
                Some(_) => Err(error.to_io()),
            },
            other => Err(io::Error::other(format!("the kernel answered {other:?}"))),
        }
    }
}

fn family(address: IpAddr) -> AddressFamily {
    if address.is_ipv4() { AddressFamily::Inet } else { AddressFamily::Inet6 }
}

/// The length of a prefix that covers one address.
fn whole(address: IpAddr) -> u8 {
    if address.is_ipv4() { 32 } else { 128 }
}

fn route_address(address: IpAddr) -> RouteAddress {
    match address {
        IpAddr::V4(v4) => RouteAddress::Inet(v4),
        IpAddr::V6(v6) => RouteAddress::Inet6(v6),
    }
}
