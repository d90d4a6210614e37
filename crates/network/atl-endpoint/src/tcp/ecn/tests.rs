//! Marks between a sender and a receiver, without a network.

use std::sync::{Arc, Mutex};

use atl_core::path::{PathId, PathSignal};
use atl_core::roaming::NewPath;
use atl_core::time::{Span, Time};
use atl_core::window::{
    Ack, Controller, Loss, MarkResponse, Marked, Start, Timeout, WindowController,
};
use atl_link::Ecn;
use atl_link::random::Stream;

use super::{COUNTER, EcnMode, EcnSender};
use crate::app::{App, Source};
use crate::options::SackBlocks;
use crate::tcp::testing;
use crate::tcp::{AckInfo, Arrival, Outgoing, Receiver, Recovery, Sender, Tcp};

/// A controller with a constant window of 20 packets, which keeps the events that it is told of.
#[derive(Clone, Debug, Default)]
struct Told {
    /// Packets of each mark event, and whether it begins an episode.
    marks: Arc<Mutex<Vec<(u32, bool)>>>,
    /// For each loss, true if it begins an episode.
    losses: Arc<Mutex<Vec<bool>>>,
    /// ACKs for which a window may grow.
    growing: Arc<Mutex<u32>>,
    response: MarkResponse,
}

impl WindowController for Told {
    fn on_ack(&mut self, ack: &Ack) {
        let grows = ack.window_limited && !ack.in_recovery;
        *self.growing.lock().expect("one thread") += u32::from(grows);
    }
    fn on_loss(&mut self, loss: &Loss) {
        self.losses.lock().expect("one thread").push(loss.new_episode);
    }
    fn on_timeout(&mut self, _: &Timeout) {}
    fn on_marked(&mut self, marked: &Marked) {
        self.marks.lock().expect("one thread").push((marked.packets, marked.new_episode));
    }
    fn window(&self) -> f64 {
        20.0
    }
    fn mark_response(&self) -> MarkResponse {
        self.response
    }
}

struct Pair {
    told: Told,
    sender: Sender,
    receiver: Receiver,
    now: Time,
    /// Data on its way: segment, transmission, field, CWR.
    sent: Vec<(u64, u64, Ecn, bool)>,
}

fn pair(ecn: Option<EcnMode>, response: MarkResponse, delayed: bool) -> Pair {
    let delayed_ack = delayed.then(|| Span::from_millis(100));
    paired(Tcp { ecn, delayed_ack, ..Tcp::default() }, response)
}

fn paired(tcp: Tcp, response: MarkResponse) -> Pair {
    let told = Told { response, ..Told::default() };
    let tcp = Tcp { segment: 1000, header: 40, ..tcp };
    let app = App::new(&Source::Greedy, 1000, Time::ZERO, Stream::new(1, "app"));
    let controller = Controller::Boxed(Box::new(told.clone()));
    let sender = Sender::new(Recovery::Sack, controller, &tcp, app);
    let receiver = Receiver::of(Recovery::Sack, &tcp).with_ecn(&tcp, response);
    let mut pair = Pair { told, sender, receiver, now: Time::ZERO, sent: Vec::new() };
    if !tcp.handshake {
        pair.send();
    }
    pair
}

impl Pair {
    fn send(&mut self) {
        while let Some(out) = self.sender.poll_send(self.now) {
            let Outgoing::Data { seq, tx, ecn, cwr, .. } = out else { panic!("only data") };
            self.sent.push((seq, tx, ecn, cwr));
        }
    }

    /// The packet at this place arrives, marked or not. The ACK, if one leaves.
    fn arrive(&mut self, at: usize, marked: bool) -> Option<AckInfo> {
        let (seq, tx, ecn, cwr) = self.sent.remove(at);
        let marked = marked && ecn.is_capable();
        self.receiver.on_ecn(if marked { Ecn::Ce } else { ecn }, cwr, 1000);
        let sent_at = Time::ZERO;
        let arrival = Arrival { seq, tx: tx as u32, sent_at, payload: 1000 };
        self.receiver.on_segment(self.now, arrival)
    }

    fn acknowledge(&mut self, ack: &AckInfo) {
        self.now += Span::from_millis(1);
        self.sender.on_ack(self.now, ack);
        self.send();
    }

