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
    html! {
        @match outline {
            Some(path) if curve.open => path d=(path) fill="none" stroke=(ink) stroke-width="1.8" {},
            Some(path) => path d=(path) fill=(ink) {},
            None if curve.open => {
                circle cx=(px(x)) cy=(px(y)) r=(px(r)) fill="none" stroke=(ink) stroke-width="1.8" {}
            },
            None if look.mark() == Shape::Ring => {
                circle cx=(px(x)) cy=(px(y)) r=(px(r)) fill="#ffffff" stroke=(ink) stroke-width="1.8" {}
            },
            None => circle cx=(px(x)) cy=(px(y)) r=(px(r)) fill=(ink) {},
        }
    }
}
