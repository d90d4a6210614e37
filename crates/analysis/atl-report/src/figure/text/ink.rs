//! Marks and colours in a terminal.

use super::super::chart::Chart;
use super::super::palette::{Look, Shape, TERMINAL};

/// Marks of a chart's series: those of the report, or letters if two would coincide.
#[derive(Clone, Debug)]
pub(super) struct Inks {
    marks: Vec<char>,
    codes: Vec<u8>,
    colour: bool,
}

impl Inks {
    pub(super) fn of(chart: &Chart, colour: bool) -> Inks {
        let looks: Vec<Look> = chart.curves.iter().map(|curve| Look::of(curve.style)).collect();
        let mut marks: Vec<char> = chart
            .curves
            .iter()
            .zip(&looks)
            .map(|(curve, look)| if curve.open { open(look.mark()) } else { sign(look.mark()) })
            .collect();
        let twice = marks.iter().enumerate().any(|(i, mark)| marks[..i].contains(mark));
        if twice {
            // Repeat after 52 letters: colours no longer tell so many series apart either.
            let letters = ('a'..='z').chain('A'..='Z').cycle();
            marks = letters.take(marks.len()).collect();
        }
        Inks { marks, codes: looks.iter().map(|look| TERMINAL[look.colour]).collect(), colour }
    }

    pub(super) fn mark(&self, series: usize) -> char {
        self.marks[series]
    }

    /// Text in the colour of a series.
    pub(super) fn painted(&self, series: usize, text: impl std::fmt::Display) -> String {
        match self.colour {
            true => format!("\u{1b}[38;5;{}m{text}\u{1b}[0m", self.codes[series]),
            false => text.to_string(),
        }
    }
}

/// The Unicode character of a mark.
fn sign(shape: Shape) -> char {
    match shape {
        Shape::Circle => '●',
        Shape::Square => '■',
        Shape::Triangle => '▲',
        Shape::Diamond => '◆',
        Shape::Cross => '×',
        Shape::Down => '▼',
        Shape::Plus => '+',
        Shape::Ring => '○',
    }
}

/// A shape as an open mark, a sign of its own wherever the font has one.
fn open(shape: Shape) -> char {
    match shape {
        Shape::Circle | Shape::Ring => '◯',
        Shape::Square => '□',
        Shape::Triangle => '△',
        Shape::Diamond => '◇',
        Shape::Cross => '⨯',
        Shape::Down => '▽',
        Shape::Plus => '⊹',
    }
}
