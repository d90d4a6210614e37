//! The seven scenarios of the paper's section 3.4, each forced on real cells: cut, struck, through the header's check, put
//! together, S-ARQ. Then all of them at random in both directions.

use super::{CONNECTION, receiver_config, sdus, sender_config};
use crate::random::Random;
use atl_aal::aalt::payload::PayloadLength;
use atl_aal::aalt::s_arq::{Receiver, RoundTripCount, Sender, SenderConfig, Status};
use atl_aal::aalt::{PduError, SequenceNumber, Tag, control, cp_arq, cpcs};
use atl_aal::cell::{Cell, HecReceiver};
use atl_aal::sar::{Reassembled, Reassembler, segment};
use atl_core::time::{Span, Time};
use proptest::prelude::*;
use std::collections::{BTreeSet, VecDeque};

/// What happens to the cells of one PDU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strike {
    FirstLost,
    MiddleLost,
    MiddleDamaged,
    /// Two bits of a header: the HEC sees it and the cell is dropped.
    FirstsHeaderDamaged,
    LastDamaged,
    LastLost,
    FirstAndLastLost,
    AllLost,
    /// Four bits, a multiple of the generator, from this bit of the PDU on: what CRC-16 cannot see.
    Unseen(usize),
}

/// x^16 + x^12 + x^5 + 1 from its first bit on.
const GENERATOR: [usize; 4] = [0, 4, 11, 16];

impl Strike {
    fn hit(self, mut cells: Vec<Cell>) -> Vec<Cell> {
        let last = cells.len() - 1;
        match self {
            Strike::FirstLost => _ = cells.remove(0),
            Strike::MiddleLost => _ = cells.remove(last / 2),
            Strike::MiddleDamaged => cells[last / 2].flip(200),
            Strike::FirstsHeaderDamaged => {
                cells[0].flip(5);
                cells[0].flip(30);
            }
            Strike::LastDamaged => (100..130).step_by(3).for_each(|bit| cells[last].flip(bit)),
            Strike::LastLost => _ = cells.pop(),
            Strike::FirstAndLastLost => {
                cells.pop();
                cells.drain(..last.min(1));
            }
            Strike::AllLost => cells.clear(),
            Strike::Unseen(at) => {
                for bit in GENERATOR.map(|offset| at + offset) {
                    cells[bit / 384].flip(40 + bit % 384);
                }
            }
        }
        cells
    }
}

/// One direction: the header's check and the reassembly.
struct Line {
    hec: HecReceiver,
    reassembler: Reassembler,
}

impl Line {
    fn new() -> Self {
        Line { hec: HecReceiver::new(), reassembler: Reassembler::new(cp_arq::MAX_PDU_OCTETS) }
    }

    /// A PDU's cells, struck or not; what ends with one of them.
    fn carry(&mut self, pdu: &[u8], strike: Option<Strike>) -> Vec<Vec<u8>> {
        let cells: Vec<Cell> = segment(0, 77, pdu).unwrap().collect();
        let mut ended = Vec::new();
        for mut cell in strike.map_or(cells.clone(), |strike| strike.hit(cells)) {
            if self.hec.receive_in_place(&mut cell)
                && let Reassembled::Pdu { pdu, .. } = self.reassembler.push(&cell)
            {
                ended.push(pdu.to_vec());
            }
        }
        ended
    }
}

/// Both ends on a line each way. PDUs have three cells, m is 2.
struct Ends {
    sender: Sender,
    receiver: Receiver,
    forth: Line,
    back: Line,
    now: Time,
    delivered: Vec<Vec<u8>>,
}

/// An SDU whose CPCS-PDU fills so many PDUs of three cells.
fn sdu_of(pdus: usize, fill: u8) -> Vec<u8> {
    (0..pdus * 140 - cpcs::OVERHEAD_OCTETS).map(|i| fill ^ i as u8).collect()
}

