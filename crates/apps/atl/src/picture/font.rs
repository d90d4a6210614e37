//! Glyphs of a TrueType font (ISO/IEC 14496-22), limited to the tables that DejaVu Sans has.

use super::canvas::Point;

/// Segments that approximate a quadratic curve of a glyph.
const PIECES: u32 = 6;

/// A font file, with the offsets of its tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Font {
    data: &'static [u8],
    head: usize,
    hhea: usize,
    hmtx: usize,
    loca: usize,
    glyf: usize,
    /// A subtable of `cmap` in format 12 or 4.
    characters: usize,
}

impl Font {
    /// Reads the directory of a file; `None` if a table is missing.
    pub(super) fn new(data: &'static [u8]) -> Option<Font> {
        let table = |name: &[u8; 4]| -> Option<usize> {
            let count = usize::from(half(data, 4)?);
            let entry =
                (0..count).map(|i| 12 + 16 * i).find(|at| data.get(*at..at + 4) == Some(name))?;
            Some(word(data, entry + 8)? as usize)
        };
        let cmap = table(b"cmap")?;
        let parts = (0..usize::from(half(data, cmap + 2)?)).map(|i| cmap + 4 + 8 * i);
        let parts = parts.filter_map(|at| Some(cmap + word(data, at + 4)? as usize));
        // Format 12 has all characters of format 4, which only has 16 bits.
        let known = parts.filter(|at| matches!(half(data, *at), Some(4 | 12)));
        let characters = known.max_by_key(|at| half(data, *at))?;
        Some(Font {
            data,
            head: table(b"head")?,
            hhea: table(b"hhea")?,
            hmtx: table(b"hmtx")?,
            loca: table(b"loca")?,
            glyf: table(b"glyf")?,
            characters,
        })
    }

    fn half(&self, at: usize) -> u16 {
        half(self.data, at).unwrap_or_default()
    }

    fn signed(&self, at: usize) -> f64 {
        f64::from(self.half(at) as i16)
    }

    fn word(&self, at: usize) -> u32 {
        word(self.data, at).unwrap_or_default()
    }

    /// Units per em.
    pub(super) fn units(&self) -> f64 {
        f64::from(self.half(self.head + 18).max(1))
    }

    /// The glyph of a character. Glyph 0 is the box that stands for missing characters.
    pub(super) fn glyph(&self, character: char) -> u16 {
        let (code, at) = (u32::from(character), self.characters);
        if self.half(at) == 12 {
            let groups = (0..self.word(at + 12) as usize).map(|i| at + 16 + 12 * i);
            let group = groups.into_iter().find(|at| code <= self.word(at + 4));
            let group = group.filter(|at| self.word(*at) <= code);
            return group.map_or(0, |at| (self.word(at + 8) + code - self.word(at)) as u16);
        }
        let Ok(code) = u16::try_from(code) else { return 0 };
        let twice = usize::from(self.half(at + 6));
        let (ends, starts) = (at + 14, at + 16 + twice);
        let Some(i) = (0..twice).step_by(2).find(|i| code <= self.half(ends + i)) else { return 0 };
        let start = self.half(starts + i);
        if code < start {
            return 0;
        }
        let delta = self.half(starts + twice + i);
        let offset = starts + 2 * twice + i;
        match self.half(offset) {
            0 => code.wrapping_add(delta),
            by => match self.half(offset + usize::from(by) + 2 * usize::from(code - start)) {
                0 => 0,
                glyph => glyph.wrapping_add(delta),
            },
        }
    }

    /// Distance to the next glyph, in units.
    pub(super) fn advance(&self, glyph: u16) -> f64 {
        let known = self.half(self.hhea + 34).max(1);
        f64::from(self.half(self.hmtx + 4 * usize::from(glyph.min(known - 1))))
    }

    /// The contours of a glyph as polygons in units, with y upwards.
    pub(super) fn outlines(&self, glyph: u16) -> Vec<Vec<Point>> {
        let i = usize::from(glyph);
        let place = |i: usize| match self.half(self.head + 50) {
            0 => 2 * usize::from(self.half(self.loca + 2 * i)),
            _ => self.word(self.loca + 4 * i) as usize,
        };
        let (begin, end) = (place(i), place(i + 1));
        if begin >= end {
            return Vec::new();
        }
        let at = self.glyf + begin;
        match self.half(at) as i16 {
            count if count >= 0 => self.contours(at, usize::from(count as u16)),
            _ => self.composed(at + 10),
        }
    }

