//! S-ARQ over paths that lose, damage, repeat, misinsert and reorder cells in both directions.

mod path;
mod scenarios;

use crate::random::Random;
use atl_aal::aalt::payload::PayloadLength;
use atl_aal::aalt::s_arq::{
    Arrival, InvalidConfig, Receiver, ReceiverConfig, RoundTripCount, Sender, SenderConfig, Status,
    SubmitError,
};
use atl_aal::aalt::{Connection, PduError, SequenceNumber, Tag, control, cp_arq, cpcs};
use atl_core::time::{Span, Time};
use path::{Faults, Path};
use proptest::prelude::*;

const CONNECTION: Connection = Connection(0xA5A5);

fn sender_config() -> SenderConfig {
    SenderConfig {
        connection: CONNECTION,
        window: 64,
        buffer_octets: 100_000,
        longest: PayloadLength::from_cells(4).unwrap(),
        ..SenderConfig::default()
    }
}

fn receiver_config() -> ReceiverConfig {
    ReceiverConfig {
        connection: CONNECTION,
        window: 64,
        status_interval: Span::from_millis(5),
        longest_status_interval: Span::from_millis(12),
        ..ReceiverConfig::default()
    }
}

struct Run {
    sender: Sender,
    receiver: Receiver,
    delivered: Vec<Vec<u8>>,
    steps: u64,
    undetected: u64,
    arrived: u64,
}

/// Transfers `sdus`, in steps of one millisecond, until the sender is done.
fn carry(
    sdus: &[Vec<u8>],
    sender: SenderConfig,
    receiver: ReceiverConfig,
    forth: &Faults,
    back: &Faults,
    seed: u64,
) -> Run {
    let mut run = Run {
        sender: Sender::new(sender).unwrap(),
        receiver: Receiver::new(receiver, Time::ZERO).unwrap(),
        delivered: Vec::new(),
        steps: 0,
        undetected: 0,
        arrived: 0,
    };
    let longest = sender.longest.octets();
    let (mut there, mut back) = (Path::new(forth.clone(), seed), Path::new(back.clone(), !seed));
    let mut waiting = sdus.iter().peekable();
    let mut pdu = Vec::new();
    while waiting.peek().is_some() || !run.sender.is_done() {
        let now = Time::from_millis(run.steps);
        assert!(run.steps < 6_000_000, "the sender is never done: {:?}", run.sender.statistics());
        while let Some(sdu) = waiting.peek() {
            match run.sender.submit(sdu) {
                Ok(()) => _ = waiting.next(),
                Err(error) => {
                    assert_eq!(error, SubmitError::Full);
                    break;
                }
            }
        }
        for _ in 0..8 {
            if run.sender.poll_send(now, &mut pdu).is_none() {
                break;
            }
            there.send(run.steps, &pdu);
        }
        for pdu in there.arrive(run.steps, |pdu| cp_arq::decode(pdu, CONNECTION).is_ok()) {
            let _ = run.receiver.on_pdu(now, &pdu);
            while let Some(sdu) = run.receiver.poll_delivered() {
                run.delivered.push(sdu);
            }
        }
        if run.receiver.poll_status(now, &mut pdu) {
            back.send(run.steps, &pdu);
        }
        for pdu in back.arrive(run.steps, |pdu| control::decode(pdu, CONNECTION).is_ok()) {
            let _ = run.sender.on_control(now, &pdu);
        }
        let window = usize::from(receiver.window);
        assert!(run.receiver.held_pdus() < window);
        assert!(
            run.receiver.held_octets() <= window * longest + cpcs::MAX_PDU_OCTETS,
            "the receiver holds {}",
            run.receiver.held_octets()
        );
        assert!(run.sender.held_octets() <= sender.buffer_octets.max(cpcs::MAX_PDU_OCTETS));
        assert!(run.sender.held_pdus() <= run.sender.span());
        run.steps += 1;
    }
    run.undetected = there.undetected + back.undetected;
    run.arrived = there.arrived + back.arrived;
    run
}

