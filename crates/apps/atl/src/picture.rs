//! Drawing SVG as PNG. The fonts are part of the program and the system's are not used, so that a
//! chart gives the same bytes everywhere.

use std::collections::BTreeSet;
use std::fmt;

use resvg::{tiny_skia, usvg};

/// Limit on the dots of a picture, which takes 400 MB of memory while it is drawn.
const MOST: u64 = 100_000_000;

/// A CSS pixel is 1/96 inch, and an inch 25.4 mm.
const PIXELS_PER_METRE: f64 = 96.0 / 0.0254;

/// A picture in PNG format.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    /// Content of the file.
    pub bytes: Vec<u8>,
    /// Message on characters that the font lacks; empty if it has all.
    pub missing: String,
}

/// The reason why there is no picture.
#[derive(Clone, Debug)]
pub(crate) enum Unpainted {
    /// It would have more dots than [`MOST`].
    TooLarge {
        /// Width and height in dots.
        size: (u64, u64),
    },
    /// The SVG cannot be read, or the PNG not be written.
    Failed(String),
}

impl fmt::Display for Unpainted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unpainted::TooLarge { size: (width, height) } => write!(
                f,
                "a PNG of {width} x {height} dots is too large: at most {} million; use a smaller --scale, --width or --height",
                MOST / 1_000_000
            ),
            Unpainted::Failed(why) => f.write_str(why),
        }
    }
}

fn failed(why: impl fmt::Display) -> Unpainted {
    Unpainted::Failed(why.to_string())
}

/// Draws an SVG with `scale` dots for each of its pixels; `cite` becomes the picture's description.
///
/// # Errors
/// If it would be too large, or is no SVG.
pub(crate) fn png(svg: &str, cite: &str, scale: u32) -> Result<Picture, Unpainted> {
    let mut options = usvg::Options { font_family: "DejaVu Sans".to_owned(), ..Default::default() };
    let fonts = options.fontdb_mut();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.load_font_data(dejavu::sans::bold().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    let tree = usvg::Tree::from_str(svg, &options).map_err(failed)?;
    let size = tree.size().to_int_size();
    let dots = |pixels: u32| u64::from(pixels) * u64::from(scale);
    let (width, height) = (dots(size.width()), dots(size.height()));
    let too_large = Unpainted::TooLarge { size: (width, height) };
    if width * height > MOST {
        return Err(too_large);
    }
    let mut canvas = tiny_skia::Pixmap::new(size.width() * scale, size.height() * scale)
        .ok_or_else(|| too_large.clone())?;
    canvas.fill(tiny_skia::Color::WHITE);
    let times = scale as f32;
    resvg::render(&tree, tiny_skia::Transform::from_scale(times, times), &mut canvas.as_mut());
    Ok(Picture { bytes: encoded(&canvas, cite, scale)?, missing: missing(&tree) })
}

/// RGB as PNG, with its intended size and the source of its data.
fn encoded(canvas: &tiny_skia::Pixmap, cite: &str, scale: u32) -> Result<Vec<u8>, Unpainted> {
    // On a white background everything is opaque, so premultiplied colours equal the colours.
    let rgb: Vec<u8> =
        canvas.data().chunks_exact(4).flat_map(|dot| [dot[0], dot[1], dot[2]]).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, canvas.width(), canvas.height());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let per_metre = (PIXELS_PER_METRE * f64::from(scale)).round() as u32;
    encoder.set_pixel_dims(Some(png::PixelDimensions {
        xppu: per_metre,
        yppu: per_metre,
        unit: png::Unit::Meter,
    }));
    encoder.add_itxt_chunk("Description".to_owned(), cite.to_owned()).map_err(failed)?;
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(&rgb).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}

/// Characters without a glyph.
fn missing(tree: &usvg::Tree) -> String {
    let mut found = BTreeSet::new();
    collect(tree.root(), &mut found);
    let quoted: Vec<String> = found.iter().map(|text| format!("`{text}`")).collect();
    quoted.join(", ")
}

fn collect(group: &usvg::Group, found: &mut BTreeSet<String>) {
    for node in group.children() {
        match node {
            usvg::Node::Group(group) => collect(group, found),
            usvg::Node::Text(text) => {
                let glyphs = text.layouted().iter().flat_map(|span| &span.positioned_glyphs);
                // Fonts show glyph 0, a box, for missing characters.
                let lacking = glyphs.filter(|glyph| glyph.id.0 == 0);
                found.extend(lacking.map(|glyph| glyph.text.clone()));
            }
            usvg::Node::Path(_) | usvg::Node::Image(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(text: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"60\" height=\"20\" font-family=\"system-ui, sans-serif\"><text x=\"2\" y=\"16\" font-weight=\"600\">{text}</text></svg>"
        )
    }

    #[test]
    fn text_is_drawn_and_what_the_font_lacks_is_named() {
        let picture = png(&svg("µ p̂ → Ω"), "where from", 2).expect("a picture");
        assert_eq!(picture.missing, "");
        let decoder = png::Decoder::new(std::io::Cursor::new(&picture.bytes));
        let mut reader = decoder.read_info().expect("a PNG");
        let mut data = vec![0; reader.output_buffer_size().expect("small")];
        reader.next_frame(&mut data).expect("an image");
        reader.finish().expect("to the end");
        let info = reader.info();
        assert_eq!((info.width, info.height), (120, 40));
        assert_eq!(info.pixel_dims.map(|d| d.xppu), Some(7559), "192 dots per inch");
        assert_eq!(info.utf8_text[0].get_text().expect("text"), "where from");
        let dark = data.chunks(3).filter(|dot| dot.iter().all(|c| *c < 100)).count();
        assert!((100..2000).contains(&dark), "ink of a few letters: {dark}");
        assert_eq!(data[..3], [255, 255, 255]);
        assert_eq!(png(&svg("µ p̂ → Ω"), "where from", 2).expect("again").bytes, picture.bytes);

        assert_eq!(png(&svg("a中b"), "", 1).expect("a picture").missing, "`中`");
    }

    #[test]
    fn a_picture_larger_than_memory_is_refused() {
        let huge = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"4000\" height=\"4000\"/>";
        let told = png(huge, "", 8).expect_err("too large").to_string();
        assert!(told.contains("32000 x 32000"), "{told}");
        assert!(matches!(png("<p>", "", 1), Err(Unpainted::Failed(_))));
    }
}
