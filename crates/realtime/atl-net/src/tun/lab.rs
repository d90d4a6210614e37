//! Engines in namespaces, their devices, and an emulator between them.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;

use super::address::Block;
use super::device;
use super::error::Error;
use super::header::LOWER_EFFORT;
use super::listening::Listening;
use super::namespace::Namespace;
use super::netlink::Metric;
use super::network::{Network, Place};
use super::ports::{Counts, Device, Table, Tuns};
use super::program::{Launcher, Program};
use super::supervisor::Files;
use super::way_out::WayOut;
use crate::clock::Clock;
use crate::emulator::{self, Emulator, Stop, Timing};
use crate::snapshot::Snapshot;
use atl_core::time::Span;
use atl_link::relay::{Relay, RouteId};

/// Properties of packets on the links, and settings of the hosts' kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The largest packet, in bytes, 1280 (the least that IPv6 allows) to 65535.
    pub mtu: u16,
    /// Bytes that the links carry besides each IP packet, as for the framing of a MAC.
    pub overhead: u32,
    /// Packets with this differentiated-services code point (0 to 63) have low priority: a queue
    /// with two bands serves them after all others.
    pub low_priority: u8,
    /// The largest buffer of a TCP connection in the namespaces, in bytes, large enough for the
    /// links to be the limit; `None` keeps the machine's setting. The machine's own namespace keeps
    /// it in any case.
    pub tcp_buffer: Option<u32>,
    /// The initial window of TCP connections in the namespaces, in packets; `None` keeps the
    /// kernel's (10, RFC 6928).
    pub initial_window: Option<u32>,
    /// The least retransmission timeout of TCP connections in the namespaces, in whole
    /// milliseconds; `None` keeps the kernel's (200 ms).
    pub min_rto: Option<Span>,
    /// TCP receivers in the namespaces acknowledge every packet, and not every second one.
    pub quick_ack: bool,
    /// TCP connections in the namespaces have timestamps (RFC 7323), 12 bytes of each packet.
    pub tcp_timestamps: bool,
    /// Packets to addresses outside the lab leave by the host that is this machine, which gives
    /// them its own address (IPv4 alone), and programs in the namespaces have a resolver.
    pub way_out: bool,
}

impl Default for Options {
    /// An MTU of 1500 bytes, no overhead, lower-effort traffic (LE, RFC 8622) at low priority, 64
    /// MiB for TCP, and otherwise a TCP as the kernel has it.
    fn default() -> Self {
        Options {
            mtu: 1500,
            overhead: 0,
            low_priority: LOWER_EFFORT,
            tcp_buffer: Some(64 << 20),
            initial_window: None,
            min_rto: None,
            quick_ack: false,
            tcp_timestamps: true,
            way_out: false,
        }
    }
}

impl Options {
    /// The metrics of the routes in the namespaces.
    fn metrics(&self) -> Vec<Metric> {
        let window = self.initial_window.map(Metric::InitialWindow);
        // The kernel counts in milliseconds, and takes 0 for its own.
        let millis = |rto: Span| u32::try_from(rto.nanos() / 1_000_000).unwrap_or(u32::MAX).max(1);
        let rto = self.min_rto.map(|rto| Metric::MinRto(millis(rto)));
        let ack = self.quick_ack.then_some(Metric::QuickAck);
        [window, rto, ack].into_iter().flatten().collect()
    }
}

/// A host of a lab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    /// Its name, which programs can use as an address.
    pub name: String,
    /// A namespace of its own, or the machine's.
    pub place: Place,
    /// Its IPv4 address, in the lab's block.
    pub v4: Ipv4Addr,
    /// Its IPv6 address, of no use where the kernel has no IPv6.
    pub v6: Ipv6Addr,
}

/// Packets lost outside the links. If there are many, the run says little about the links.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Losses {
    /// Packets to an address that no link leads to.
    pub unroutable: u64,
    /// Packets that the far host's device refused.
    pub refused: u64,
    /// Packets that the near host's device dropped, because the emulator did not read in time.
    pub overruns: u64,
}

/// The result of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The result of the emulator alone.
    pub emulator: emulator::Summary,
    /// Packets lost outside the links.
    pub losses: Losses,
}

