//! Sockets of a run under attack, and after a cancellation.

use std::net::{SocketAddr, UdpSocket};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_engine::{Stopped, Watch};

use super::Plug;

/// A run with a look at the sockets at the flows' ends before it begins.
type Run = fn(&Setup, u64, &Watch<'_>, &mut dyn FnMut(&Plug)) -> Result<RunResult, Stopped>;

/// Runs a setup while garbage comes in at every port, and checks that it is counted as such.
pub(crate) fn sprayed(run: Run, setup: &Setup) -> RunResult {
    let stop = AtomicBool::new(false);
    let mut ends = Vec::new();
    let result = thread::scope(|scope| {
        let mut taken = 0;
        let stop = &stop;
        let result = run(setup, 1, &Watch::unwatched(), &mut |plug| {
            ends.push(plug.socket.try_clone().expect("a descriptor"));
            taken += 1;
            if taken == 2 * setup.flows.len() {
                let ends = std::mem::take(&mut ends);
                scope.spawn(move || spray(&ends, stop));
            }
        });
        stop.store(true, Ordering::Relaxed);
        result.expect("a run")
    });
    let datagrams = result.datagrams.expect("this engine counts them");
    assert!(datagrams.refused > 1000, "{datagrams:?}");
    assert_eq!(datagrams.missing, 0);
    result
}

/// Sends garbage, cut-off and repeated packets: from outside to every port, and from inside, over
/// the very sockets of the flows' ends, from where the system does pass them on.
fn spray(ends: &[UdpSocket], stop: &AtomicBool) {
    let outside = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    let mut ports: Vec<SocketAddr> = Vec::new();
    for end in ends {
        ports.push(end.local_addr().expect("bound"));
        ports.push(end.peer_addr().expect("connected"));
    }
    let mut draws = atl_link::random::Stream::new(1, "garbage");
    let mut seen: Vec<Vec<u8>> = Vec::new();
    let mut buffer = [0; 2048];
    while !stop.load(Ordering::Relaxed) {
        let length = draws.below(1500) as usize;
        let garbage: Vec<u8> = (0..length).map(|_| draws.next_u64() as u8).collect();
        for port in &ports {
            // Refused by the system; an error says so now and then.
            let _ = outside.send_to(&garbage, port);
        }
        for end in ends {
            // A look leaves the datagram where it is.
            if let Ok(length) = end.peek(&mut buffer) {
                seen.push(buffer[..length].to_vec());
            }
            let _ = end.send(&garbage);
            let _ = end.send(b"");
            for old in seen.iter().rev().take(4) {
                let _ = end.send(old);
                let _ = end.send(&old[..old.len() / 2]);
            }
        }
        seen.drain(..seen.len().saturating_sub(16));
        thread::sleep(Duration::from_millis(5));
    }
}

/// Cancels a run of a setup after half a second, and checks that it ends at once and leaves none of
/// its sockets open.
pub(crate) fn cancelled(run: Run, setup: &Setup) {
    let begin = Instant::now();
    let asked = AtomicU32::new(0);
    let stop = || {
        let cancel = begin.elapsed() > Duration::from_millis(500);
        asked.fetch_add(u32::from(cancel), Ordering::Relaxed);
        cancel
    };
    let mut addresses = Vec::new();
    let result = run(setup, 1, &Watch::new(&stop, &|_| {}), &mut |plug| {
        addresses.push(plug.socket.local_addr().expect("bound"));
        addresses.push(plug.socket.peer_addr().expect("connected"));
    });
    assert!(matches!(result, Err(Stopped::Cancelled)), "{result:?}");
    // It looks every 50 ms: at its first answer everything ends, long before the run's own end.
    assert_eq!(asked.into_inner(), 1);
    let (took, whole) = (begin.elapsed(), Duration::from_nanos(setup.duration.nanos()));
    assert!(took < whole / 2, "{took:?} of {whole:?}");
    assert_eq!(addresses.len(), 4 * setup.flows.len());
    for address in addresses {
        UdpSocket::bind(address).expect("the port is free again");
    }
}
