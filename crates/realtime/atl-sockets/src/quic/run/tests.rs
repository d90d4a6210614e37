//! Sockets under attack, and after a cancellation.

use std::io;
use std::net::UdpSocket;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use atl_engine::setup::Setup;
use atl_engine::{Stopped, Watch};

use super::run;

/// One run at a time: two would make each other late.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn setup(seconds: u32) -> Setup {
    let mut text = format!("title = \"t\"\nduration = \"{seconds}s\"\n");
    for protocol in ["tcp-atl", "noq-cubic"] {
        text += &format!(
            r#"
            [[link]]
            name = "{protocol}"
            from = "phone-{protocol}"
            to = "server"
            rate = "5Mb/s"
            delay = "20ms"
            queue = 40
            wireless = true
            [[flow]]
            name = "{protocol}"
            from = "phone-{protocol}"
            to = "server"
            protocol = "{protocol}"
            "#
        );
    }
    let read = |_: &Path| Err(io::ErrorKind::NotFound.into());
    let overrides = atl_scenario::Overrides::default();
    let scenario = atl_scenario::parse("test", &text, Path::new("test.toml"), &read, &overrides);
    scenario.unwrap_or_else(|errors| panic!("{errors}\n{text}")).points.remove(0).setup
}

/// Throws everything at every socket that one can: noise, and real datagrams again and cut off.
fn spray(ends: &[UdpSocket], stop: &AtomicBool) {
    let mut seen: Vec<Vec<u8>> = Vec::new();
    let mut buffer = [0; 2048];
    while !stop.load(Ordering::Relaxed) {
        for end in ends {
            // A look that leaves the datagram where it is.
            if let Ok(length) = end.peek(&mut buffer) {
                seen.push(buffer[..length].to_vec());
            }
            let _ = end.send(b"");
            let _ = end.send(&[7; 40]);
            for old in seen.iter().rev().take(4) {
                let _ = end.send(old);
                let _ = end.send(&old[..old.len() / 2]);
            }
        }
        seen.drain(..seen.len().saturating_sub(16));
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn garbage_at_every_port_is_counted_and_changes_nothing() {
    let _alone = alone();
    let setup = setup(3);
    let stop = AtomicBool::new(false);
    let mut ends = Vec::new();
    let result = thread::scope(|scope| {
        let mut taken = 0;
        let stop = &stop;
        let result = run(&setup, 1, &Watch::unwatched(), &mut |plug| {
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
    for flow in &result.flows {
        let count = |count: Option<u64>| count.expect("this engine counts it");
        let gone = count(flow.dropped) + count(flow.lost) + count(flow.under_way_after);
        assert_eq!(flow.sent, count(flow.arrived) + gone, "{flow:?}");
        assert!(flow.goodput_bps > 3e6, "{flow:?}");
    }
    let datagrams = result.datagrams.expect("this engine counts them");
    assert!(datagrams.refused > 1000, "{datagrams:?}");
    assert_eq!(datagrams.missing, 0);
}

#[test]
fn a_cancelled_run_ends_at_once_and_leaves_no_socket() {
    let _alone = alone();
    let setup = setup(30);
    let begin = Instant::now();
    let asked = Mutex::new(None);
    let stop = || {
        let cancel = begin.elapsed() > Duration::from_millis(500);
        if cancel {
            asked.lock().expect("one thread").get_or_insert_with(Instant::now);
        }
        cancel
    };
    let mut addresses = Vec::new();
    let result = run(&setup, 1, &Watch::new(&stop, &|_| {}), &mut |plug| {
        addresses.push(plug.socket.local_addr().expect("bound"));
        addresses.push(plug.socket.peer_addr().expect("connected"));
    });
    assert!(matches!(result, Err(Stopped::Cancelled)), "{result:?}");
    let asked = asked.into_inner().expect("one thread").expect("asked");
    // 50 ms at most by construction; a loaded machine may need longer to run the threads once more.
    assert!(asked.elapsed() < Duration::from_millis(400), "{:?}", asked.elapsed());
    assert_eq!(addresses.len(), 8);
    for address in addresses {
        UdpSocket::bind(address).expect("the port is free again");
    }
}