/// Hosts in network namespaces, with links between them. Nothing is left when it is dropped, or
/// when the program is killed.
#[derive(Debug)]
pub struct Lab {
    // First field, because programs must end before their namespaces.
    programs: Vec<Program>,
    way_out: Option<WayOut>,
    hosts: Vec<Host>,
    devices: Vec<Arc<Device>>,
    namespaces: Vec<Namespace>,
    network: Network,
    table: Table,
    counts: Arc<Counts>,
}

impl Lab {
    /// Makes namespaces and devices. No packet moves before [`run`](Lab::run).
    ///
    /// # Errors
    /// If the system does not allow it, or a link cannot be carried out here. The error says what
    /// to do.
    pub fn new(network: Network, options: Options) -> Result<Lab, Error> {
        network.check()?;
        let mut namespaces = Vec::new();
        let mut devices = Vec::new();
        for host in &network.hosts {
            let namespace = Namespace::new(&host.name, host.place)?;
            let own = host.place == Place::Namespace;
            devices.push(Arc::new(Device(namespace.call(move || device::open(own))?)));
            namespaces.push(namespace);
        }
        let mut lab = Lab {
            programs: Vec::new(),
            way_out: None,
            hosts: Vec::new(),
            devices,
            namespaces,
            table: Table::new(&network, options),
            network,
            counts: Arc::default(),
        };
        lab.attach(options.mtu)?;
        lab.set_up(options)?;
        if options.way_out {
            lab.open_way_out()?;
        }
        let block = lab.table.block;
        let hosts = lab.network.hosts.iter().enumerate();
        lab.hosts = hosts
            .map(|(i, plan)| Host {
                name: plan.name.clone(),
                place: plan.place,
                v4: block.v4(i),
                v6: block.v6(i),
            })
            .collect();
        Ok(lab)
    }

    /// Sets up the host that is the machine itself, if there is one, and chooses the block of
    /// addresses.
    fn attach(&mut self, mtu: u16) -> Result<(), Error> {
        let plans = &self.network.hosts;
        let Some(host) = plans.iter().position(|plan| plan.place == Place::Machine) else {
            self.table.block = device::block()?;
            return Ok(());
        };
        let others: Vec<usize> = (0..plans.len()).filter(|other| *other != host).collect();
        let device = Arc::clone(&self.devices[host]);
        let attach = move || device::attach(&device.0, host, &others, mtu);
        self.table.block = self.namespaces[host].call(attach)?;
        Ok(())
    }

    /// Opens a way out by the host that is the machine itself, if there is one.
    fn open_way_out(&mut self) -> Result<(), Error> {
        let plans = &self.network.hosts;
        let Some(gateway) = plans.iter().position(|plan| plan.place == Place::Machine) else {
            return Ok(());
        };
        let block = self.table.block;
        self.way_out = Some(self.namespaces[gateway].call(move || WayOut::open(block, gateway))?);
        self.table.gateway = Some(gateway);
        for host in (0..self.namespaces.len()).filter(|host| *host != gateway) {
            let device = Arc::clone(&self.devices[host]);
            self.namespaces[host].call(move || device::set_way_out(&device.0, block, host))?;
        }
        Ok(())
    }

    /// Sets up the hosts with namespaces of their own.
    fn set_up(&mut self, options: Options) -> Result<(), Error> {
        let block = self.table.block;
        let metrics = options.metrics();
        for (host, plan) in self.network.hosts.iter().enumerate() {
            if plan.place == Place::Machine {
                continue;
            }
            let device = Arc::clone(&self.devices[host]);
            let metrics = metrics.clone();
            self.namespaces[host].call(move || {
                if let Some(bytes) = options.tcp_buffer {
                    device::set_tcp_buffers(bytes);
                }
                if !options.tcp_timestamps {
                    device::switch_off_tcp_timestamps()?;
                }
                device::set_up(&device.0, block, host, options.mtu, &metrics)
            })?;
        }
        Ok(())
    }

    /// The hosts, in the network's order.
    pub fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    /// The routes of [`ports`](Lab::ports): the links of each, by index.
    pub fn routes(&self) -> Vec<Vec<usize>> {
        self.network.routes().into_iter().map(|(_, _, links)| links).collect()
    }

