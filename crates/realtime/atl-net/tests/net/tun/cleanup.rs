//! Nothing is left of a lab after its end.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant};

use atl_core::time::Span;
use atl_link::Loss;
use atl_net::tun::{HostPlan, Lab, Options, Place};

use super::support::{PHONE, lab, two_hosts};

/// The network namespaces that threads of this process are in.
fn namespaces() -> BTreeSet<String> {
    let tasks = fs::read_dir("/proc/self/task").unwrap();
    let links = tasks.filter_map(|task| fs::read_link(task.ok()?.path().join("ns/net")).ok());
    links.map(|link| link.display().to_string()).collect()
}

#[test]
fn a_dropped_lab_leaves_no_namespace() {
    let Some(lab) = lab(two_hosts(1.0, Span::from_millis(1), 10, Loss::None)) else { return };
    let own: BTreeSet<String> = [0, 1]
        .map(|host| {
            let read = || fs::read_link("/proc/thread-self/ns/net").unwrap().display().to_string();
            lab.run_in(host, read).join().unwrap()
        })
        .into();
    assert_eq!(own.len(), 2);
    assert!(own.is_subset(&namespaces()));
    drop(lab);
    // Threads are joined; the kernel takes a moment to remove them from /proc.
    let begin = Instant::now();
    while !own.is_disjoint(&namespaces()) {
        assert!(begin.elapsed() < Duration::from_secs(20), "{own:?} are still there");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_dropped_lab_leaves_no_device_on_the_machine() {
    let mut network = two_hosts(1.0, Span::from_millis(1), 10, Loss::None);
    network.hosts[1].place = Place::Machine;
    let Some(lab) = lab(network) else { return };
    let address = lab.hosts()[1].v4.to_string();
    let routed = || fs::read_to_string("/proc/net/fib_trie").unwrap().contains(&address);
    assert!(routed());
    drop(lab);
    assert!(!routed());
}

#[test]
fn mistakes_are_told_before_anything_is_made() {
    let mut network = two_hosts(1.0, Span::from_millis(1), 10, Loss::None);
    let host = network.hosts[PHONE].clone();
    network.hosts =
        (0..300).map(|i| HostPlan { name: format!("host{i}"), ..host.clone() }).collect();
    let error = Lab::new(network, Options::default()).unwrap_err();
    assert_eq!(error.to_string(), "300 hosts: there are addresses for 254");
}
