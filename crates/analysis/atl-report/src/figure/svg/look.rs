//! The look of a curve: its dashes and its marks.

use super::super::chart::Curve;
use super::super::palette::{Look, Shape, corners};
use super::px;
use maud::{Markup, html};

/// Value of `stroke-dasharray`; `None` for a solid line.
pub(super) fn solid(look: Look) -> Option<String> {
    let lengths: Vec<String> = look.dashes().iter().map(u8::to_string).collect();
    (!lengths.is_empty()).then(|| lengths.join(" "))
}

/// The mark of a curve, `r` pixels wide to each side.
pub(super) fn mark(curve: &Curve, x: f64, y: f64, r: f64) -> Markup {
    let look = Look::of(curve.style);
    let ink = look.ink().light;
    let r = if curve.open { r + 1.5 } else { r };
    let outline = corners(look.mark()).map(|corners| {
        let points = corners.iter().map(|(a, b)| format!("{} {}", px(x + a * r), px(y + b * r)));
        format!("M{}Z", points.collect::<Vec<_>>().join("L"))
    });
    let ring = look.mark() == Shape::Ring;
    let fill = match (curve.open, ring) {
        (true, _) => "none",
        (false, true) => "#ffffff",
        (false, false) => ink,
    };
    let drawn = curve.open || ring;
    let (stroke, width) = (drawn.then_some(ink), drawn.then_some("1.8"));
    html! {
        @match outline {
            Some(path) => path d=(path) fill=(fill) stroke=[stroke] stroke-width=[width] {},
            None => circle cx=(px(x)) cy=(px(y)) r=(px(r)) fill=(fill) stroke=[stroke] stroke-width=[width] {},
        }
    }
}