    /// The oldest packet arrives and its ACK returns.
    fn pass(&mut self, marked: bool) -> AckInfo {
        let ack = self.arrive(0, marked).expect("an ACK for each packet");
        self.acknowledge(&ack);
        ack
    }

    fn marks(&self) -> Vec<(u32, bool)> {
        std::mem::take(&mut *self.told.marks.lock().expect("one thread"))
    }
}

#[test]
fn without_ecn_no_packet_can_be_marked() {
    for mode in [None, Some(EcnMode::Off)] {
        let mut pair = pair(mode, MarkResponse::Classic, false);
        assert!(pair.sent.iter().all(|(.., ecn, cwr)| *ecn == Ecn::NotEct && !cwr));
        assert_eq!((pair.pass(true).ecn_flags, pair.receiver.marked()), (0, None));
        assert_eq!(pair.marks(), []);
    }
}

/// rfc3168 6.1.3: The receiver sets ECE in every ACK from a marked packet until CWR arrives.
/// rfc3168 6.1.2: The sender reacts once a window of data, and sets CWR in the first new data after
/// it.
#[test]
fn rfc3168_6_1_one_reaction_a_window_and_ece_until_cwr() {
    let mut pair = pair(Some(EcnMode::Classic), MarkResponse::Classic, false);
    assert!(pair.sent.iter().all(|(.., ecn, _)| *ecn == Ecn::Ect0));
    assert_eq!(pair.pass(false).ecn_flags, 0);
    for marked in [true, false, true, true] {
        assert_eq!(pair.pass(marked).ecn_flags, 1);
    }
    assert_eq!(pair.marks(), [(1, true)], "four ACKs with ECE are one sign of congestion");
    let with_cwr: Vec<u64> = pair.sent.iter().filter(|sent| sent.3).map(|sent| sent.0).collect();
    assert_eq!(with_cwr, [21], "the first new segment after the first ECE");
    while pair.sent[0].0 < 21 {
        assert_eq!(pair.pass(false).ecn_flags, 1);
    }
    assert_eq!(pair.pass(false).ecn_flags, 0, "CWR has come");
    assert_eq!(pair.marks(), []);
    pair.pass(true);
    assert_eq!(pair.marks(), [(1, true)], "the next window");
    assert_eq!(pair.receiver.marked(), Some(4));
}

/// rfc3168 6.1.2: The window does not grow for an ACK that carries ECE.
/// Deviation: it does, by a packet in the round trip after a mark, as for any ACK.
/// Reason: the rule is a SHOULD NOT, and a law is told of an ACK's packets before its marks.
#[test]
fn rfc3168_6_1_2_acks_with_ece_count_like_others() {
    let mut pair = pair(Some(EcnMode::Classic), MarkResponse::Classic, false);
    assert_eq!(pair.pass(true).ecn_flags, 1);
    let before = *pair.told.growing.lock().expect("one thread");
    for _ in 0..10 {
        assert_eq!(pair.pass(false).ecn_flags, 1);
    }
    assert_eq!(*pair.told.growing.lock().expect("one thread"), before + 10);
}

/// Marks of the path that the sender has left say nothing of the one that it is on now, neither at
/// once nor with the first ACK after the old path has drained.
#[test]
fn marks_count_on_the_path_that_bore_them() {
    // Windows after each ACK of the packets on the path before, and then of some on the new one.
    let windows = |before: bool, now: bool| -> Vec<f64> {
        let mut pair = pair(None, MarkResponse::L4s, false);
        pair.sender = pair.sender.with_new_path(NewPath::Reset, testing::reno(), Start::default());
        pair.sender.on_path_signal(pair.now, PathSignal::Done(PathId::new(1)));
        let old = pair.sent.len();
        let mut pass = |marked| {
            pair.pass(marked);
            pair.sender.conn.path.controller.window()
        };
        let mut all: Vec<f64> = (0..old).map(|_| pass(before)).collect();
        all.extend([false, now, false].map(pass));
        all
    };
    let clean = windows(false, false);
    assert_eq!(windows(true, false), clean);
    assert!(windows(false, true).last() < clean.last(), "{clean:?}");
    assert_eq!(windows(true, true), windows(false, true));
}

