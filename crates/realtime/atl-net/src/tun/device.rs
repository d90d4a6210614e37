//! A TUN device and its settings.

use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;

use nix::errno::Errno;
use tun_rs::{DeviceBuilder, SyncDevice};

use super::address::Block;
use super::error::Error;
use super::netlink::{LOOPBACK, Metric, Netlink, Setting};
use super::routes;

/// The kernel's file for making a TUN device.
const CONTROL: &str = "/dev/net/tun";
/// Name of the device in each host's own namespace.
const NAME: &str = "atl0";
/// Packets that wait in the device until the emulator reads them: 100 ms at 77 000 packets/s. If
/// the emulator is late by more, the queue overflows. (The kernel's default is 500.)
const DEVICE_QUEUE: u32 = 8192;

/// Opens a TUN device in the calling thread's namespace. It lives as long as its descriptor.
pub(super) fn open(own_namespace: bool) -> Result<SyncDevice, Error> {
    // Checked first, because the library would create the file and leave it there.
    if !Path::new(CONTROL).exists() {
        return Err(Error::NoTun);
    }
    // In the machine's own namespace the kernel numbers the device, so that several runs are
    // possible at a time.
    let name = if own_namespace { NAME } else { "atl%d" };
    let device = DeviceBuilder::new().name(name).with(|options| {
        options.packet_information(false);
    });
    let device = device.enable(false).build_sync().map_err(|error| {
        match error.raw_os_error().map(Errno::from_raw) {
            Some(Errno::EACCES) => Error::TunClosed,
            Some(Errno::EPERM) => Error::NotAllowed { what: "make a TUN device" },
            // The file exists, but the module is not loaded.
            Some(Errno::ENOENT | Errno::ENODEV | Errno::ENXIO) => Error::NoTun,
            _ => Error::system("make a TUN device", error),
        }
    })?;
    device.set_nonblocking(true).map_err(|error| Error::system("use the TUN device", error))?;
    Ok(device)
}

/// Gives a device in a namespace of its own the addresses of `host`, and routes with these metrics
/// to it for the other addresses of `block`.
pub(super) fn set_up(
    device: &SyncDevice,
    block: Block,
    host: usize,
    mtu: u16,
    metrics: &[Metric],
) -> Result<(), Error> {
    let index = bring_up(device, mtu)?;
    let netlink = netlink()?;
    netlink.up(LOOPBACK, &[]).map_err(|error| Error::system("bring loopback up", error))?;
    for (network, address) in block.networks().into_iter().zip(addresses(block, host)) {
        let set = netlink
            .add_address(index, address)
            .and_then(|()| netlink.add_route(index, network, address, metrics));
        tolerate_missing_ipv6(address, set)?;
    }
    Ok(())
}

/// Gives a device in the machine's own namespace the addresses of `host` in the first block that is
/// free here, and routes to the `others` of that block, one for each address. Returns the block.
pub(super) fn attach(
    device: &SyncDevice,
    host: usize,
    others: &[usize],
    mtu: u16,
) -> Result<Block, Error> {
    let index = bring_up(device, mtu)?;
    let netlink = netlink()?;
    // A route needs its source address first, but only a route shows whether a block is free.
    for block in routes::inner().filter(|block| !routes::takes(*block)) {
        match attach_to(&netlink, index, block, host, others) {
            Err(Error::System { source, .. })
                if source.raw_os_error() == Some(Errno::EEXIST as i32) => {}
            result => return result.map(|()| block),
        }
    }
    Err(Error::NoAddresses)
}

/// A block for a lab whose hosts all have namespaces of their own.
pub(super) fn block() -> Result<Block, Error> {
    routes::inner().next().ok_or(Error::NoAddresses)
}

/// True if the calling thread's namespace is that of a host of a lab.
pub(super) fn within_lab() -> bool {
    Block::all().any(routes::takes_all)
}