impl Ends {
    fn new() -> Self {
        let config = SenderConfig {
            round_trip: RoundTripCount::Fixed(2),
            longest: PayloadLength::from_cells(3).unwrap(),
            window: 1024,
            buffer_octets: 200_000,
            ..sender_config()
        };
        let mut receiver = receiver_config();
        receiver.window = 1024;
        let mut ends = Ends {
            sender: Sender::new(config).unwrap(),
            receiver: Receiver::new(receiver, Time::ZERO).unwrap(),
            forth: Line::new(),
            back: Line::new(),
            now: Time::ZERO,
            delivered: Vec::new(),
        };
        // Until the sender trusts the path with three cells.
        for _ in 0..20 {
            ends.sender.submit(&[0; 2000]).unwrap();
            ends.finish();
        }
        assert_eq!(ends.sender.payload_length().cells(), 3);
        ends.delivered.clear();
        ends
    }

    fn pdus_now(&mut self) -> Vec<Vec<u8>> {
        let mut pdu = Vec::new();
        let mut pdus = Vec::new();
        while self.sender.poll_send(self.now, &mut pdu).is_some() {
            pdus.push(pdu.clone());
        }
        pdus
    }

    /// Sends a PDU; what the receiver's end of the line made of it.
    fn send(&mut self, pdu: &[u8], strike: Option<Strike>) -> Vec<Result<(), PduError>> {
        let ended = self.forth.carry(pdu, strike);
        let seen =
            ended.iter().map(|pdu| self.receiver.on_pdu(self.now, pdu).map(|_| ())).collect();
        while let Some(sdu) = self.receiver.poll_delivered() {
            self.delivered.push(sdu);
        }
        seen
    }

    /// Numbers of the bit map that the next status would have, relative to MSN: whether each has come.
    fn map(&mut self) -> Vec<bool> {
        let pdu = self.status();
        let status = control::decode(&pdu, CONNECTION).unwrap();
        (0..status.bitmap.len()).map(|i| status.bitmap.is_set(i)).collect()
    }

    fn status(&mut self) -> Vec<u8> {
        self.now += Span::from_millis(20);
        let mut pdu = Vec::new();
        assert!(self.receiver.poll_status(self.now, &mut pdu));
        pdu
    }

    /// One status; what the sender made of it.
    fn tell(&mut self, strike: Option<Strike>) -> Vec<Result<Status, PduError>> {
        let pdu = self.status();
        let ended = self.back.carry(&pdu, strike);
        ended.iter().map(|pdu| self.sender.on_control(self.now, pdu)).collect()
    }

    /// As many statuses as make a round trip; what is sent again.
    fn asked_for(&mut self) -> Vec<Vec<u8>> {
        self.tell(None);
        self.tell(None);
        self.pdus_now()
    }

    /// Without faults to the end.
    fn finish(&mut self) {
        for _ in 0..30 {
            for pdu in self.pdus_now() {
                self.send(&pdu, None);
            }
            self.tell(None);
        }
        assert!(self.sender.is_done(), "{:?}", self.sender.statistics());
    }

    /// An SDU of four PDUs, the second struck, the others not; then what is sent again, and all to the end.
    fn second_of_four(&mut self, strike: Strike) -> Seen {
        let sdu = sdu_of(4, 0x5A);
        self.sender.submit(&sdu).unwrap();
        let pdus = self.pdus_now();
        assert!(pdus.len() == 4 && pdus.iter().all(|pdu| pdu.len() == 144), "three cells each");
        let mut results = Vec::new();
        let mut maps = Vec::new();
        for (i, pdu) in pdus.iter().enumerate() {
            results.push(self.send(pdu, (i == 1).then_some(strike)));
            maps.push(self.map());
        }
        let again = self.asked_for();
        let again_places = again
            .iter()
            .map(|pdu| pdus.iter().position(|sent| sent == pdu).expect("sent before"))
            .collect();
        for pdu in &again {
            self.send(pdu, None);
        }
        self.finish();
        assert_eq!(self.delivered, [sdu], "{strike:?}");
        Seen { results, maps, again: again_places }
    }
}

/// What the four PDUs of [`Ends::second_of_four`] led to.
struct Seen {
    /// What ended with each.
    results: Vec<Vec<Result<(), PduError>>>,
    /// The bit map after each.
    maps: Vec<Vec<bool>>,
    /// Which were sent again after m statuses.
    again: Vec<usize>,
}