fn sdus(count: usize, longest: usize, seed: u64) -> Vec<Vec<u8>> {
    let mut random = Random(seed);
    (0..count)
        .map(|_| {
            let octets = random.below(longest + 1);
            (0..octets).map(|_| random.bits() as u8).collect()
        })
        .collect()
}

fn faults() -> impl Strategy<Value = Faults> {
    let few = |most: f64| prop_oneof![2 => Just(0.0), 3 => 0.0..most];
    (few(0.3), few(0.15), few(0.15), few(0.1), few(0.1), 0_u64..20, 60_u64..400, 0_u64..55)
        .prop_map(|(loss, damage, repetition, misinsertion, reordering, delay, period, outage)| {
            Faults { loss, damage, repetition, misinsertion, reordering, delay, period, outage }
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_sdu_is_delivered_once_in_order_and_intact(
        forth in faults(),
        back in faults(),
        seed: u64,
        count in 1_usize..40,
        longest in prop_oneof![Just(30_usize), Just(300), Just(3000)],
        window in prop_oneof![Just(1_u16), Just(2), 3_u16..64],
        round_trip in prop_oneof![
            (1_u16..12).prop_map(RoundTripCount::Fixed),
            (1_u16..12).prop_map(|initial| RoundTripCount::Measured { initial }),
        ],
    ) {
        let sdus = sdus(count, longest, seed);
        let sender = SenderConfig { window, round_trip, ..sender_config() };
        let run = carry(&sdus, sender, receiver_config(), &forth, &back, seed);
        prop_assert_eq!(&run.delivered, &sdus);
        // CRC-16 passes 2^-16 of all damaged PDUs, and less than half of the PDUs were damaged.
        prop_assert!(run.undetected <= 5 + run.arrived / 10_000, "{} of {}", run.undetected, run.arrived);
    }

    #[test]
    fn no_octets_make_an_end_panic(pdus in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..200), 1..40)) {
        let mut sender = Sender::new(sender_config()).unwrap();
        let mut receiver = Receiver::new(receiver_config(), Time::ZERO).unwrap();
        sender.submit(&[1; 500]).unwrap();
        let mut out = Vec::new();
        for (i, pdu) in pdus.iter().enumerate() {
            let now = Time::from_millis(i as u64);
            sender.poll_send(now, &mut out);
            let _ = sender.on_control(now, pdu);
            let _ = receiver.on_pdu(now, pdu);
            // With a correct check, so that everything after it is reached.
            if let Some((sn, piece)) = pdu.split_first() {
                let sn = SequenceNumber(u16::from(*sn) % 80);
                cp_arq::encode(sn, piece, CONNECTION, &mut out);
                let _ = receiver.on_pdu(now, &out);
                prop_assert!(receiver.held_pdus() < 64);
                let octets = &piece[..piece.len().min(30)];
                for bits in [octets.len() * 8, (octets.len() * 8).saturating_sub(5)] {
                    if let Ok(bitmap) = control::BitMap::new(octets, bits) {
                        let tag = Tag(octets.first().map_or(0, |octet| octet % 3));
                        control::Control { tag, msn: sn, bitmap }.encode(CONNECTION, &mut out);
                        prop_assert!(sender.on_control(now, &out).is_ok());
                    }
                }
            }
            receiver.poll_status(now, &mut out);
        }
    }
}

#[test]
fn without_faults_nothing_is_sent_twice() {
    let sdus = sdus(300, 3000, 1);
    let run = carry(&sdus, sender_config(), receiver_config(), &Faults::NONE, &Faults::NONE, 1);
    assert_eq!(run.delivered, sdus);
    assert_eq!(run.sender.statistics().retransmitted, 0);
    assert_eq!(run.receiver.statistics().duplicates, 0);
    assert_eq!(run.sender.payload_length().cells(), 4, "it has grown to the longest allowed");
}

/// More than 65 536 PDUs and 256 CPCS-PDUs.
#[test]
fn numbers_and_tags_wrap_under_loss() {
    let sdus = vec![vec![0x77; 1496]; 2_200];
    let sender = SenderConfig { longest: PayloadLength::SHORTEST, ..sender_config() };
    let lossy = Faults { loss: 0.02, reordering: 0.01, repetition: 0.01, ..Faults::NONE };
    let run = carry(&sdus, sender, receiver_config(), &lossy, &lossy, 3);
    assert!(run.delivered == sdus);
    assert!(run.receiver.statistics().taken > 70_000);
}

