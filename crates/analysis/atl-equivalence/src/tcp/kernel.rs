//! The kernel's TCP behind emulated links, in two network namespaces.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use atl_core::time::{Span, Time};
use atl_engine::{Stopped, Watch};
use atl_net::clock::Clock;
use atl_net::emulator::{Emulator, Stop, Timing};
use atl_net::tun::{Lab, Network, Options as LabOptions};
use socket2::{Domain, Socket, Type};

use super::{KernelRun, NoKernel};
use crate::battery::{Kernel, TcpCase};
use crate::emulated::{Options, while_doing};

/// Indices of the two hosts.
const NEAR: usize = 0;
const FAR: usize = 1;
const PORT: u16 = 80;
/// Start of the transfer, as in the simulator.
const BEGIN: Time = Time::from_millis(100);
/// Interval at which this thread checks for the end.
const LOOK: Duration = Duration::from_millis(20);
/// Limit on the time to connect.
const CONNECT: Duration = Duration::from_secs(5);
/// Longest read or write before a thread checks whether the run is over.
const PATIENCE: Duration = Duration::from_millis(100);

/// The kernel's list of its congestion controls.
const AVAILABLE: &str = "/proc/sys/net/ipv4/tcp_available_congestion_control";

/// Moves bytes from one host to the other for as long as the case lasts.
pub(super) fn run(
    case: &TcpCase,
    kernel: Kernel,
    seed: u64,
    options: Options,
    watch: &Watch<'_>,
) -> Result<KernelRun, NoKernel> {
    available(kernel)?;
    let setup = case.setup("sack").map_err(Stopped::from)?;
    let lab = Lab::new(Network::of(&setup), LabOptions::default())?;
    let address: Ipv4Addr = lab.hosts()[FAR].v4;
    let listener = lab.run_in(FAR, move || TcpListener::bind((address, PORT)));
    let listener =
        joined(listener.join()).map_err(|error| while_doing("listen in a namespace", error))?;
    let (relay, ports) = (lab.relay(seed), lab.ports());
    let timing = Timing { real_time: options.real_time, spin: options.spin, ..Timing::default() };
    let clock = Clock::start();
    let (stop, over) = (Stop::default(), Stop::default());
    let emulator = {
        let stop = stop.clone();
        thread::spawn(move || Emulator::new(relay, ports, clock, timing).run(&stop, &mut |_| {}))
    };
    let (counted, count) = mpsc::channel();
    let receiver = {
        let (over, from) = (over.clone(), Time::ZERO + Span::from_secs_f64(case.warmup));
        let until = Time::ZERO + case.lasts();
        thread::spawn(move || counted.send(receive(&listener, clock, from, until, &over)))
    };
    let sender = {
        let over = over.clone();
        lab.run_in(NEAR, move || send((address, PORT).into(), kernel, clock, &over))
    };
    let end = Time::ZERO + case.lasts();
    let mut watched = Ok(());
    while clock.now() < end && watched.is_ok() && !sender.is_finished() && !emulator.is_finished() {
        thread::sleep(LOOK);
        watched = watch.reached(clock.now().since(Time::ZERO));
    }
    over.stop();
    let sent = joined(sender.join());
    let received = count.recv_timeout(CONNECT);
    stop.stop();
    let summary = joined(emulator.join());
    watched?;
    sent.map_err(|error| while_doing("send over the kernel's TCP", error))?;
    let summary = summary.map_err(Stopped::from)?;
    let bytes = received
        .map_err(|_| Stopped::Failed("the receiver did not end".into()))?
        .map_err(|error| while_doing("receive over the kernel's TCP", error))?;
    drop(receiver.join());
    let lateness = &summary.last.lateness;
    Ok(KernelRun {
        seed,
        goodput_bps: 8.0 * bytes as f64 / (case.seconds - case.warmup),
        late_p90_s: lateness.quantile(0.9).secs(),
        late_share: lateness.late_share(),
        trusted: lateness.trusted() && lab.losses().overruns == 0,
    })
}

fn joined<T>(result: thread::Result<T>) -> T {
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// An error unless the kernel has this congestion control.
fn available(kernel: Kernel) -> Result<(), NoKernel> {
    let known = fs::read_to_string(AVAILABLE).unwrap_or_default();
    match known.split_whitespace().any(|name| name == kernel.name()) {
        true => Ok(()),
        false => Err(NoKernel::NotHere(format!(
            "this kernel has no congestion control `{}` ({AVAILABLE} has: {})",
            kernel.name(),
            known.trim()
        ))),
    }
}

/// Writes as much as the connection takes, from [`BEGIN`] until `over`.
fn send(to: SocketAddr, kernel: Kernel, clock: Clock, over: &Stop) -> io::Result<()> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None)?;
    socket.set_tcp_congestion(kernel.name().as_bytes())?;
    socket.set_write_timeout(Some(PATIENCE))?;
    thread::sleep(Duration::from_nanos(BEGIN.since(clock.now()).nanos()));
    socket.connect_timeout(&to.into(), CONNECT)?;
    let block = [0; 1 << 14];
    while !over.stopped() {
        match (&socket).write(&block) {
            Ok(_) => {}
            Err(error) if waits(&error) => {}
            // The receiver has ended first.
            Err(_) if over.stopped() => return Ok(()),
            Err(error) => return Err(error),
        }
    }
    // Data in the send buffer would only delay the end.
    socket.set_linger(Some(Duration::ZERO))
}

/// Counts the bytes that arrive between two times.
fn receive(
    listener: &TcpListener,
    clock: Clock,
    from: Time,
    until: Time,
    over: &Stop,
) -> io::Result<u64> {
    // `accept` would wait forever if no connection comes.
    listener.set_nonblocking(true)?;
    let mut stream = loop {
        match listener.accept() {
            Ok((stream, _)) => break stream,
            Err(error) if waits(&error) && over.stopped() => return Ok(0),
            Err(error) if waits(&error) => thread::sleep(LOOK),
            Err(error) => return Err(error),
        }
    };
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut buffer = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        let read = match stream.read(&mut buffer) {
            Ok(0) => return Ok(bytes),
            Ok(read) => read,
            Err(error) if waits(&error) => 0,
            // The sender has discarded its buffer.
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return Ok(bytes),
            Err(error) => return Err(error),
        };
        // Reads on after the end: a sender that finds the connection closed would fail.
        if over.stopped() {
            return Ok(bytes);
        }
        if (from..until).contains(&clock.now()) {
            bytes += read as u64;
        }
    }
}

/// True of a read or write that timed out.
fn waits(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut | io::ErrorKind::Interrupted
    )
}
