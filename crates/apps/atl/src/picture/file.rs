//! Writing PNG files (W3C, Portable Network Graphics, third edition).

use super::canvas::Canvas;

/// A CSS pixel is 1/96 inch, and an inch 25.4 mm.
const PIXELS_PER_METRE: f64 = 96.0 / 0.0254;
/// The highest level of compression in common use.
const LEVEL: u8 = 9;

/// RGB as PNG, with its intended size and the source of its data.
pub(super) fn encoded(canvas: &Canvas, cite: &str, scale: u32) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    let mut header = Vec::new();
    for size in [canvas.width, canvas.height] {
        header.extend((size as u32).to_be_bytes());
    }
    // Eight bits for each of red, green and blue; no interlacing.
    header.extend([8, 2, 0, 0, 0]);
    chunk(&mut file, b"IHDR", &header);
    // Perceptual rendering.
    chunk(&mut file, b"sRGB", &[0]);
    let per_metre = (PIXELS_PER_METRE * f64::from(scale)).round() as u32;
    let [x, y] = [per_metre.to_be_bytes(); 2];
    chunk(&mut file, b"pHYs", &[&x[..], &y, &[1]].concat());
    // Uncompressed, without language and translated keyword.
    chunk(&mut file, b"iTXt", &[b"Description\0\0\0\0\0", cite.as_bytes()].concat());
    chunk(
        &mut file,
        b"IDAT",
        &miniz_oxide::deflate::compress_to_vec_zlib(&filtered(canvas), LEVEL),
    );
    chunk(&mut file, b"IEND", &[]);
    file
}

/// Filters rows by `Sub` or `Up`, whichever leaves smaller differences, which compress better.
fn filtered(canvas: &Canvas) -> Vec<u8> {
    let bytes = 3 * canvas.width;
    let mut filtered = Vec::with_capacity(canvas.dots.len() + canvas.height);
    let mut above = vec![0; bytes];
    for row in canvas.dots.chunks(bytes) {
        let left =
            || row.iter().zip([0; 3].iter().chain(row)).map(|(dot, by)| dot.wrapping_sub(*by));
        let up = || row.iter().zip(&above).map(|(dot, by)| dot.wrapping_sub(*by));
        let sum = |bytes: &mut dyn Iterator<Item = u8>| -> u64 {
            bytes.map(|byte| u64::from((byte as i8).unsigned_abs())).sum()
        };
        if sum(&mut left()) < sum(&mut up()) {
            filtered.push(1);
            filtered.extend(left());
        } else {
            filtered.push(2);
            filtered.extend(up());
        }
        above.copy_from_slice(row);
    }
    filtered
}

fn chunk(file: &mut Vec<u8>, name: &[u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let begin = file.len();
    file.extend(name);
    file.extend(data);
    file.extend(crc(&file[begin..]).to_be_bytes());
}

/// CRC-32 (annex D).
fn crc(data: &[u8]) -> u32 {
    let table: [u32; 256] = std::array::from_fn(|byte| {
        (0..8).fold(byte as u32, |c, _| if c & 1 == 1 { 0xedb8_8320 ^ c >> 1 } else { c >> 1 })
    });
    !data.iter().fold(!0, |c, byte| table[usize::from(c as u8 ^ byte)] ^ c >> 8)
}
