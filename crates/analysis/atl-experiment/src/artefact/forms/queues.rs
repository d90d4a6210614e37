//! Queues with a place for each packet, or with room for bytes.

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
        rewrite: |setup| each_config(setup, |config| replace(&mut config.queue, in_packets)),
    },
    Form {
        name: "queue-in-time",
        of: &QUEUES,
        words: "with queues in time",
        about: "A full queue holds a time at the link's rate, that is, bytes: 1500 for each packet that it had room for.",
        is_off: false,
        rewrite: |setup| each_config(setup, |config| replace(&mut config.queue, in_bytes)),
    },
];

fn replace(queue: &mut QueueConfig, other: fn(&QueueConfig) -> Option<QueueConfig>) -> bool {
    let Some(new) = other(queue) else { return false };
    *queue = new;
    true
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
