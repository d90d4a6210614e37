//! The joint between a transport and a window controller.

use core::fmt::Debug;
use core::num::NonZeroU32;

use super::resume::Saved;
use super::{Ack, Handoff, Loss, MarkResponse, Marked, Probe, ProbeAck, Quench, Sent, Timeout};
use crate::model::{Adaptation, Aimd};
use crate::path::LinkReport;
use crate::time::Time;
use crate::units::Rate;

/// Optional methods of a controller: each goes to the controller that this one wraps. Its block is
/// what a controller does that wraps none. What is declared here cannot be forgotten by a wrapper.
macro_rules! optional {
    ($($(#[$meta:meta])* fn $name:ident(&mut $self:ident $(, $arg:ident: $kind:ty)* $(,)?)
        $(-> $out:ty)? $default:block)*) => {
        $($(#[$meta])* #[inline] fn $name(&mut $self $(, $arg: $kind)*) $(-> $out)? {
            match $self.inner_mut() {
                Some(inner) => inner.$name($($arg),*),
                None => $default,
            }
        })*
    };
    ($($(#[$meta:meta])* fn $name:ident(&$self:ident) $(-> $out:ty)? $default:block)*) => {
        $($(#[$meta])* #[inline] fn $name(&$self) $(-> $out)? {
            match $self.inner() {
                Some(inner) => inner.$name(),
                None => $default,
            }
        })*
    };
}

/// A congestion controller that keeps a window.
///
/// It receives events and answers what it allows; it never sends. [`on_ack`](Self::on_ack),
/// [`on_loss`](Self::on_loss), [`on_timeout`](Self::on_timeout) and [`window`](Self::window) are
/// all that a law has to have; every other method has a default. The crate's [front
/// page](crate#a-controller-of-your-own) shows one.
///
/// # Contract
///
/// **Units.** Windows and counts are in packets (segments) of about
/// [`Start::packet_bytes`](super::Start), headers included; times are of the transport's one clock.
///
/// **What a transport promises.**
/// - Time does not go back from one event to the next.
/// - Transmissions are numbered from 0 without gaps; a repeated packet is a new transmission.
/// - Each transmission is delivered, lost, or silently discarded, once. One that was found lost may
///   still arrive; the ACK counts it then.
/// - An ACK comes before the losses and marks that it reveals, and
///   [`on_recovered`](Self::on_recovered) before the ACK that ends a repair. Losses that a timer
///   finds come before its [`on_timeout`](Self::on_timeout).
/// - It sends while fewer packets than the window are in flight, once
///   [`release_at`](Self::release_at) has come. It repairs losses as it likes (Reno, NewReno, SACK,
///   QUIC), and may then send beyond the window.
/// - After each event it asks for [`window`](Self::window), [`poll_probe`](Self::poll_probe) and
///   [`next_timeout`](Self::next_timeout) anew.
///
/// **What a controller promises**, even to a transport that breaks all this:
/// - no panic; a window that is finite and at least 1; a positive ssthresh;
/// - no growth while the application limits the sender ([`Ack::window_limited`]), and none by a
///   loss, a mark or a timeout;
/// - after a silence of any length it grows again once ACKs come;
/// - memory that is bounded, whatever is sent;
/// - the same events and the same seed give the same answers, and a clone gives those of its
///   original;
/// - a due [`on_tick`](Self::on_tick) moves [`next_timeout`](Self::next_timeout), and probes come
///   singly.
///
/// [`conformance::window`](crate::conformance::window) checks what a controller promises.
///
/// # Wrappers
///
/// A controller around another one gives it as [`inner`](Self::inner) and
/// [`inner_mut`](Self::inner_mut). Every optional method that it does not write itself then goes
/// there, those of later versions too.
///
/// Controllers are `Send + Sync`, and every implementation that is `Clone` can be cloned behind a
/// box ([`CloneController`]).
pub trait WindowController: CloneController + Debug + Send + Sync {
    /// An ACK arrived.
    fn on_ack(&mut self, ack: &Ack);
    /// Transmissions were found lost. A window shrinks once per [episode](Loss::new_episode).
    fn on_loss(&mut self, loss: &Loss);
    /// The retransmission timer expired: what was in flight is taken for lost, and the window falls
    /// to its least.
    fn on_timeout(&mut self, timeout: &Timeout);
    /// cwnd in packets: finite and at least 1.
    fn window(&self) -> f64;

    /// The controller that this one wraps.
    #[inline]
    fn inner(&self) -> Option<&dyn WindowController> {
        None
    }
    /// The same, for events.
    #[inline]
    fn inner_mut(&mut self) -> Option<&mut dyn WindowController> {
        None
    }

    optional! {
        /// A packet was sent.
        fn on_sent(&mut self, sent: &Sent) {}
        /// Routers marked packets as having met congestion (ECN). By default this counts as the
        /// loss of as many packets (RFC 3168, sec. 5: the reaction to a mark is that to a drop,
        /// once a round trip). A law with a reaction of its own (RFC 8511 keeps 0.8 or more of the
        /// window; DCTCP follows the marked share), and one that keeps books of the packets in
        /// flight, writes this method: nothing left the flight.
        fn on_marked(&mut self, marked: &Marked) {
            self.on_loss(&marked.as_loss());
        }
        /// A source quench arrived (RFC 1122, sec. 4.2.3.9: slow start, as if the retransmission
        /// timer had expired). A transport tells of one at most a window of data, and of none while
        /// it repairs losses. No packet counts as lost, and nothing is sent again.
        fn on_quench(&mut self, quench: &Quench) {
            self.on_timeout(&Timeout::new(quench.now, quench.in_flight));
        }
        /// Every packet outstanding at the last loss episode's start is acknowledged.
        fn on_recovered(&mut self, now: Time) {}
        /// Every loss of the last episode was spurious: those packets have arrived after all. True
        /// of a controller that takes back by itself what it did then; a host that keeps copies
        /// returns to one of any other
        /// ([`Ledger::on_spurious`](super::ledger::Ledger::on_spurious)).
        fn on_spurious(&mut self, now: Time) -> bool {
            false
        }
        /// The wireless link at the sender's own end reports (ATL paper, sec. IV-A, case 1).
        fn on_link_report(&mut self, now: Time, report: &LinkReport) {}
        /// The receiver tells, in its ACKs, what its wireless link reports (ATL paper, sec. IV-A,
        /// cases 2 and 3). It is a claim of the other side, which a controller bounds by what it
        /// measures itself.
        fn on_peer_report(&mut self, now: Time, report: &LinkReport) {}
        /// An end changed networks: the sender's own, or the receiver as its ACKs tell.
        fn on_handoff(&mut self, handoff: &Handoff) {}
        /// The receiver's half of the protocol tells, in an ACK, the rate at which it wants packets
        /// to come ([`ReceiverHalf::rate`](super::ReceiverHalf::rate)), in packets per second.
        fn on_peer_rate(&mut self, now: Time, packets_per_sec: f64) {}
        /// The kind of probe packet to send now, if one is to be sent. A transport asks, until
        /// there is none, after each event and after the data that may be sent;
        /// [`next_timeout`](Self::next_timeout) is when it is due to ask again. Probes go at low
        /// priority, do not count in the window, and are not repeated.
        fn poll_probe(&mut self, now: Time) -> Option<Probe> {
            None
        }
        /// A probe packet was acknowledged.
        fn on_probe_ack(&mut self, ack: &ProbeAck) {}
        /// The time that [`next_timeout`](Self::next_timeout) named has come.
        fn on_tick(&mut self, now: Time) {}
    }

    optional! {
        /// True of a controller that listens to wireless links: a transport spares all others the
        /// reports, and does not ask the receiver for its own.
        fn listens(&self) -> bool {
            false
        }
        /// When [`on_tick`](Self::on_tick) wants to be called next.
        fn next_timeout(&self) -> Option<Time> {
            None
        }
        /// Slow-start threshold in packets, positive; infinite before the first loss, and for a law
        /// without one.
        fn ssthresh(&self) -> f64 {
            f64::INFINITY
        }
        /// True if a transport that sends whole packets rounds [`window`](Self::window) up: of a
        /// controller that paces, which holds back what is above the fraction. Others are rounded
        /// down.
        fn rounds_up(&self) -> bool {
            false
        }
        /// The earliest time for the next packet, of a controller that paces; `None`: at once.
        fn release_at(&self) -> Option<Time> {
            None
        }
        /// The rate at which a controller that paces spreads its packets, on the wire, headers
        /// included, for transports that pace with a rate and a burst of their own; `None` if it
        /// does not pace, or has measured no rate yet. [`release_at`](Self::release_at) is the
        /// exact schedule.
        fn pacing_rate(&self) -> Option<Rate> {
            None
        }
        /// The most packets that one ACK lets the window grow for; `None` if an ACK may cover any
        /// number. A transport whose ACKs cover more packets than TCP's splits them into events of
        /// at most this many.
        fn ack_limit(&self) -> Option<NonZeroU32> {
            None
        }
        /// The law's response to marks: a transport sets the ECN field of its packets by it, and
        /// asks the receiver for accurate counts where the law needs them. It never changes.
        fn mark_response(&self) -> MarkResponse {
            MarkResponse::Classic
        }
        /// The AIMD parameters in force, of a controller that has them.
        fn aimd(&self) -> Option<Aimd> {
            None
        }
        /// The inputs of the AIMD parameters in force (p, R, p_w, d_w, p_c, R_c, T_hat); `None` for
        /// a controller that does not adapt them, and while one that does runs with TCP's own.
        fn adaptation(&self) -> Option<Adaptation> {
            None
        }
        /// State from which a sender that meets the same path again may resume, of a controller
        /// that keeps it ([`resume`](super::resume)). Asked for when the path is left.
        fn observed(&self) -> Option<Saved> {
            None
        }
    }
}

/// Clones a controller behind a box. Implemented for every [`WindowController`] that is `Clone`.
pub trait CloneController {
    /// A copy of this controller in its present state.
    fn clone_box(&self) -> Box<dyn WindowController>;
}

impl<T: WindowController + Clone + 'static> CloneController for T {
    fn clone_box(&self) -> Box<dyn WindowController> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn WindowController> {
    fn clone(&self) -> Self {
        (**self).clone_box()
    }
}

impl WindowController for Box<dyn WindowController> {
    fn on_ack(&mut self, ack: &Ack) {
        (**self).on_ack(ack);
    }
    fn on_loss(&mut self, loss: &Loss) {
        (**self).on_loss(loss);
    }
    fn on_timeout(&mut self, timeout: &Timeout) {
        (**self).on_timeout(timeout);
    }
    fn window(&self) -> f64 {
        (**self).window()
    }
    fn inner(&self) -> Option<&dyn WindowController> {
        Some(&**self)
    }
    fn inner_mut(&mut self) -> Option<&mut dyn WindowController> {
        Some(&mut **self)
    }
}