/// Routes packets to everywhere else through a device, with the address of `host`. There is IPv4
/// alone.
pub(super) fn set_way_out(device: &SyncDevice, block: Block, host: usize) -> Result<(), Error> {
    let failed = |error| Error::system("set a default route", error);
    let index = device.if_index().map_err(failed)?;
    let source = block.v4(host).into();
    let everywhere = (Ipv4Addr::UNSPECIFIED.into(), 0);
    netlink()?.add_route(index, everywhere, source, &[]).map_err(failed)
}

fn attach_to(
    netlink: &Netlink,
    index: u32,
    block: Block,
    host: usize,
    others: &[usize],
) -> Result<(), Error> {
    for (family, address) in addresses(block, host).into_iter().enumerate() {
        let routes = others.iter().map(|other| addresses(block, *other)[family]);
        let mut set = netlink.add_address(index, address);
        for route in routes {
            let prefix = if route.is_ipv4() { 32 } else { 128 };
            set = set.and_then(|()| netlink.add_route(index, (route, prefix), address, &[]));
        }
        tolerate_missing_ipv6(address, set)?;
    }
    Ok(())
}

/// Packets that a device in the calling thread's namespace dropped because the emulator did not
/// read in time.
pub(super) fn overruns(name: &str) -> Option<u64> {
    // Counters are those of /proc/net/dev (proc_pid_net(5)): eight for reception, then bytes,
    // packets, errors, drops.
    let devices = fs::read_to_string("/proc/thread-self/net/dev").ok()?;
    let line =
        devices.lines().find_map(|line| line.trim_start().strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().nth(11)?.parse().ok()
}

fn addresses(block: Block, host: usize) -> [IpAddr; 2] {
    [block.v4(host).into(), block.v6(host).into()]
}

fn netlink() -> Result<Netlink, Error> {
    Netlink::open().map_err(|error| Error::system("open a netlink socket", error))
}

fn bring_up(device: &SyncDevice, mtu: u16) -> Result<u32, Error> {
    let find = |error| Error::system("find the TUN device", error);
    let index = device.if_index().map_err(find)?;
    quieten(&device.name().map_err(find)?);
    let settings = [Setting::Mtu(mtu.into()), Setting::TxQueueLen(DEVICE_QUEUE)];
    netlink()?.up(index, &settings).map_err(|error| {
        Error::system(format!("bring the TUN device up with an MTU of {mtu}"), error)
    })?;
    Ok(index)
}

/// IPv6 may be absent or switched off; then there is IPv4 alone.
fn tolerate_missing_ipv6(address: IpAddr, set: io::Result<()>) -> Result<(), Error> {
    match set {
        Err(error) if address.is_ipv4() => Err(Error::system(format!("set {address}"), error)),
        Err(error) if error.raw_os_error() == Some(Errno::EEXIST as i32) => {
            Err(Error::system(format!("set {address}"), error))
        }
        _ => Ok(()),
    }
}

/// Keeps packets of the kernel's own (link-local addresses, router solicitations) off the links.
/// Where `/proc/sys` is read-only they are sent, and count as unroutable.
fn quieten(device: &str) {
    for (key, value) in [("addr_gen_mode", "1"), ("router_solicitations", "0"), ("accept_ra", "0")]
    {
        let _ = fs::write(format!("/proc/sys/net/ipv6/conf/{device}/{key}"), value);
    }
}

/// Allows TCP connections in the calling thread's namespace buffers of up to `bytes`. Where
/// `/proc/sys` is read-only the machine's limit remains.
pub(super) fn set_tcp_buffers(bytes: u32) {
    // The minimum and the initial size are the kernel's defaults (tcp(7)).
    let _ = fs::write("/proc/sys/net/ipv4/tcp_rmem", format!("4096 131072 {bytes}"));
    let _ = fs::write("/proc/sys/net/ipv4/tcp_wmem", format!("4096 16384 {bytes}"));
}

/// Lets TCP connections in the calling thread's namespace do without timestamps.
///
/// # Errors
/// If `/proc/sys` is read-only: packets would have another size than was asked for.
pub(super) fn switch_off_tcp_timestamps() -> Result<(), Error> {
    fs::write("/proc/sys/net/ipv4/tcp_timestamps", "0")
        .map_err(|error| Error::system("switch TCP's timestamps off", error))
}