const WRONG: Result<(), PduError> = Err(PduError::Crc);

#[test]
fn scenario_1_a_first_or_middle_cell_lost_or_damaged() {
    for strike in
        [Strike::FirstLost, Strike::MiddleLost, Strike::MiddleDamaged, Strike::FirstsHeaderDamaged]
    {
        let seen = Ends::new().second_of_four(strike);
        // The CRC fails at the PDU's own last cell, and this PDU alone is asked for.
        assert_eq!(seen.results, [vec![Ok(())], vec![WRONG], vec![Ok(())], vec![Ok(())]]);
        assert_eq!(seen.again, [1], "{strike:?}");
    }
}

#[test]
fn scenario_2_the_last_cell_damaged() {
    let seen = Ends::new().second_of_four(Strike::LastDamaged);
    assert_eq!(seen.results, [vec![Ok(())], vec![WRONG], vec![Ok(())], vec![Ok(())]]);
    assert_eq!(seen.again, [1]);
}

#[test]
fn scenario_3_the_last_cell_lost() {
    let seen = Ends::new().second_of_four(Strike::LastLost);
    // Nothing is noticed before the next PDU's last cell; then one CRC fails for both.
    assert_eq!(seen.results, [vec![Ok(())], vec![], vec![WRONG], vec![Ok(())]]);
    // The second of them shows as missing only with the PDU behind it.
    let none: Vec<bool> = vec![];
    assert_eq!(seen.maps, [none.clone(), none.clone(), none, vec![false, false, true]]);
    assert_eq!(seen.again, [1, 2]);
}

#[test]
fn scenario_4_first_and_last_cell_lost() {
    let seen = Ends::new().second_of_four(Strike::FirstAndLastLost);
    assert_eq!(seen.results, [vec![Ok(())], vec![], vec![WRONG], vec![Ok(())]]);
    let none: Vec<bool> = vec![];
    assert_eq!(seen.maps, [none.clone(), none.clone(), none, vec![false, false, true]]);
    assert_eq!(seen.again, [1, 2]);
    // The number that the rest of it claims is none of both: nothing can be asked for by it.
    let mut line = Line::new();
    let mut ends = Ends::new();
    ends.sender.submit(&sdu_of(4, 0x5A)).unwrap();
    let pdus = ends.pdus_now();
    line.carry(&pdus[1], Some(Strike::FirstAndLastLost));
    let [merged] = &line.carry(&pdus[2], None)[..] else { panic!("one PDU ends") };
    let claimed = cp_arq::claimed_number(merged).unwrap();
    let of = |pdu: &[u8]| cp_arq::claimed_number(pdu).unwrap();
    assert!(claimed != of(&pdus[1]) && claimed != of(&pdus[2]), "{claimed:?}");
}

#[test]
fn scenario_5_all_cells_lost() {
    let mut ends = Ends::new();
    let wrong_before = ends.receiver.statistics().wrong;
    let seen = ends.second_of_four(Strike::AllLost);
    // No CRC fails; the number of the next PDU tells.
    assert_eq!(seen.results, [vec![Ok(())], vec![], vec![Ok(())], vec![Ok(())]]);
    assert_eq!(ends.receiver.statistics().wrong, wrong_before);
    assert_eq!(seen.maps[2], [false, true]);
    assert_eq!(seen.again, [1]);
}

/// SDUs that are nothing but tags: their own, their neighbours', all in turn; each length around a cell's and a PDU's end.
#[test]
fn scenario_6_data_that_look_like_tags() {
    let mut ends = Ends::new();
    let mut sent = Vec::new();
    let strikes = [None, Some(Strike::LastLost), None, Some(Strike::MiddleDamaged), None];
    let mut strike = strikes.iter().cycle();
    for (i, octets) in (0..60).chain(130..145).chain([416, 1000]).enumerate() {
        for kind in 0..=i % 3 {
            // 20 were delivered before, and tags count from 0.
            let own = Tag(20).plus(sent.len());
            let sdu: Vec<u8> = match kind {
                0 => vec![own.0; octets],
                1 => vec![own.plus(1).0; octets],
                _ => (0..octets).map(|j| own.plus(j).0).collect(),
            };
            if ends.sender.submit(&sdu).is_err() {
                ends.finish();
                ends.sender.submit(&sdu).unwrap();
            }
            sent.push(sdu);
        }
        for pdu in ends.pdus_now() {
            ends.send(&pdu, *strike.next().unwrap());
        }
        ends.tell(None);
    }
    ends.finish();
    assert_eq!(ends.delivered, sent);
}

