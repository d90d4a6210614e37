//! Stations of Wi-Fi, grants and blockages, from the tables of a file.

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_link::{Blockage, Grants, Service, Wifi};

use crate::keys::words::WIFI_STANDARDS;
use crate::table::Field;

/// A station of Wi-Fi.
pub(super) fn wifi(field: &Field<'_>) -> Option<Service> {
    let table = field.table()?;
    let rate = table.read("rate", Field::rate);
    let standard = table.value("standard", |f| f.one_of(WIFI_STANDARDS));
    let stations = table.value("stations", Field::whole_as);
    let errors = table.value("errors", Field::probability);
    let aggregate = table.value("aggregate", Field::whole_as);
    let octets = table.value("octets", Field::size);
    let retries = table.value("retries", Field::whole_as);
    Some(Service::Wifi(Wifi {
        rate: rate?,
        standard: standard?,
        stations: stations?,
        errors: errors?,
        aggregate: aggregate?,
        octets: u32::try_from(octets?).unwrap_or(u32::MAX),
        retries: retries?,
    }))
}

/// The blockage of a line of sight, apart from its rate while it is clear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Blocked {
    pub rate: Rate,
    clear_for: Span,
    blocked_for: Span,
}

impl Blocked {
    pub(super) fn read(field: &Field<'_>) -> Option<Blocked> {
        let table = field.table()?;
        let rate = table.read("rate", Field::rate);
        let clear_for = table.read("clear-for", Field::time);
        let blocked_for = table.read("blocked-for", Field::time);
        Some(Blocked { rate: rate?, clear_for: clear_for?, blocked_for: blocked_for? })
    }

    /// The service of a link that has this one while its line of sight is clear. One without a
    /// constant rate stays as it is.
    pub(super) fn of(self, clear: Service) -> Service {
        let Service::Constant(rate) = clear else { return clear };
        let Blocked { rate: blocked, clear_for, blocked_for } = self;
        Service::Blocked(Blockage { clear: rate, blocked, clear_for, blocked_for })
    }
}

/// Grants of a scheduler; `Some(None)` at a time of zero.
pub(super) fn grants(field: &Field<'_>) -> Option<Option<Grants>> {
    let every = field.time()?;
    Some((!every.is_zero()).then_some(Grants { every }))
}