#[test]
fn the_longest_sdu_passes_a_window_and_a_buffer_smaller_than_itself() {
    let sdus = vec![vec![3; cpcs::MAX_SDU_OCTETS], vec![4; 10]];
    let sender = SenderConfig { buffer_octets: 10, window: 5, ..sender_config() };
    let run = carry(&sdus, sender, receiver_config(), &Faults::NONE, &Faults::NONE, 3);
    assert!(run.delivered == sdus);
}

#[test]
fn the_bit_error_ratio_determines_the_length() {
    // One cell in five is lost: even the shortest payload is too long for this path.
    let lossy = Faults { loss: 0.2, ..Faults::NONE };
    let run = carry(&sdus(60, 3000, 5), sender_config(), receiver_config(), &lossy, &lossy, 5);
    assert_eq!(run.sender.payload_length(), PayloadLength::SHORTEST);
    let seen = run.sender.bit_errors().unwrap().get();
    // Eq. 8 gives Pc = 0.8 at 5.8e-4.
    assert!((3e-4..9e-4).contains(&seen), "{seen}");
}

/// Both ends without a path.
struct Pair {
    sender: Sender,
    receiver: Receiver,
    now: Time,
}

impl Pair {
    fn new() -> Self {
        let config = SenderConfig { round_trip: RoundTripCount::Fixed(2), ..sender_config() };
        Pair {
            sender: Sender::new(config).unwrap(),
            receiver: Receiver::new(receiver_config(), Time::ZERO).unwrap(),
            now: Time::ZERO,
        }
    }

    fn all_to_send(&mut self) -> Vec<Vec<u8>> {
        let mut pdu = Vec::new();
        let mut pdus = Vec::new();
        while self.sender.poll_send(self.now, &mut pdu).is_some() {
            pdus.push(pdu.clone());
        }
        pdus
    }

    fn hand_over(&mut self, pdus: &[Vec<u8>]) -> Vec<Arrival> {
        pdus.iter().map(|pdu| self.receiver.on_pdu(self.now, pdu).unwrap()).collect()
    }

    fn status(&mut self) -> Vec<u8> {
        self.now += Span::from_millis(20);
        let mut pdu = Vec::new();
        assert!(self.receiver.poll_status(self.now, &mut pdu));
        pdu
    }

    fn tell(&mut self) -> Status {
        let pdu = self.status();
        self.sender.on_control(self.now, &pdu).unwrap()
    }

    /// Runs both ends until the sender is done. Returns the SDUs delivered.
    fn finish(&mut self) -> Vec<Vec<u8>> {
        for _ in 0..50 {
            let pdus = self.all_to_send();
            self.hand_over(&pdus);
            self.tell();
        }
        assert!(self.sender.is_done());
        std::iter::from_fn(|| self.receiver.poll_delivered()).collect()
    }
}

/// A PDU with changed octets and a correct check: an error that no CRC can detect.
fn forged(pdu: &[u8], change: impl FnOnce(&mut SequenceNumber, &mut Vec<u8>)) -> Vec<u8> {
    let read = cp_arq::decode(pdu, CONNECTION).unwrap();
    let (mut sn, mut payload) = (read.sn, read.payload.to_vec());
    change(&mut sn, &mut payload);
    let mut out = Vec::new();
    cp_arq::encode(sn, &payload, CONNECTION, &mut out);
    out
}

#[test]
fn a_pdu_is_retransmitted_after_m_control_packets_without_it() {
    let mut pair = Pair::new();
    pair.sender.submit(&[1; 200]).unwrap();
    let pdus = pair.all_to_send();
    assert_eq!(pdus.len(), 5);
    pair.hand_over(&[pdus[0].clone(), pdus[2].clone()]);
    assert_eq!(pair.tell(), Status::Current);
    assert!(pair.all_to_send().is_empty(), "only one of two control packets");
    pair.tell();
    // The gap, and the tail, which has no bits in the map.
    assert_eq!(pair.all_to_send(), [pdus[1].clone(), pdus[3].clone(), pdus[4].clone()]);
}

