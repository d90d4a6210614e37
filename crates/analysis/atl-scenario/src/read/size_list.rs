//! A file of the sizes of flows: the sizes themselves, or points of their distribution.

use super::rows::{MOST_BYTES, bytes, named, rows};

/// Sizes in bytes, from the smallest on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SizeList {
    /// All are equally frequent.
    Sizes(Vec<u64>),
    /// Shares of flows that are no longer than a size, the last of which is 1.
    Points(Vec<(u64, f64)>),
}

impl SizeList {
    /// Parses lines such as `40000`, each a size in bytes, or lines such as `40000,0.9`, each a
    /// point of the distribution: a size, and the share of flows that are no longer. All lines are
    /// of one kind. A first line of words names the columns; blank lines and those that begin with
    /// `#` are skipped.
    pub(super) fn parse(text: &str) -> Result<SizeList, String> {
        let (mut sizes, mut points) = (Vec::new(), Vec::<(u64, f64)>::new());
        for (number, line) in rows(text) {
            let first = sizes.is_empty() && points.is_empty();
            let wrong = |why: &str| format!("{} {why}", named(number, line, "size", first));
            match line.split_once(',') {
                None if points.is_empty() => sizes.push(bytes(line).ok_or_else(|| {
                    wrong(&format!(
                        "is not whole bytes from 1 to {MOST_BYTES}, such as 40000, nor a size and the share of flows \
                         that are no longer, such as 40000,0.9"
                    ))
                })?),
                Some((size, share)) if sizes.is_empty() => {
                    let point = bytes(size).zip(self::share(share)).ok_or_else(|| {
                        wrong(&format!(
                            "is not whole bytes from 1 to {MOST_BYTES} and a share from 0 to 1, such as 40000,0.9"
                        ))
                    })?;
                    let last = points.last().filter(|last| point.0 < last.0 || point.1 < last.1);
                    if let Some((size, share)) = last {
                        return Err(wrong(&format!(
                            "is below the point before it, {size},{share}: sizes and shares rise"
                        )));
                    }
                    points.push(point);
                }
                None => return Err(wrong("has no share, and the lines before it have one")),
                Some(_) => return Err(wrong("has a share, and the lines before it have none")),
            }
        }
        match points.last() {
            None if sizes.is_empty() => Err("it has no size".to_owned()),
            None => {
                sizes.sort_unstable();
                Ok(SizeList::Sizes(sizes))
            }
            Some((_, share)) if *share < 1.0 => {
                Err(format!("its last share is {share}, not 1: the longest flows are missing"))
            }
            Some(_) => Ok(SizeList::Points(points)),
        }
    }

    /// The size that this share of flows, above 0 and below 1, does not exceed: one of the sizes,
    /// or on the straight line between two points.
    pub(super) fn quantile(&self, share: f64) -> u64 {
        match self {
            SizeList::Sizes(sizes) => {
                let place = (share * sizes.len() as f64) as usize;
                sizes.get(place).or(sizes.last()).copied().unwrap_or(1)
            }
            SizeList::Points(points) => {
                let place = points.partition_point(|point| point.1 < share);
                let Some(&(above, high)) = points.get(place) else { return 1 };
                let Some(&(below, low)) = place.checked_sub(1).and_then(|last| points.get(last))
                else {
                    return above;
                };
                let part = (share - low) / (high - low);
                below + (part * (above - below) as f64).round() as u64
            }
        }
    }
}

fn share(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|share| (0.0..=1.0).contains(share))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_drawn_evenly_and_points_joined_by_lines() {
        let sizes = SizeList::parse("bytes\n# a comment\n3000\n\n 1000 \n2000\n").expect("right");
        assert_eq!(sizes, SizeList::Sizes(vec![1000, 2000, 3000]));
        let thirds = [1.0 / 6.0, 0.5, 5.0 / 6.0].map(|share| sizes.quantile(share));
        assert_eq!(thirds, [1000, 2000, 3000]);
        assert_eq!((sizes.quantile(1e-9), sizes.quantile(1.0 - 1e-9)), (1000, 3000));

        let points = SizeList::parse("bytes,share\n1000,0.5\n3000,0.75\n3000,0.8\n7000,1\n");
        let points = points.expect("right");
        // Half of the flows have 1000 bytes, and a twentieth 3000.
        let at = |share| points.quantile(share);
        assert_eq!([at(0.1), at(0.5), at(0.625), at(0.75)], [1000, 1000, 2000, 3000]);
        assert_eq!([at(0.78), at(0.8), at(0.9), at(0.9999)], [3000, 3000, 5000, 6998]);
    }

    #[test]
    fn a_wrong_line_is_told_and_a_strange_file_is_not_repeated() {
        let told = |text: &str| SizeList::parse(text).expect_err("wrong");
        for (text, wanted) in [
            ("5\n-1\n", "line 2: `-1` is not whole bytes"),
            ("5\n1.5\n", "line 2: `1.5`"),
            ("5\n0\n", "line 2: `0`"),
            ("5\n7,0.5\n", "line 2: `7,0.5` has a share, and the lines before it have none"),
            ("7,0.5\n9\n", "line 2: `9` has no share, and the lines before it have one"),
            ("7,0.5\n9,1.5\n", "line 2: `9,1.5` is not whole bytes from 1"),
            ("7,0.5\n6,1\n", "line 2: `6,1` is below the point before it, 7,0.5"),
            ("7,0.5\n9,0.4\n", "line 2: `9,0.4` is below"),
            ("7,0.5\n9,nan\n", "line 2: `9,nan`"),
            ("7,0.5\n9,0.9\n", "its last share is 0.9, not 1"),
            ("bytes\n", "it has no size"),
            ("", "it has no size"),
        ] {
            assert!(told(text).contains(wanted), "{text:?}: {}", told(text));
        }
        let strange = told("bytes\nroot:x:0");
        assert!(strange.contains("on line 2,") && !strange.contains("root"), "{strange}");
    }
}
