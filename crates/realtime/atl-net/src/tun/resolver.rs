//! A resolver for the hosts of a lab: it passes queries on to those of this machine, which may
//! listen on loopback, where a namespace does not reach them.

use std::fs;
use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle, sleep};
use std::time::{Duration, Instant};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

/// The file with this machine's resolvers (resolv.conf(5)), of which it takes three at most.
const FILE: &str = "/etc/resolv.conf";
const MOST: usize = 3;
const PORT: u16 = 53;
/// The time that a query may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// Limits on queries, and on connections, under way.
const QUERIES: usize = 256;
const CONNECTIONS: usize = 16;
/// Interval between looks at whether it is to end.
const LOOK: Duration = Duration::from_millis(100);
/// The longest query or answer.
const LONGEST: usize = 65_535;

/// Answers queries at an address of this namespace, as long as it lives.
#[derive(Debug)]
pub(super) struct Resolver {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Resolver {
    /// Listens at `address`. It does nothing if a resolver of this machine listens there already.
    ///
    /// # Errors
    /// If it may not listen there, or there is no thread left.
    pub(super) fn start(address: Ipv4Addr) -> io::Result<Resolver> {
        Self::between(
            (address, PORT).into(),
            resolvers(&fs::read_to_string(FILE).unwrap_or_default()),
        )
    }

    fn between(listen: SocketAddr, resolvers: Vec<SocketAddr>) -> io::Result<Resolver> {
        let stop = Arc::new(AtomicBool::new(false));
        let mut threads = Vec::new();
        let resolvers: Arc<[SocketAddr]> = resolvers.into();
        if let Some(socket) = free(UdpSocket::bind(listen))? {
            let (stop, to) = (Arc::clone(&stop), Arc::clone(&resolvers));
            let work = move || _ = pass_on(&socket, &to, &stop);
            threads.push(Builder::new().name("resolver".into()).spawn(work)?);
        }
        if let Some(listener) = free(TcpListener::bind(listen))? {
            let stop = Arc::clone(&stop);
            let work = move || _ = accept(&listener, &resolvers, &stop);
            threads.push(Builder::new().name("resolver".into()).spawn(work)?);
        }
        Ok(Resolver { stop, threads })
    }
}

impl Drop for Resolver {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// A socket, unless its address is taken.
fn free<T>(bound: io::Result<T>) -> io::Result<Option<T>> {
    match bound {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Ok(None),
        bound => bound.map(Some),
    }
}

fn resolvers(text: &str) -> Vec<SocketAddr> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("nameserver"));
    let addresses = lines.filter_map(|rest| rest.trim().parse::<IpAddr>().ok());
    addresses.map(|address| (address, PORT).into()).take(MOST).collect()
}

/// A query on its way to a resolver.
struct Query {
    socket: UdpSocket,
    from: SocketAddr,
    until: Instant,
}

/// Sends each query to all resolvers, and their answers back.
fn pass_on(socket: &UdpSocket, to: &[SocketAddr], stop: &AtomicBool) -> io::Result<()> {
    socket.set_nonblocking(true)?;
    let mut queries: Vec<Query> = Vec::new();
    let mut buffer = vec![0; LONGEST];
    while !stop.load(Ordering::Relaxed) {
        let mut waiting = vec![PollFd::new(socket.as_fd(), PollFlags::POLLIN)];
        waiting.extend(
            queries.iter().map(|query| PollFd::new(query.socket.as_fd(), PollFlags::POLLIN)),
        );
        let _ = poll(&mut waiting, PollTimeout::try_from(LOOK).unwrap_or(PollTimeout::MAX));
        for query in &queries {
            if let Ok(length) = query.socket.recv(&mut buffer) {
                let _ = socket.send_to(&buffer[..length], query.from);
            }
        }
        let now = Instant::now();
        queries.retain(|query| query.until > now);
        while let Ok((length, from)) = socket.recv_from(&mut buffer) {
            let room = QUERIES - queries.len().min(QUERIES);
            let asked = to.iter().take(room).filter_map(|to| ask(*to, &buffer[..length]).ok());
            queries.extend(asked.map(|socket| Query { socket, from, until: now + PATIENCE }));
        }
    }
    Ok(())
}