#[test]
fn a_lost_tail_is_found_whatever_statuses_are_lost() {
    let mut pair = Pair::new();
    pair.sender.submit(b"only").unwrap();
    let pdus = pair.all_to_send();
    // The PDU is lost, and then many statuses.
    for _ in 0..100 {
        pair.status();
    }
    pair.tell();
    pair.tell();
    assert_eq!(pair.all_to_send(), pdus);
    pair.hand_over(&pdus);
    // The PDU has arrived. The sender does not know, sends nothing, and is done when a status gets
    // through.
    for _ in 0..100 {
        pair.status();
    }
    assert!(!pair.sender.is_done());
    pair.tell();
    assert!(pair.sender.is_done());
}

#[test]
fn the_last_pdu_triggers_a_status_at_once() {
    let mut pair = Pair::new();
    pair.status();
    pair.sender.submit(&[1; 60]).unwrap();
    let pdus = pair.all_to_send();
    pair.hand_over(&pdus[..1]);
    assert!(pair.receiver.next_status() > pair.now);
    pair.hand_over(&pdus[1..]);
    assert_eq!(pair.receiver.next_status(), pair.now);
}

#[test]
fn an_old_status_has_no_lasting_effect() {
    let mut pair = Pair::new();
    pair.sender.submit(&[1; 500]).unwrap();
    let pdus = pair.all_to_send();
    pair.hand_over(&pdus[..3]);
    let old = pair.status();
    pair.hand_over(&pdus[3..6]);
    pair.tell();
    assert_eq!(pair.sender.on_control(pair.now, &old), Ok(Status::Current));
    pair.tell();
    let numbers: Vec<_> =
        pair.all_to_send().iter().map(|pdu| cp_arq::claimed_number(pdu).unwrap().0).collect();
    assert!(numbers.iter().all(|n| *n >= 6), "{numbers:?}");
    pair.finish();
    assert_eq!(pair.sender.on_control(pair.now, &old), Ok(Status::Stale));
}

/// Scenario 7: errors undetected by the CRC in tag, length and end. Each time the whole CPCS-PDU is
/// retransmitted.
#[test]
fn a_wrong_cpcs_pdu_is_retransmitted_whole() {
    let sdus = sdus(6, 300, 9);
    let changes: [(&str, usize, u8); 7] = [
        ("tag", 0, 0x80),
        ("length beyond everything sent", 1, 0x80),
        ("length off by 64", 2, 0x40),
        ("length off by 16", 2, 0x10),
        ("length off by 8", 2, 0x08),
        ("length off by one, ending in the pad", 2, 0x01),
        ("impossible length", 1, 0x01),
    ];
    for (what, at, bits) in changes {
        let mut pair = Pair::new();
        for sdu in &sdus {
            pair.sender.submit(sdu).unwrap();
        }
        let mut pdus = pair.all_to_send();
        pdus[0] = forged(&pdus[0], |_, payload| payload[at] ^= bits);
        for pdu in &pdus {
            let _ = pair.receiver.on_pdu(pair.now, pdu);
        }
        assert!(pair.finish() == sdus, "{what}");
        let seen = pair.receiver.statistics();
        assert!(seen.refused + seen.contradictions > 0, "{what}");
    }
}

#[test]
fn a_length_error_in_the_last_cpcs_pdu_does_not_stall() {
    let mut pair = Pair::new();
    pair.sender.submit(&[8; 100]).unwrap();
    let mut pdus = pair.all_to_send();
    pdus[0] = forged(&pdus[0], |_, payload| payload[1] = 0x7F);
    pair.hand_over(&pdus);
    assert_eq!(pair.finish(), [vec![8; 100]]);
    assert_eq!(pair.sender.statistics().sent_whole_again, 1);
    assert_eq!(pair.receiver.statistics().contradictions, 1);
}