/// rfc3168 6.1.3: A packet with CWR that is itself marked sets ECE anew.
#[test]
fn rfc3168_6_1_3_a_marked_packet_with_cwr_is_echoed() {
    let mut pair = pair(Some(EcnMode::Classic), MarkResponse::Classic, false);
    pair.pass(true);
    while !pair.sent[0].3 {
        pair.pass(false);
    }
    assert_eq!(pair.pass(true).ecn_flags, 1);
    assert_eq!(pair.marks(), [(1, true), (1, true)]);
}

/// rfc9768 3.2.1: The counter of marked packets begins at 5.
/// rfc9768 3.2.2: Each ACK carries the three low bits of the counter.
#[test]
fn rfc9768_3_2_the_count_survives_lost_acks() {
    let mut pair = pair(None, MarkResponse::L4s, false);
    assert!(pair.sent.iter().all(|(.., ecn, _)| *ecn == Ecn::Ect1), "L4S: RFC 9331, sec. 4.1");
    assert_eq!(pair.pass(false).ecn_flags, 5);
    assert_eq!(pair.pass(true).ecn_flags, 6);
    // Five packets, of which three are marked, with ACKs that are lost but for the last.
    let acks: Vec<AckInfo> =
        [true, true, false, true, false].map(|m| pair.arrive(0, m).expect("an ACK")).into();
    assert_eq!(acks.iter().map(|ack| ack.ecn_flags).collect::<Vec<_>>(), [7, 0, 0, 1, 1]);
    pair.acknowledge(&acks[4]);
    pair.pass(true);
    assert_eq!(pair.marks(), [(1, true), (3, false), (1, false)]);
    assert!(pair.sent.iter().all(|sent| !sent.3), "no CWR: the ACE field has its bit");
}

/// rfc9768 3.2.2.5.2: A sender assumes that the counter has wrapped where that is likely.
/// rfc9768 A.2.1: Where the counter may have wrapped, the sender takes the largest count that fits.
#[test]
fn rfc9768_a_2_1_a_count_that_may_have_wrapped_is_taken_for_the_largest() {
    let mut pair = pair(Some(EcnMode::Accurate), MarkResponse::Share, false);
    assert_eq!(pair.sent[0].2, Ecn::Ect0, "RFC 8257 is not L4S");
    let mut last = None;
    for packet in 0..12 {
        last = pair.arrive(0, packet < 9);
    }
    pair.acknowledge(&last.expect("an ACK"));
    // 9 marks are 1 modulo 8: of 12 packets 1 or 9.
    assert_eq!(pair.marks(), [(9, true)]);
}

/// rfc9768 3.2.2.2: The feedback of an ACK that another one has superseded is ignored.
#[test]
fn rfc9768_3_2_2_2_an_ack_that_was_overtaken_tells_of_no_marks() {
    let mut pair = pair(Some(EcnMode::Accurate), MarkResponse::L4s, false);
    // The first packet is lost, so that all ACKs have the same number; those of two marked packets
    // change places.
    pair.sent.remove(0);
    pair.pass(false);
    let [first, second] = [true, true].map(|marked| pair.arrive(0, marked).expect("an ACK"));
    assert_eq!((first.ecn_flags, second.ecn_flags), (6, 7));
    pair.acknowledge(&second);
    pair.acknowledge(&first);
    pair.pass(false);
    assert_eq!(pair.marks().iter().map(|(packets, _)| packets).sum::<u32>(), 2);
}

/// rfc9768 3.2.2.5.1: The first mark after unmarked packets, and every second one, is told at once.
#[test]
fn rfc9768_3_2_2_5_marks_do_not_wait_for_a_delayed_ack() {
    let mut pair = pair(Some(EcnMode::Accurate), MarkResponse::L4s, true);
    let told: Vec<bool> =
        [false, true, true, true, false, true].map(|m| pair.arrive(0, m).is_some()).into();
    assert_eq!(told, [false, true, false, true, false, true]);
}

/// rfc3168 6.1.5: A retransmission is not ECN-capable.
/// rfc3168 6.1.2: A loss in the window of data that was reduced for a mark does not reduce it
/// again.
#[test]
fn rfc3168_6_1_5_a_retransmission_is_not_capable_and_its_loss_no_second_reduction() {
    let mut pair = pair(Some(EcnMode::Classic), MarkResponse::Classic, false);
    pair.pass(true);
    pair.sent.remove(0);
    for _ in 0..4 {
        pair.pass(false);
    }
    assert_eq!(*pair.told.losses.lock().expect("one thread"), [false]);
    let again = pair.sent.iter().find(|sent| sent.0 == 1).expect("sent again");
    assert_eq!(again.2, Ecn::NotEct);
}

