//! Queues with a place for each packet, or with room for bytes.

use std::iter::once;

use atl_engine::setup::Setup;
use atl_link::QueueConfig;

use super::super::form::{Form, Impairment};
use super::super::rewrite::{PACKET, each_config};

const QUEUES: Impairment = Impairment { name: "queues", with: "with queues of these lengths" };

pub(super) const FORMS: &[Form] = &[
    Form {
        name: "queue-in-packets",
        of: &QUEUES,
        words: "with queues in packets",
        about: "A full queue holds a number of packets, however short: as many of 1500 bytes as it had room for.",
        is_off: false,
        rewrite: |setup| each_queue(setup, in_packets),
    },
    Form {
        name: "queue-in-time",
        of: &QUEUES,
        words: "with queues in time",
        about: "A full queue holds a time at the link's rate, that is, bytes: 1500 for each packet that it had room for.",
        is_off: false,
        rewrite: |setup| each_queue(setup, in_bytes),
    },
];

/// Replaces the queues of each link, that of the start and those that its networks bring, where
/// there is another.
fn each_queue(setup: &mut Setup, other: fn(&QueueConfig) -> Option<QueueConfig>) -> bool {
    each_config(setup, |config| {
        let networks = config.schedule.iter_mut().map(|change| &mut change.to);
        let own = once(&mut config.initial).chain(networks).filter_map(|to| to.queue.as_mut());
        let mut changed = false;
        for queue in own.map(|buffer| &mut buffer.queue).chain(once(&mut config.queue)) {
            if let Some(new) = other(queue) {
                *queue = new;
                changed = true;
            }
        }
        changed
    })
}

fn in_packets(queue: &QueueConfig) -> Option<QueueConfig> {
    // Bounded by what a reader of files allows, so the conversion loses nothing.
    let packets = |bytes: u64| u32::try_from((bytes / u64::from(PACKET)).max(1)).ok();
    match queue {
        QueueConfig::DropTailBytes { bytes } => {
            Some(QueueConfig::DropTail { packets: packets(*bytes)? })
        }
        QueueConfig::PriorityBytes { bytes } => {
            Some(QueueConfig::Priority { packets: packets(*bytes)? })
        }
        _ => None,
    }
}

fn in_bytes(queue: &QueueConfig) -> Option<QueueConfig> {
    let bytes = |packets: u32| u64::from(packets) * u64::from(PACKET);
    match queue {
        QueueConfig::DropTail { packets } => {
            Some(QueueConfig::DropTailBytes { bytes: bytes(*packets) })
        }
        QueueConfig::Priority { packets } => {
            Some(QueueConfig::PriorityBytes { bytes: bytes(*packets) })
        }
        _ => None,
    }
}
