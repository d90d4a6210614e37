//! ARC's model of a path: a wireless and a wired part, each good or bad at every packet.
//!
//! Source: Akan and Akyildiz, ARC (2004), sec. II: eq. 1 and 2 (Gilbert's chains), 3 (both
//! together), 4 to 7 and 16. In the states' names S is the wireless channel and I the wired part, 0
//! is good and 1 is bad. A packet is lost in every state but S0 I0.
//!
//! Left open by the source, and chosen: a chain that never leaves its state is good for ever, since
//! that is where a path begins. pi and omega of eq. 16 may be measured ones, which scatter: `pi <
//! omega` gives 0.

use crate::units::Probability;

/// Gilbert's chain (1960): two states with a transition before each packet. Every packet is lost in
/// the bad state, none in the good one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gilbert {
    /// Probability to go from good to bad at a packet: p of the ARC paper's eq. 1, q of eq. 2.
    pub to_bad: Probability,
    /// Probability to go from bad to good at a packet: r of the ARC paper's eq. 1, s of eq. 2.
    pub to_good: Probability,
}

impl Gilbert {
    /// The chain whose packets are lost with this probability, each independently of the others.
    pub fn independent(loss: Probability) -> Self {
        Gilbert { to_bad: loss, to_good: Probability::clamped(1.0 - loss.get()) }
    }

    /// Steady-state probability of the bad state: P(S1), or P(I1).
    pub fn bad(&self) -> Probability {
        let (p, r) = (self.to_bad.get(), self.to_good.get());
        if p > 0.0 { Probability::clamped(p / (p + r)) } else { Probability::ZERO }
    }

    /// Mean number of packets in a row that are lost; infinite where the bad state is never left.
    pub fn mean_burst(&self) -> f64 {
        1.0 / self.to_good.get()
    }

    /// ARC paper, eq. 1 or 2: the row is the state before, the column the one after; good first.
    pub fn matrix(&self) -> [[f64; 2]; 2] {
        let (p, r) = (self.to_bad.get(), self.to_good.get());
        [[1.0 - p, p], [r, 1.0 - r]]
    }
}

/// The four-state chain of a path (Fig. 3): its parts change independently of each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathChain {
    /// The wireless channel: p and r.
    pub wireless: Gilbert,
    /// The wired part, which is bad while it is congested: q and s.
    pub congestion: Gilbert,
}

impl PathChain {
    /// ARC paper, eq. 3: the probability to go from one state (row) to another (column), in the
    /// order S0 I0, S1 I0, S0 I1, S1 I1.
    pub fn matrix(&self) -> [[f64; 4]; 4] {
        let (s, i) = (self.wireless.matrix(), self.congestion.matrix());
        core::array::from_fn(|from| {
            core::array::from_fn(|to| s[from & 1][to & 1] * i[from >> 1][to >> 1])
        })
    }

    /// Steady-state probabilities of the states, in the order of [`matrix`](Self::matrix).
    pub fn stationary(&self) -> [f64; 4] {
        let (s1, i1) = (self.wireless.bad().get(), self.congestion.bad().get());
        let (s, i) = ([1.0 - s1, s1], [1.0 - i1, i1]);
        core::array::from_fn(|state| s[state & 1] * i[state >> 1])
    }

    /// ARC paper, eq. 4: pi, the share of all packets that is lost.
    pub fn loss(&self) -> Probability {
        let [_, s1, i1, both] = self.stationary();
        Probability::clamped(s1 + i1 + both)
    }

    /// ARC paper, eq. 6: omega = P(S1), the share that is lost on the wireless link.
    pub fn wireless_loss(&self) -> Probability {
        let [_, s1, _, both] = self.stationary();
        Probability::clamped(s1 + both)
    }

    /// ARC paper, eq. 7: P(I1), the share that congestion loses of the packets that it meets.
    pub fn congestion_loss(&self) -> Probability {
        let [_, _, i1, both] = self.stationary();
        Probability::clamped(i1 + both)
    }
}

/// ARC paper, eq. 16: P(I1) = (pi - omega) / (1 - omega), the loss to congestion in the loss of the
/// whole path.
///
/// 0 where omega is not below pi, as it can be of measured values, and where the wireless link
/// loses everything.
pub fn congestion_share(pi: Probability, omega: Probability) -> Probability {
    let through = 1.0 - omega.get();
    if through > 0.0 {
        Probability::clamped((pi.get() - omega.get()) / through)
    } else {
        Probability::ZERO
    }
}