    /// Reads a composite glyph: other glyphs, moved and perhaps scaled.
    fn composed(&self, mut at: usize) -> Vec<Vec<Point>> {
        let mut polygons = Vec::new();
        loop {
            let (flags, glyph) = (self.half(at), self.half(at + 2));
            at += 4;
            let wide = flags & 1 != 0;
            let (dx, dy) = match wide {
                true => (self.signed(at), self.signed(at + 2)),
                false => {
                    let bytes = self.half(at).to_be_bytes();
                    (f64::from(bytes[0] as i8), f64::from(bytes[1] as i8))
                }
            };
            at += if wide { 4 } else { 2 };
            let fraction = |at| self.signed(at) / 16384.0;
            let (xx, xy, yx, yy) = match flags {
                f if f & 0x08 != 0 => (fraction(at), 0.0, 0.0, fraction(at)),
                f if f & 0x40 != 0 => (fraction(at), 0.0, 0.0, fraction(at + 2)),
                f if f & 0x80 != 0 => {
                    (fraction(at), fraction(at + 2), fraction(at + 4), fraction(at + 6))
                }
                _ => (1.0, 0.0, 0.0, 1.0),
            };
            at += match flags {
                f if f & 0x08 != 0 => 2,
                f if f & 0x40 != 0 => 4,
                f if f & 0x80 != 0 => 8,
                _ => 0,
            };
            let moved = |(x, y): Point| (x * xx + y * yx + dx, x * xy + y * yy + dy);
            let parts = self.outlines(glyph).into_iter();
            polygons.extend(parts.map(|part| part.into_iter().map(moved).collect::<Vec<_>>()));
            if flags & 0x20 == 0 {
                return polygons;
            }
        }
    }

    fn contours(&self, at: usize, count: usize) -> Vec<Vec<Point>> {
        let ends: Vec<usize> =
            (0..count).map(|i| usize::from(self.half(at + 10 + 2 * i))).collect();
        let points = ends.last().map_or(0, |last| last + 1);
        let byte = |at: usize| self.data.get(at).copied().unwrap_or_default();
        let mut at = at + 10 + 2 * count;
        at += 2 + usize::from(self.half(at));
        let mut flags = Vec::with_capacity(points);
        while flags.len() < points {
            let flag = byte(at);
            at += 1;
            let again = if flag & 8 != 0 { byte(at) } else { 0 };
            at += usize::from(flag & 8 != 0);
            flags.extend(std::iter::repeat_n(flag, 1 + usize::from(again)));
        }
        let mut coordinates = |short: u8, same: u8| -> Vec<f64> {
            let mut value = 0.0;
            let next = |flag: &u8| {
                value += match (flag & short != 0, flag & same != 0) {
                    (true, positive) => {
                        at += 1;
                        f64::from(byte(at - 1)) * if positive { 1.0 } else { -1.0 }
                    }
                    (false, true) => 0.0,
                    (false, false) => {
                        at += 2;
                        self.signed(at - 2)
                    }
                };
                value
            };
            flags[..points].iter().map(next).collect()
        };
        let (xs, ys) = (coordinates(2, 16), coordinates(4, 32));
        let mut begin = 0;
        let mut polygons = Vec::with_capacity(count);
        for end in ends {
            let points: Vec<(Point, bool)> =
                (begin..=end).map(|i| ((xs[i], ys[i]), flags[i] & 1 != 0)).collect();
            polygons.push(straightened(&points));
            begin = end + 1;
        }
        polygons
    }
}

/// Approximates a contour of points that are on the curve (true) or control it.
fn straightened(points: &[(Point, bool)]) -> Vec<Point> {
    let middle = |a: Point, b: Point| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let n = points.len();
    let mut polygon = Vec::new();
    for (i, (at, on)) in points.iter().enumerate() {
        if *on {
            polygon.push(*at);
            continue;
        }
        // The middle of two control points is on the curve.
        let end = |(other, on): (Point, bool)| if on { other } else { middle(*at, other) };
        let (from, to) = (end(points[(i + n - 1) % n]), end(points[(i + 1) % n]));
        for piece in 0..=PIECES {
            let t = f64::from(piece) / f64::from(PIECES);
            let (a, b, c) = ((1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t);
            polygon.push((a * from.0 + b * at.0 + c * to.0, a * from.1 + b * at.1 + c * to.1));
        }
    }
    polygon
}

fn half(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(*data.get(at..)?.first_chunk()?))
}

fn word(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*data.get(at..)?.first_chunk()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_of_both_weights_are_where_their_metrics_say() {
        for data in [dejavu::sans::regular(), dejavu::sans::bold()] {
            let font = Font::new(data).expect("a font");
            assert!((font.units() - 2048.0).abs() < 1e-9);
            // A letter, one that is composed of two, one beyond 16 bits of code.
            for character in ['H', '\u{e9}', '\u{1d538}'] {
                let glyph = font.glyph(character);
                let outlines = font.outlines(glyph);
                let points = || outlines.iter().flatten();
                assert!(glyph != 0 && points().count() > 4, "{character}");
                let right = points().map(|point| point.0).fold(0.0, f64::max);
                assert!(right > 0.5 * font.advance(glyph) && right < 1.1 * font.advance(glyph));
            }
            assert_eq!(font.outlines(font.glyph('\u{e9}')).len(), 3, "e, its hole, an accent");
            assert_eq!(font.glyph('\u{4e2d}'), 0);
            assert_eq!(font.outlines(font.glyph(' ')), Vec::<Vec<Point>>::new());
        }
    }
}