/// The octets of the tags of one CPCS-PDU made of them: each octet of the data is its own tag.
#[test]
fn scenario_6_data_made_of_the_own_tag_alone() {
    for octets in 0..300 {
        let mut ends = Ends::new();
        let sdu = vec![20; octets];
        ends.sender.submit(&sdu).unwrap();
        let pdus = ends.pdus_now();
        let whole = cpcs::encode(Tag(20), &sdu).unwrap();
        let read = cp_arq::decode(&pdus[0], CONNECTION).unwrap();
        assert!(read.payload.starts_with(&whole[..whole.len().min(140)]), "its tag is 20");
        for pdu in pdus {
            ends.send(&pdu, None);
        }
        assert_eq!(ends.delivered, [sdu]);
    }
}

/// A burst that CRC-16 cannot see, at each bit of SN, BTag and Length of a CPCS-PDU's first PDU: the CPCS refuses it, or the
/// right PDU contradicts it, and all of it comes again.
#[test]
fn scenario_7_an_unseen_error_in_number_tag_or_length() {
    for at in 0..40 {
        let mut ends = Ends::new();
        let sent: Vec<Vec<u8>> = (0..5).map(|i| sdu_of(4, i * 29)).collect();
        for sdu in &sent {
            ends.sender.submit(sdu).unwrap();
        }
        let pdus = ends.pdus_now();
        assert_eq!(pdus.len(), 20);
        for (i, pdu) in pdus.iter().enumerate() {
            let results = ends.send(pdu, (i == 4).then_some(Strike::Unseen(at)));
            assert_eq!(results, [Ok(())], "no CRC fails, bit {at}");
        }
        ends.finish();
        assert!(ends.delivered == sent, "bit {at}");
    }
}

/// The same at the octet that ends the CPCS-PDU.
#[test]
fn scenario_7_an_unseen_error_in_the_tag_at_the_end() {
    for octets in [10, 130, 300, 413] {
        let sdu = sdus(1, 1, 7)[0].iter().chain(&[0x3C; 500]).take(octets).copied().collect();
        let sent: [Vec<u8>; 2] = [sdu, vec![9; 50]];
        let end = (octets + cpcs::OVERHEAD_OCTETS - 1) % 140 + 2;
        for at in end * 8..end * 8 + 8 {
            let mut ends = Ends::new();
            sent.iter().for_each(|sdu| ends.sender.submit(sdu).unwrap());
            let pdus = ends.pdus_now();
            let refused = ends.receiver.statistics().refused;
            // A burst must not reach past the PDU.
            let last = pdus.len() - 2;
            if at + 16 >= pdus[last].len() * 8 {
                continue;
            }
            for (i, pdu) in pdus.iter().enumerate() {
                ends.send(pdu, (i == last).then_some(Strike::Unseen(at)));
            }
            assert_eq!(ends.receiver.statistics().refused, refused + 1, "{octets}, bit {at}");
            ends.finish();
            assert!(ends.delivered == sent, "{octets}, bit {at}");
        }
    }
}

/// And at each bit of a control packet: what it says wrongly the next one sets right.
#[test]
fn scenario_7_an_unseen_error_in_a_control_packet() {
    for at in 0..(384 - 16) {
        let mut ends = Ends::new();
        let sent: Vec<Vec<u8>> = (0..6).map(|i| sdu_of(3, i * 31)).collect();
        sent.iter().for_each(|sdu| ends.sender.submit(sdu).unwrap());
        for (i, pdu) in ends.pdus_now().iter().enumerate() {
            ends.send(pdu, [4, 5, 11].contains(&i).then_some(Strike::AllLost));
        }
        let results = ends.tell(Some(Strike::Unseen(at)));
        assert!(matches!(results[..], [Ok(_) | Err(PduError::Fields)]), "bit {at}: {results:?}");
        let again = ends.pdus_now();
        again.iter().for_each(|pdu| _ = ends.send(pdu, Some(Strike::LastLost)));
        ends.finish();
        assert!(ends.delivered == sent, "bit {at}");
    }
}

