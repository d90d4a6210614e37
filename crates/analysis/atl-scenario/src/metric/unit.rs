//! Units of metrics and their display.

/// Base unit of a metric, in data files and claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Shown in megabits per second.
    BitsPerSecond,
    /// Shown in seconds unless the metric says otherwise.
    Seconds,
    /// From 0 to 1, shown in per cent.
    Share,
    /// Ratio or index, shown as it is; in claims from 0 to 1.
    Ratio,
    /// Multiple, shown as it is; in claims any number from 0.
    Factor,
    /// A number of packets.
    Packets,
    /// A number of octets.
    Octets,
    /// A number of events per second.
    PerSecond,
    /// Electric charge, shown in milliampere minutes.
    AmpereSeconds,
    /// Relative error as a share: -0.05 is 5 % too low.
    Error,
}

/// Display unit of a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Name of the unit; empty for a bare number.
    pub unit: &'static str,
    /// Factor from the base unit to the display unit.
    pub factor: f64,
}

impl Scale {
    /// Seconds shown as seconds.
    pub const SECONDS: Scale = Scale { unit: "s", factor: 1.0 };
    /// Seconds shown as milliseconds.
    pub const MILLISECONDS: Scale = Scale { unit: "ms", factor: 1e3 };
    /// Bits per second shown as megabits per second.
    pub const MEGABITS: Scale = Scale { unit: "Mb/s", factor: 1e-6 };
    /// Packets shown as packets.
    pub const PACKETS: Scale = Scale { unit: "packets", factor: 1.0 };
}

impl Unit {
    /// Unit in which values are displayed by default.
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

    /// Name of the base unit, as in data files.
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
