//! The rules by which a player may choose rates.

/// A player's choice of the rate of the next segment. The first is of the lowest rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RateChoice {
    /// The highest below the harmonic mean of the throughput of the last five segments (the
    /// rate-based player of Yin, Jindal, Sekar and Sinopoli, SIGCOMM 2015).
    #[default]
    Throughput,
    /// BBA-0 (Huang et al., SIGCOMM 2014, algorithm 1): the rate follows the buffer, from the
    /// lowest at 3/8 of it to the highest at 9/10, as the paper's 90 s and 216 s of 240 s, and
    /// changes only when the line has reached the next step.
    Buffer,
    /// BOLA-BASIC (Spiteri, Urgaonkar, Sitaraman, INFOCOM 2016, eq. 10): the rate with the highest
    /// (V (utility + gamma p) - buffer) / size, where the utility is the logarithm of the size over
    /// the smallest, gamma p is 5, and V such that it waits when the buffer has no room.
    Bola,
}