/// Scenarios 1 to 5 on the way back: control packets of three cells. The next one that passes whole says all.
#[test]
fn control_packets_meet_the_same_scenarios() {
    for strike in [
        Strike::FirstLost,
        Strike::MiddleLost,
        Strike::MiddleDamaged,
        Strike::FirstsHeaderDamaged,
        Strike::LastDamaged,
        Strike::LastLost,
        Strike::FirstAndLastLost,
        Strike::AllLost,
    ] {
        let mut ends = Ends::new();
        let sent: Vec<Vec<u8>> = (0..100).map(|i| sdu_of(8, i)).collect();
        sent.iter().for_each(|sdu| ends.sender.submit(sdu).unwrap());
        let pdus = ends.pdus_now();
        for (i, pdu) in pdus.iter().enumerate() {
            ends.send(pdu, (i == 0).then_some(Strike::AllLost));
        }
        assert!(ends.status().len() == 144, "a map of {} bits", pdus.len());
        let before = ends.sender.statistics().statuses;
        let struck = ends.tell(Some(strike));
        assert!(struck.iter().all(|result| *result == Err(PduError::Crc)), "{struck:?}");
        let merges = matches!(strike, Strike::LastLost | Strike::FirstAndLastLost);
        let next = ends.tell(None);
        assert_eq!(next, [if merges { Err(PduError::Crc) } else { Ok(Status::Current) }]);
        ends.tell(None);
        if merges {
            ends.tell(None);
        }
        assert_eq!(ends.sender.statistics().statuses, before + 2);
        assert_eq!(ends.pdus_now(), pdus[..1], "the first alone is sent again");
        ends.send(&pdus[0], None);
        ends.finish();
        assert!(ends.delivered == sent, "{strike:?}");
    }
}

fn any_strike() -> impl Strategy<Value = Strike> {
    prop_oneof![
        Just(Strike::FirstLost),
        Just(Strike::MiddleLost),
        Just(Strike::MiddleDamaged),
        Just(Strike::FirstsHeaderDamaged),
        Just(Strike::LastDamaged),
        Just(Strike::LastLost),
        Just(Strike::FirstAndLastLost),
        Just(Strike::AllLost),
        (0_usize..368).prop_map(Strike::Unseen),
    ]
}

/// Random data, and scenario 6's: the tag that the SDU will have, or all tags.
fn any_sdu(kind: u8, octets: usize, place: usize, random: &mut Random) -> Vec<u8> {
    match kind % 3 {
        0 => (0..octets).map(|_| random.bits() as u8).collect(),
        1 => vec![Tag::default().plus(place).0; octets],
        _ => (0..octets).map(|i| i as u8).collect(),
    }
}

/// Which PDUs begin a CPCS-PDU: by counting octets, for data can look like a begin (tag 2 and length 514 are all 2).
struct Begins {
    /// Octets of all CPCS-PDUs, and of those PDUs seen so far.
    lengths: VecDeque<usize>,
    cut: usize,
    next: SequenceNumber,
    begins: BTreeSet<u16>,
}

