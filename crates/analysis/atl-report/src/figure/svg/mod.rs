//! A chart as a self-contained SVG with a light background, for papers and slides.

mod curves;
mod frame;
mod look;
mod style;
mod words;

use maud::{Markup, html};

use self::frame::Frame;
use super::chart::Chart;
use super::palette::BACKGROUNDS;
pub use style::Size;
use style::{FONTS, INK, LINE, SOFT, px, text_width};

/// The chart as a document that ends with a line feed. `cite`, the source of its data, becomes the
/// description.
pub fn svg(chart: &Chart, cite: &str, size: Size) -> String {
    let frame = Frame::of(chart, size);
    let body: Markup = html! {
        title { (chart.title) }
        desc { (cite) }
        rect width=(size.width) height=(size.height) fill=(BACKGROUNDS[0]) {}
        (frame.axes(chart))
        g clip-path="url(#plot)" {
            (curves::bands(chart, &frame))
            (frame.events(chart))
            @for curve in 0..chart.curves.len() { (curves::curve(chart, curve, &frame)) }
            (curves::limits(chart, &frame))
        }
        (words::words(chart, &frame))
        (frame.event_names(chart))
        (frame.legend(chart))
    };
    let (width, height) = (size.width, size.height);
    let document = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height) viewBox=(format!("0 0 {width} {height}"))
            font-family=(FONTS) font-size="12" fill=(INK) role="img" {
            (frame.clip())
            (body)
        }
    };
    document.into_string() + "\n"
}
