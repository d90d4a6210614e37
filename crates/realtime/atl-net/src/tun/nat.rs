//! Address translation for packets that leave a lab by the machine (nf_tables, nft(8)).
//!
//! The table belongs to the socket that made it (`flags owner`, Linux 5.12): the kernel removes it
//! with the socket, so that nothing is left however this program ends.

use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};

use nix::libc;
use nix::sys::socket::{
    AddressFamily as Domain, MsgFlags, NetlinkAddr, SockFlag, SockProtocol, SockType, recv, sendto,
    socket,
};

use super::address::Block;
use super::netlink::{CREATE, Message, acknowledged};

/// Octets for the answers to a batch.
const ANSWER_BYTES: usize = 8192;
const SUBSYSTEM: u16 = (libc::NFNL_SUBSYS_NFTABLES as u16) << 8;
/// Numbers of linux/netfilter/nf_tables.h that are not in libc.
const OWNER: u32 = 2;
const POSTROUTING: u32 = 4;
/// The priority of source translation (`srcnat`, nft(8)).
const SOURCE: u32 = 100;
/// The name of the only chain.
const CHAIN: &[u8] = b"out\0";

/// Rules of a packet filter, as long as this value lives.
#[derive(Debug)]
pub(super) struct Nat(
    #[expect(dead_code, reason = "the kernel removes the rules with it")] OwnedFd,
);

impl Nat {
    /// Gives packets from the hosts of `block` the address of the device by which they leave the
    /// calling thread's namespace.
    ///
    /// # Errors
    /// If the kernel has no nf_tables, or refuses.
    pub(super) fn masquerade(block: Block) -> io::Result<Nat> {
        let protocol = SockProtocol::NetlinkNetFilter;
        let socket = socket(Domain::Netlink, SockType::Raw, SockFlag::SOCK_CLOEXEC, protocol)?;
        let network = block.v4(0).octets();
        let name = format!("atl-{}\0", network[2]);
        let requests =
            [table(name.as_bytes()), chain(name.as_bytes()), rule(name.as_bytes(), &network[..3])];
        let count = requests.len();
        let mut batch = border(libc::NFNL_MSG_BATCH_BEGIN);
        batch.extend(requests.into_iter().flat_map(Message::finish));
        batch.extend(border(libc::NFNL_MSG_BATCH_END));
        let fd = socket.as_raw_fd();
        sendto(fd, &batch, &NetlinkAddr::new(0, 0), MsgFlags::empty())?;
        for _ in 0..count {
            let mut answer = [0; ANSWER_BYTES];
            let length = recv(fd, &mut answer, MsgFlags::empty())?;
            acknowledged(&answer[..length])?;
        }
        Ok(Nat(socket))
    }
}

/// A message that begins or ends a batch.
fn border(kind: libc::c_int) -> Vec<u8> {
    // struct nfgenmsg: family, version, and the subsystem as resource, in network order.
    let [high, low] = (libc::NFNL_SUBSYS_NFTABLES as u16).to_be_bytes();
    Message::unanswered(kind as u16, &[libc::AF_UNSPEC as u8, 0, high, low]).finish()
}

fn request(kind: libc::c_int, flags: i32) -> Message {
    Message::new(SUBSYSTEM | kind as u16, flags, &[libc::AF_INET as u8, 0, 0, 0])
}

fn table(name: &[u8]) -> Message {
    let mut message = request(libc::NFT_MSG_NEWTABLE, CREATE);
    message.attribute(1, name);
    message.attribute(2, &OWNER.to_be_bytes());
    message
}

fn chain(table: &[u8]) -> Message {
    let mut message = request(libc::NFT_MSG_NEWCHAIN, CREATE);
    message.attribute(1, table);
    message.attribute(3, CHAIN);
    message.nested(4, |hook| {
        hook.attribute(1, &POSTROUTING.to_be_bytes());
        hook.attribute(2, &SOURCE.to_be_bytes());
    });
    message.attribute(7, b"nat\0");
    message
}

/// `ip saddr NETWORK masquerade`, of a network of whole octets.
fn rule(table: &[u8], network: &[u8]) -> Message {
    let number = |value: u32| value.to_be_bytes();
    let mut message = request(libc::NFT_MSG_NEWRULE, CREATE | libc::NLM_F_APPEND);
    message.attribute(1, table);
    message.attribute(2, CHAIN);
    message.nested(4, |expressions| {
        expression(expressions, b"payload\0", |data| {
            // Into register 1, from the network header: its octets 12 ff. are the source (RFC 791,
            // sec. 3.1).
            data.attribute(1, &number(1));
            data.attribute(2, &number(1));
            data.attribute(3, &number(12));
            data.attribute(4, &number(network.len() as u32));
        });
        expression(expressions, b"cmp\0", |data| {
            data.attribute(1, &number(1));
            data.attribute(2, &number(0));
            data.nested(3, |value| value.attribute(1, network));
        });
        expression(expressions, b"masq\0", |_| {});
    });
    message
}

fn expression(list: &mut Message, name: &[u8], data: impl FnOnce(&mut Message)) {
    list.nested(1, |element| {
        element.attribute(1, name);
        element.nested(2, data);
    });
}