/// rfc9768 3.1.2: A client that gets the answer of RFC 3168 goes on as one; a law of L4S then sends
/// ECT(0) and takes a mark for a loss, and without ECN nothing can be marked.
/// rfc3168 6.1.1: The flags of the SYN and of its answer negotiate.
#[test]
fn rfc9768_3_1_2_the_handshake_falls_back_to_what_the_peer_knows() {
    for (peer, answer, field) in [
        (EcnMode::Accurate, 0b010, Ecn::Ect1),
        (EcnMode::Classic, 0b001, Ecn::Ect0),
        (EcnMode::Off, 0b000, Ecn::NotEct),
    ] {
        let tcp = Tcp { peer_ecn: Some(peer), handshake: true, ..Tcp::default() };
        let mut pair = paired(tcp, MarkResponse::L4s);
        let syn = pair.sender.poll_send(pair.now);
        assert_eq!(syn, Some(Outgoing::Syn { flags: 0b111 }));
        // The answer is lost once: the request comes again.
        for _ in 0..2 {
            assert_eq!(pair.receiver.on_syn(0b111, Ecn::NotEct), answer);
        }
        pair.now = Time::from_millis(40);
        pair.sender.on_syn_ack(pair.now, Time::ZERO, answer);
        pair.send();
        assert!(pair.sent.iter().all(|(.., ecn, _)| *ecn == field), "{peer:?}");
        assert_eq!(pair.receiver.marked().is_some(), peer != EcnMode::Off);
        pair.pass(true);
        let losses = pair.told.losses.lock().expect("one thread").len();
        let expected = match peer {
            EcnMode::Accurate => (vec![(1, true)], 0),
            EcnMode::Classic => (vec![], 1),
            EcnMode::Off => (vec![], 0),
        };
        assert_eq!((pair.marks(), losses), expected, "{peer:?}");
        // A request that comes late changes nothing.
        assert_eq!(pair.receiver.on_syn(0b111, Ecn::NotEct), answer);
        assert_eq!(
            pair.receiver.marked(),
            (peer != EcnMode::Off).then_some(u64::from(peer != EcnMode::Off))
        );
    }
}

/// Without a handshake the ends have agreed before.
#[test]
fn ends_without_a_handshake_use_what_both_know() {
    let of = |peer| {
        let tcp = Tcp { peer_ecn: Some(peer), ..Tcp::default() };
        paired(tcp, MarkResponse::L4s).sent[0].2
    };
    assert_eq!(EcnMode::ALL.map(of), [Ecn::NotEct, Ecn::Ect0, Ecn::Ect1]);
}

/// rfc9768 3.2.3: The AccECN option counts the bytes of payload that arrived marked, in 24 bits.
/// Deviation: of the three counters only that of CE is told.
/// Reason: no law here uses the others; a network that clears the field is not looked for.
/// rfc9768 A.2.2: With the option a sender knows how often the ACE field has wrapped.
/// Deviation: it takes the least count that explains the marked bytes, not the appendix's choice
/// between two.
/// Reason: the appendix is an example, and segments here are full but for the last.
#[test]
fn rfc9768_3_2_3_the_option_tells_what_three_bits_cannot() {
    let tcp = Tcp { ecn_option: true, ..Tcp::default() };
    let mut pair = paired(tcp, MarkResponse::L4s);
    let mut last = None;
    // Of 18 packets one is marked, and the ACKs of the others are lost: 1, 9 or 17 by the bits.
    for packet in 0..18 {
        last = pair.arrive(0, packet == 4);
    }
    assert_eq!(pair.receiver.ecn_option(), Some(1000));
    pair.sender.on_ecn_option(1000);
    pair.acknowledge(&last.expect("an ACK"));
    assert_eq!(pair.marks(), [(1, true)]);
    // Nine of twelve; and the option of an ACK that was overtaken says nothing.
    for packet in 0..12 {
        last = pair.arrive(0, packet < 9);
    }
    assert_eq!(pair.receiver.ecn_option(), Some(10_000));
    pair.sender.on_ecn_option(10_000);
    pair.sender.on_ecn_option(1000);
    pair.acknowledge(&last.expect("an ACK"));
    assert_eq!(pair.marks(), [(9, true)]);
    // Any counter is borne.
    for counter in [0, 0xff_ffff, 0x7f_ffff, u32::MAX] {
        pair.sender.on_ecn_option(counter);
        pair.pass(true);
        assert!(pair.marks().iter().all(|(packets, _)| *packets <= 1));
    }
    assert_eq!(paired(Tcp::default(), MarkResponse::L4s).receiver.ecn_option(), None);
}

