//! Units of metrics, and how people read them.

/// Base unit of a metric: that of its values in data files and in claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Bits per second.
    BitsPerSecond,
    /// Seconds.
    Seconds,
    /// A share from 0 to 1, shown in per cent.
    Share,
    /// A ratio or an index, shown as it is; in claims from 0 to 1.
    Ratio,
    /// A multiple, shown as it is; in claims any number from 0.
    Factor,
    /// Packets.
    Packets,
    /// Octets.
    Octets,
    /// Events per second.
    PerSecond,
    /// Ampere seconds, shown in milliampere minutes.
    AmpereSeconds,
    /// A relative error as a share: -0.05 is 5 % too low.
    Error,
}

/// The unit that a number is shown in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Name; empty for a bare number.
    pub unit: &'static str,
    /// Shown value = value in the base unit times this.
    pub factor: f64,
}

impl Scale {
    /// Seconds as they are.
    pub const SECONDS: Scale = Scale { unit: "s", factor: 1.0 };
    /// Seconds in milliseconds.
    pub const MILLISECONDS: Scale = Scale { unit: "ms", factor: 1e3 };
    /// Bits per second in megabits per second.
    pub const MEGABITS: Scale = Scale { unit: "Mb/s", factor: 1e-6 };
    /// Packets.
    pub const PACKETS: Scale = Scale { unit: "packets", factor: 1.0 };
}

impl Unit {
    /// How values in this unit are shown unless a metric says otherwise.
    pub const fn scale(self) -> Scale {
        match self {
            Unit::BitsPerSecond => Scale::MEGABITS,
            Unit::Seconds => Scale::MILLISECONDS,
            Unit::Share | Unit::Error => Scale { unit: "%", factor: 100.0 },
            Unit::Ratio | Unit::Factor => Scale { unit: "", factor: 1.0 },
            Unit::Packets => Scale::PACKETS,
            Unit::Octets => Scale { unit: "octets", factor: 1.0 },
            Unit::PerSecond => Scale { unit: "1/s", factor: 1.0 },
            Unit::AmpereSeconds => Scale { unit: "mA min", factor: 1e3 / 60.0 },
        }
    }

    /// Name of the base unit.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::BitsPerSecond => "bits/s",
            Unit::Seconds => "s",
            Unit::Share => "share",
            Unit::Ratio => "ratio",
            Unit::Factor => "factor",
            Unit::Packets => "packets",
            Unit::Octets => "octets",
            Unit::PerSecond => "1/s",
            Unit::AmpereSeconds => "A s",
            Unit::Error => "relative error",
        }
    }
}