impl Begins {
    /// Takes each PDU that is sent; tells whether it begins one.
    fn takes(&mut self, pdu: &[u8]) -> bool {
        let read = cp_arq::decode(pdu, CONNECTION).unwrap();
        if read.sn == self.next {
            self.next = self.next.plus(1);
            if self.cut == 0 {
                self.begins.insert(read.sn.0);
            }
            self.cut += read.payload.len();
            if self.cut >= self.lengths[0] {
                self.lengths.pop_front();
                self.cut = 0;
            }
        }
        self.begins.contains(&read.sn.0)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Each PDU of either direction meets one of the scenarios with a probability of up to a half.
    #[test]
    fn all_scenarios_at_random_in_both_directions(
        kinds in prop::collection::vec((any::<u8>(), 0_usize..700), 1..60),
        forth in prop::collection::vec(any_strike(), 1..40),
        back in prop::collection::vec(any_strike(), 1..40),
        (forth_share, back_share) in (0.0_f64..0.5, 0.0_f64..0.5),
        cells in 1_u16..6,
        seed: u64,
    ) {
        let mut random = Random(seed);
        let sent: Vec<Vec<u8>> = kinds
            .iter()
            .enumerate()
            .map(|(i, (kind, octets))| any_sdu(*kind, *octets, i, &mut random))
            .collect();
        let mut begins = Begins {
            lengths: sent.iter().map(|sdu| sdu.len() + cpcs::OVERHEAD_OCTETS).collect(),
            cut: 0,
            next: SequenceNumber::default(),
            begins: BTreeSet::new(),
        };
        let config = SenderConfig {
            longest: PayloadLength::from_cells(cells).unwrap(),
            ..sender_config()
        };
        let mut sender = Sender::new(config).unwrap();
        let mut receiver = Receiver::new(receiver_config(), Time::ZERO).unwrap();
        let (mut there, mut here) = (Line::new(), Line::new());
        let (mut forth, mut back) = (forth.iter().cycle(), back.iter().cycle());
        let mut delivered = Vec::new();
        // A PDU put together of pieces of two may pass CRC-16 one time in 65 536: dropped here, counted below.
        let mut genuine = BTreeSet::new();
        let (mut ended, mut false_ones) = (0_u64, 0_u64);
        let mut waiting = sent.iter().peekable();
        let mut pdu = Vec::new();
        let mut steps = 0;
        while waiting.peek().is_some() || !sender.is_done() {
            steps += 1;
            prop_assert!(steps < 200_000, "{:?}", sender.statistics());
            let now = Time::from_millis(steps);
            while waiting.peek().is_some_and(|sdu| sender.submit(sdu).is_ok()) {
                waiting.next();
            }
            for _ in 0..4 {
                if sender.poll_send(now, &mut pdu).is_none() {
                    break;
                }
                genuine.insert(pdu.clone());
                let mut strike = random.happens(forth_share).then(|| *forth.next().unwrap());
                let begins = begins.takes(&pdu);
                if let Some(Strike::Unseen(at)) = strike {
                    // A CRC failure meets the CPCS's gate for sure only in the tag at the begin. In the data no check of the
                    // paper sees it; after a wrong length the octet there is the tag one time in 256.
                    let at = 16 + at % 8;
                    strike = begins.then_some(Strike::Unseen(at));
                    if begins {
                        let mut forged = pdu.clone();
                        for bit in GENERATOR.map(|offset| at + offset) {
                            forged[bit / 8] ^= 0x80 >> (bit % 8);
                        }
                        genuine.insert(forged);
                    }
                }
                for pdu in there.carry(&pdu, strike) {
                    ended += 1;
                    if cp_arq::decode(&pdu, CONNECTION).is_ok() && !genuine.contains(&pdu) {
                        false_ones += 1;
                        continue;
                    }
                    let _ = receiver.on_pdu(now, &pdu);
                    while let Some(sdu) = receiver.poll_delivered() {
                        delivered.push(sdu);
                    }
                }
            }
            if receiver.poll_status(now, &mut pdu) {
                let strike = random.happens(back_share).then(|| *back.next().unwrap());
                let unseen = matches!(strike, Some(Strike::Unseen(_)));
                for ended_here in here.carry(&pdu, strike) {
                    ended += 1;
                    let passed = control::decode(&ended_here, CONNECTION).is_ok();
                    if passed && ended_here != pdu && !unseen {
                        false_ones += 1;
                        continue;
                    }
                    let _ = sender.on_control(now, &ended_here);
                }
            }
        }
        prop_assert_eq!(delivered, sent);
        prop_assert!(false_ones <= 3 + ended / 10_000, "{false_ones} of {ended}");
    }
}