/// rfc9331 4.2: A sender without accurate feedback does not use ECT(1); here a mark then counts
/// like a loss.
#[test]
fn rfc9331_4_2_without_accurate_feedback_a_scalable_law_falls_back() {
    let mut pair = pair(Some(EcnMode::Classic), MarkResponse::L4s, false);
    assert!(pair.sent.iter().all(|(.., ecn, _)| *ecn == Ecn::Ect0));
    pair.pass(true);
    pair.pass(true);
    assert_eq!(
        (pair.marks(), &*pair.told.losses.lock().expect("one thread")),
        (vec![], &vec![true])
    );
}

/// A peer that sets any flags at any time cannot make the sender count more marks than packets, or
/// panic.
#[test]
fn any_flags_are_borne() {
    for mode in [EcnMode::Classic, EcnMode::Accurate] {
        let mut pair = pair(Some(mode), MarkResponse::L4s, false);
        let mut stream = Stream::new(7, "flags");
        for _ in 0..2_000 {
            let ack = pair.sender.una() + stream.below(24);
            let echo_tx = stream.below(pair.sender.counts().sent) as u32;
            let ecn_flags = stream.below(256) as u8;
            let sack = SackBlocks::default();
            let info = AckInfo { ack, echo_tx, echo_sent_at: Time::ZERO, ecn_flags, sack };
            pair.acknowledge(&info);
            assert!(pair.marks().iter().all(|(packets, _)| *packets <= 24));
        }
    }
}

/// A sender whose last ACK had this count.
fn having(ace: u8) -> Box<EcnSender> {
    let mut sender = EcnSender::new(EcnMode::Accurate, MarkResponse::Classic).expect("with ECN");
    sender.take(ace, 0, 1000);
    sender
}

/// All pairs of counts, and any number of packets: up to seven, those by which the count has grown;
/// beyond, the most that fit (RFC 9768, appendix A.2.1).
#[test]
fn three_bits_count_what_can_have_been_marked() {
    for before in 0..8_u8 {
        for after in 0..8_u8 {
            let grown = (u32::from(after) + 8 - u32::from(before)) % 8;
            for delivered in (0..70).chain([u32::MAX - 1, u32::MAX]) {
                let fits = |count: &u32| count % 8 == grown;
                let most = (delivered - delivered.min(7)..=delivered).rev().find(fits);
                let expected = if delivered <= 7 { grown } else { most.expect("one of eight") };
                let found = having(before).take(after, delivered, 1000);
                assert_eq!(found, (expected, None), "{before} to {after}, {delivered} arrived");
            }
        }
    }
}

/// The same with bytes, whose counter has 24 bits and wraps: the least count that fits and explains
/// them (appendix A.2.2).
#[test]
fn bytes_tell_how_often_three_bits_have_wrapped() {
    let half = COUNTER / 2;
    for from in [0, 1, half, COUNTER - 1, COUNTER] {
        for more in [0, 1, 999, 1000, 1001, 7000, 8000, 9001, half - 1, half, half + 1] {
            for (before, after, delivered) in [(5, 5, 100), (5, 4, 100), (7, 0, 3), (0, 7, 40_000)]
            {
                let mut sender = having(before);
                // The counter's place is known from earlier ACKs, a third of its range at a time.
                for ceb in [from / 3, from / 3 * 2, from] {
                    sender.on_option(ceb);
                    sender.take(before, 0, 1000);
                }
                sender.on_option((from + more) & COUNTER);
                let found = sender.take(after, delivered, 1000);
                let grown = (u32::from(after) + 8 - u32::from(before)) % 8;
                if more > half {
                    assert_eq!(found.1, None, "an ACK that was overtaken");
                    continue;
                }
                let count = (more.div_ceil(1000)..).find(|count| count % 8 == grown);
                let expected = count.expect("one of eight").min(delivered.max(grown));
                assert_eq!(found, (expected, Some(more)), "{from} + {more}: {before} to {after}");
            }
        }
    }
}
