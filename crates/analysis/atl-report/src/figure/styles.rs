//! Which look each series has.

use super::palette::COLOURS;
use crate::outcome::Outcome;

/// Looks of the protocols that most figures compare, by the beginning of their labels, so that one
/// who reads two figures need not read two legends.
const HOMES: [(&str, usize); 8] = [
    ("TCP-ATL", 0),
    ("TCP-ATL robust", 1),
    ("NewReno", 2),
    ("Reno", 2),
    ("Westwood", 3),
    ("CUBIC", 4),
    ("BBRv3", 5),
    ("Residual", 7),
];

/// The look that a label has if no other has it: what follows in brackets (`CUBIC (RACK)`) does not
/// count.
fn home(label: &str) -> Option<usize> {
    let name = label.split(" (").next().unwrap_or(label);
    HOMES.iter().find(|(known, _)| *known == name).map(|(_, look)| *look)
}

/// Assigns looks, by number; a name keeps its look throughout a section.
#[derive(Debug, Default)]
pub(super) struct Styles(Vec<Option<String>>);

impl Styles {
    /// The looks of a scenario's own protocols are kept for them, whatever else is drawn first.
    pub(super) fn new(outcome: &Outcome) -> Styles {
        let mut styles = Styles::default();
        for point in &outcome.scenario.points {
            for flow in &point.setup.flows {
                styles.settle(&flow.protocol.label);
            }
        }
        styles
    }

    /// Gives a name its home, if it has one that is free.
    fn settle(&mut self, name: &str) -> Option<usize> {
        let look = home(name)?;
        if self.0.len() < COLOURS.len() {
            self.0.resize(COLOURS.len(), None);
        }
        let slot = self.0.get_mut(look).filter(|slot| slot.is_none())?;
        *slot = Some(name.to_owned());
        Some(look)
    }

    pub(super) fn of(&mut self, name: &str) -> usize {
        let known = self.0.iter().position(|slot| slot.as_deref() == Some(name));
        if let Some(look) = known.or_else(|| self.settle(name)) {
            return look;
        }
        let look = self.0.iter().position(Option::is_none).unwrap_or(self.0.len());
        if look == self.0.len() {
            self.0.push(None);
        }
        self.0[look] = Some(name.to_owned());
        look
    }
}

/// The look of each of these series, in a figure that has no others: those that most figures
/// compare look the same everywhere.
pub fn looks(names: &[&str]) -> Vec<usize> {
    let mut styles = Styles::default();
    for name in names {
        styles.settle(name);
    }
    names.iter().map(|name| styles.of(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_of_a_figure_leave_well_known_ones_where_they_are() {
        assert_eq!(looks(&["mine", "TCP-ATL", "BBRv3", "yours"]), [1, 0, 5, 2]);
    }

    #[test]
    fn a_name_keeps_its_style() {
        let mut styles = Styles::default();
        assert_eq!([styles.of("a"), styles.of("b"), styles.of("a")], [0, 1, 0]);
    }

    #[test]
    fn a_well_known_protocol_looks_the_same_wherever_it_stands() {
        let mut first = Styles::default();
        assert_eq!(["CUBIC (RACK)", "BBRv3"].map(|name| first.of(name)), [4, 5]);
        let mut second = Styles::default();
        assert_eq!(["BBRv3", "mine", "CUBIC"].map(|name| second.of(name)), [5, 0, 4]);
    }

    #[test]
    fn two_forms_of_a_protocol_differ_and_none_takes_what_another_has() {
        let mut styles = Styles::default();
        let names = ["Reno (RACK)", "Reno (SACK)", "TCP-ATL", "NewReno"];
        assert_eq!(names.map(|name| styles.of(name)), [2, 0, 1, 3]);
        let more: Vec<usize> = (0..12).map(|i| styles.of(&format!("s{i}"))).collect();
        let mut all: Vec<usize> = more.into_iter().chain([2, 0, 1, 3]).collect();
        all.sort_unstable();
        assert_eq!(all, (0..16).collect::<Vec<_>>());
    }
}