#[test]
fn a_pdu_with_a_wrong_number_is_detected_when_the_right_one_arrives() {
    let mut pair = Pair::new();
    let sdu: Vec<u8> = (0..=255).cycle().take(400).collect();
    pair.sender.submit(&sdu).unwrap();
    let pdus = pair.all_to_send();
    let wrong = forged(&pdus[1], |sn, _| *sn = sn.plus(4));
    pair.hand_over(&[pdus[0].clone(), wrong]);
    assert_eq!(pair.hand_over(&pdus[5..6]), [Arrival::Contradiction]);
    assert_eq!(pair.receiver.held_pdus(), 0, "both are discarded");
    assert_eq!(pair.finish(), [sdu]);
}

#[test]
fn numbers_never_sent_do_not_block_the_connection() {
    let mut pair = Pair::new();
    pair.sender.submit(&[8; 20]).unwrap();
    let pdus = pair.all_to_send();
    // A PDU that was never sent, just after MSN and further on.
    for ahead in [1, 5] {
        let ghost = forged(&pdus[0], |sn, payload| {
            *sn = sn.plus(ahead);
            payload[0] = 1;
            payload[1..3].copy_from_slice(&[1, 0]);
        });
        pair.hand_over(&[ghost]);
    }
    pair.hand_over(&pdus);
    pair.tell();
    let next = vec![9; 300];
    pair.sender.submit(&next).unwrap();
    assert_eq!(pair.finish(), [vec![8; 20], next]);
}

#[test]
fn a_host_can_keep_its_own_queue() {
    let mut pair = Pair::new();
    assert!(!pair.sender.has_unsent());
    pair.sender.submit(&[1; 100]).unwrap();
    pair.sender.submit(&[2; 44]).unwrap();
    let mut pdu = Vec::new();
    for unsent in [true, true, true, true, true, false] {
        assert_eq!(pair.sender.has_unsent(), unsent);
        assert_eq!(pair.sender.poll_send(pair.now, &mut pdu).is_some(), unsent);
    }
    // Everything is lost and will be retransmitted, but nothing is waiting for its first
    // transmission.
    pair.tell();
    pair.tell();
    assert!(!pair.sender.has_unsent() && !pair.sender.is_done());
    pair.finish();
}

/// For any size and fill level, `can_submit` predicts `submit`.
#[test]
fn can_submit_predicts_submit() {
    for octets in [0, 1, 500, 65_531, 65_532] {
        let mut sender =
            Sender::new(SenderConfig { buffer_octets: 2_000, ..sender_config() }).unwrap();
        for _ in 0..130 {
            let predicted = sender.can_submit(octets);
            assert_eq!(sender.submit(&vec![0; octets]).is_ok(), predicted, "{octets}");
        }
    }
}

#[test]
fn invalid_input_is_refused() {
    let bad = |change: fn(&mut SenderConfig)| {
        let mut config = sender_config();
        change(&mut config);
        Sender::new(config).unwrap_err()
    };
    assert_eq!(bad(|c| c.window = 0), InvalidConfig::Window);
    assert_eq!(bad(|c| c.window = 4097), InvalidConfig::Window);
    assert_eq!(bad(|c| c.round_trip = RoundTripCount::Fixed(0)), InvalidConfig::RoundTrip);
    assert_eq!(bad(|c| c.smoothing = 1.0), InvalidConfig::Smoothing);
    assert_eq!(bad(|c| c.smoothing = f64::NAN), InvalidConfig::Smoothing);
    let config = ReceiverConfig { status_interval: Span::ZERO, ..receiver_config() };
    assert_eq!(Receiver::new(config, Time::ZERO).unwrap_err(), InvalidConfig::StatusInterval);
    let mut sender = Sender::new(sender_config()).unwrap();
    assert!(matches!(sender.submit(&vec![0; 70_000]), Err(SubmitError::TooLong(_))));
    assert_eq!(sender.on_control(Time::ZERO, &[0; 48]), Err(PduError::Crc));
    for _ in 0..127 {
        sender.submit(b"").unwrap();
    }
    assert_eq!(sender.submit(b""), Err(SubmitError::Full));
}