fn ask(to: SocketAddr, query: &[u8]) -> io::Result<UdpSocket> {
    let any: IpAddr = if to.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { [0_u16; 8].into() };
    let socket = UdpSocket::bind((any, 0))?;
    socket.connect(to)?;
    socket.set_nonblocking(true)?;
    socket.send(query)?;
    Ok(socket)
}

/// Serves connections, for answers that are too long for a datagram (RFC 7766).
fn accept(listener: &TcpListener, to: &Arc<[SocketAddr]>, stop: &AtomicBool) -> io::Result<()> {
    listener.set_nonblocking(true)?;
    let open = Arc::new(AtomicUsize::new(0));
    while !stop.load(Ordering::Relaxed) {
        match listener.accept() {
            Ok((stream, _)) if open.load(Ordering::Relaxed) < CONNECTIONS => {
                let (to, open) = (Arc::clone(to), Arc::clone(&open));
                open.fetch_add(1, Ordering::Relaxed);
                Builder::new().name("resolver".into()).spawn(move || {
                    let _ = serve(stream, &to);
                    open.fetch_sub(1, Ordering::Relaxed);
                })?;
            }
            Ok(_) => {}
            Err(_) => sleep(LOOK),
        }
    }
    Ok(())
}

fn serve(mut client: TcpStream, to: &[SocketAddr]) -> io::Result<()> {
    let connected = to.iter().find_map(|to| TcpStream::connect_timeout(to, PATIENCE).ok());
    let mut server = connected.ok_or(io::ErrorKind::NotConnected)?;
    for stream in [&client, &server] {
        stream.set_nonblocking(false)?;
        stream.set_read_timeout(Some(PATIENCE))?;
    }
    loop {
        copy(&mut client, &mut server)?;
        copy(&mut server, &mut client)?;
    }
}

/// Copies a message with its length before it.
fn copy(from: &mut TcpStream, to: &mut TcpStream) -> io::Result<()> {
    let mut length = [0; 2];
    from.read_exact(&mut length)?;
    let mut message = length.to_vec();
    message.resize(2 + usize::from(u16::from_be_bytes(length)), 0);
    from.read_exact(&mut message[2..])?;
    to.write_all(&message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_s_resolvers_are_read() {
        let text = "# nameserver 192.0.2.9\nsearch x\nnameserver 127.0.0.53\n nameserver\t::1\nnameserver nonsense\n";
        let expected: Vec<SocketAddr> =
            ["127.0.0.53:53", "[::1]:53"].map(|text| text.parse().expect("an address")).into();
        assert_eq!(resolvers(text), expected);
    }

    /// Queries and answers pass over both transports, and the address is free afterwards.
    #[test]
    fn queries_are_passed_on() {
        let loopback = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let real = UdpSocket::bind(loopback).expect("loopback");
        let to = real.local_addr().expect("bound");
        let real_tcp = TcpListener::bind(to).expect("loopback");
        let listen = UdpSocket::bind(loopback).and_then(|s| s.local_addr()).expect("loopback");
        let resolver = Resolver::between(listen, vec![to]).expect("free");
        let client = UdpSocket::bind(loopback).expect("loopback");
        client.set_read_timeout(Some(PATIENCE)).expect("set");
        client.connect(listen).expect("loopback");
        client.send(b"query").expect("sent");
        let mut buffer = [0; 64];
        let (length, from) = real.recv_from(&mut buffer).expect("passed on");
        assert_eq!(&buffer[..length], b"query");
        real.send_to(b"answer", from).expect("sent");
        let length = client.recv(&mut buffer).expect("an answer");
        assert_eq!(&buffer[..length], b"answer");

        let mut client = TcpStream::connect(listen).expect("accepted");
        client.write_all(b"\0\x02hi").expect("sent");
        let (mut server, _) = real_tcp.accept().expect("passed on");
        let mut got = [0; 4];
        server.read_exact(&mut got).expect("the query");
        server.write_all(b"\0\x03yes").expect("sent");
        let mut answer = [0; 5];
        client.read_exact(&mut answer).expect("the answer");
        assert_eq!((&got, &answer), (b"\0\x02hi", b"\0\x03yes"));
        drop((client, server, resolver));
        UdpSocket::bind(listen).expect("free again");
    }
}