    /// The network's links at rest, with the random streams of `seed`, and [`routes`](Lab::routes).
    pub fn relay(&self, seed: u64) -> Relay {
        atl_engine::setup::relay(&self.network.links, self.routes(), seed)
    }

    /// The hosts' devices, for an emulator over [`relay`](Lab::relay). Only one emulator can run at
    /// a time: two would take packets from each other.
    pub fn ports(&self) -> Tuns {
        Tuns::new(self.devices.clone(), self.table.clone(), Arc::clone(&self.counts))
    }

    /// Moves packets on the calling thread until `stop` is set. The links' time starts now.
    ///
    /// # Errors
    /// If a device fails.
    pub fn run(
        &self,
        seed: u64,
        timing: Timing,
        stop: &Stop,
        watch: &mut dyn FnMut(&Snapshot),
    ) -> io::Result<Summary> {
        let emulator = Emulator::new(self.relay(seed), self.ports(), Clock::start(), timing);
        Ok(Summary { emulator: emulator.run(stop, watch)?, losses: self.losses() })
    }

    /// Packets lost outside the links so far.
    pub fn losses(&self) -> Losses {
        let overruns = self.devices.iter().zip(&self.namespaces).map(|(device, namespace)| {
            let device = Arc::clone(device);
            namespace.call(move || device.0.name().ok().and_then(|name| device::overruns(&name)))
        });
        Losses {
            overruns: overruns.map(Option::unwrap_or_default).sum(),
            unroutable: self.counts.unroutable.load(Ordering::Relaxed),
            refused: self.counts.refused.load(Ordering::Relaxed),
        }
    }

    /// Sockets of a host that wait for peers.
    ///
    /// # Panics
    /// Panics if there is no such host.
    pub fn listening(&self, host: usize) -> Listening {
        self.namespaces[host].call(Listening::now)
    }

    /// Does `work` on a thread of its own in a host's namespace: sockets that it opens are the
    /// host's. The namespace lives on until the thread ends.
    ///
    /// # Panics
    /// Panics if there is no such host.
    pub fn run_in<T: Send + 'static>(
        &self,
        host: usize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> JoinHandle<T> {
        self.namespaces[host].call(|| std::thread::spawn(work))
    }

    /// Starts a program in a host's namespace, under a [`supervisor`](super::supervisor), with the
    /// hosts' names in its `/etc/hosts`. `ended` is called when it has ended. Everything that it
    /// has started ends with it, with the lab, and with this program.
    ///
    /// # Errors
    /// If the supervisor cannot be started. If the program cannot, the supervisor says so and exits
    /// with status 127 (not found) or 126.
    ///
    /// # Panics
    /// Panics if there is no such host.
    pub fn spawn(
        &mut self,
        host: usize,
        launcher: Launcher,
        ended: impl FnOnce(std::process::ExitStatus) + Send + 'static,
    ) -> Result<&Program, Error> {
        let names = self.hosts.iter();
        let names =
            names.map(|host| format!("{} {name}\n{} {name}\n", host.v4, host.v6, name = host.name));
        let names: String = names.collect();
        let out = self.way_out.as_ref().filter(|_| self.hosts[host].place == Place::Namespace);
        let resolver = out.map(|out| format!("nameserver {}\n", out.resolver)).unwrap_or_default();
        let files = Files { names, resolver };
        let program = self.namespaces[host].call(move || Program::start(launcher, files, ended));
        self.programs.push(program.map_err(|error| Error::system("start the program", error))?);
        Ok(&self.programs[self.programs.len() - 1])
    }

    /// The programs started, in order.
    pub fn programs(&self) -> &[Program] {
        &self.programs
    }
}

impl Table {
    fn new(network: &Network, options: Options) -> Table {
        let hosts = network.hosts.len();
        let mut routes = vec![vec![None; hosts]; hosts];
        let mut ends = Vec::new();
        for (from, to, _) in network.routes() {
            routes[from][to] = Some(RouteId(ends.len()));
            ends.push(to);
        }
        Table {
            block: Block::default(),
            routes,
            ends,
            mtu: options.mtu,
            overhead: options.overhead,
            low_priority: options.low_priority,
            gateway: None,
        }
    }
}
