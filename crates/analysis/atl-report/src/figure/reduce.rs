//! Reduction of curves over time to fewer points with the same appearance: buckets of time keep
//! their extremes.

use crate::stats::Estimate;

/// Pairs of time in seconds and value, by increasing time.
pub(super) type Series = Vec<(f64, f64)>;

/// Several series over common times.
pub(super) struct Reduced {
    pub(super) xs: Vec<f64>,
    /// Values of each series; `None` where it has none.
    pub(super) ys: Vec<Vec<Option<f64>>>,
    /// Length of a bucket in seconds; `None` if all points are kept.
    pub(super) bucket_s: Option<f64>,
}

/// Brings series to common times, at most `max` of them; `None` if all are empty.
///
/// If their own times are few enough, nothing changes. Otherwise time is divided into `max / 2`
/// buckets with two times each. A series keeps its minimum and maximum in each bucket, in the order
/// in which they occurred: values stay exact, times are accurate to a bucket.
pub(super) fn together(series: &[&Series], max: usize) -> Option<Reduced> {
    let mut xs: Vec<f64> = series.iter().flat_map(|s| s.iter()).map(|p| p.0).collect();
    xs.sort_by(f64::total_cmp);
    xs.dedup();
    let (first, last) = (*xs.first()?, *xs.last()?);
    if xs.len() <= max.max(2) {
        let ys = series.iter().map(|s| on(&xs, s)).collect();
        return Some(Reduced { xs, ys, bucket_s: None });
    }
    let buckets = (max / 2).max(1);
    let width = (last - first) / buckets as f64;
    let xs = (0..2 * buckets).map(|i| first + width * (0.25 + 0.5 * i as f64)).collect();
    let ys = series.iter().map(|s| extremes(s, first, width, buckets)).collect();
    Some(Reduced { xs, ys, bucket_s: Some(width) })
}

/// Mean over runs at each of the times of [`together`]: of the values themselves, or with buckets
/// of each run's mean over half a bucket. `None` where no run has a value.
pub(super) fn means(runs: &[Series], xs: &[f64], bucket_s: Option<f64>) -> Vec<Option<Estimate>> {
    let each: Vec<Vec<Option<f64>>> = match bucket_s {
        None => runs.iter().map(|run| on(xs, run)).collect(),
        Some(width) => runs.iter().map(|run| averages(run, xs, width / 2.0)).collect(),
    };
    (0..xs.len())
        .map(|i| {
            let values: Vec<f64> = each.iter().filter_map(|run| run[i]).collect();
            Estimate::within(&values, 0.0..=f64::INFINITY)
        })
        .collect()
}

/// Mean of a series over intervals of this width around each of `xs`.
fn averages(series: &Series, xs: &[f64], width: f64) -> Vec<Option<f64>> {
    let mut sums = vec![(0.0, 0_usize); xs.len()];
    let from = xs.first().map_or(0.0, |x| x - width / 2.0);
    for (time, value) in series {
        let place = ((time - from) / width).max(0.0) as usize;
        if let Some(sum) = sums.get_mut(place.min(xs.len().saturating_sub(1))) {
            *sum = (sum.0 + value, sum.1 + 1);
        }
    }
    sums.into_iter().map(|(sum, n)| (n > 0).then(|| sum / n as f64)).collect()
}

/// Values of a series at `xs`, which include all of its times.
fn on(xs: &[f64], series: &Series) -> Vec<Option<f64>> {
    let mut points = series.iter().peekable();
    xs.iter()
        .map(|x| {
            let mut here = None;
            while let Some(point) = points.next_if(|p| p.0 <= *x) {
                here = Some(point.1);
            }
            here
        })
        .collect()
}

fn extremes(series: &Series, first: f64, width: f64, buckets: usize) -> Vec<Option<f64>> {
    let mut ys = vec![None; 2 * buckets];
    let bucket_of = |t: f64| (((t - first) / width) as usize).min(buckets - 1);
    for points in series.chunk_by(|a, b| bucket_of(a.0) == bucket_of(b.0)) {
        let (mut least, mut most) = (0, 0);
        for (i, point) in points.iter().enumerate() {
            if point.1 < points[least].1 {
                least = i;
            }
            if point.1 > points[most].1 {
                most = i;
            }
        }
        let bucket = bucket_of(points[0].0);
        ys[2 * bucket] = Some(points[least.min(most)].1);
        if points.len() > 1 {
            ys[2 * bucket + 1] = Some(points[least.max(most)].1);
        }
    }
    ys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_stay_as_they_are_and_gaps_stay_gaps() {
        let r = together(&[&vec![(0.0, 1.0), (2.0, 3.0)], &vec![(1.0, 5.0)]], 10).expect("points");
        assert_eq!(r.xs, [0.0, 1.0, 2.0]);
        assert_eq!(r.ys, [vec![Some(1.0), None, Some(3.0)], vec![None, Some(5.0), None]]);
        assert!(r.bucket_s.is_none());
        assert!(together(&[&vec![], &vec![]], 10).is_none());
    }

    #[test]
    fn a_single_peak_among_many_points_survives() {
        let mut long: Series = (0..100_000).map(|i| (f64::from(i) * 0.01, 1.0)).collect();
        long[56_789].1 = 99.0;
        long[56_791].1 = -7.0;
        let r = together(&[&long], 1000).expect("points");
        assert_eq!(r.xs.len(), 1000);
        assert!(r.xs.windows(2).all(|w| w[0] < w[1]));
        let at = r.ys[0].iter().position(|y| *y == Some(99.0)).expect("the peak");
        assert_eq!(r.ys[0][at + 1], Some(-7.0), "the dip comes after the peak");
        assert!((r.xs[at] - 567.89).abs() <= r.bucket_s.expect("buckets"));
    }

    #[test]
    fn means_are_over_runs_and_over_half_a_bucket() {
        let runs: Vec<Series> = (1..=5)
            .map(|run| (0..1000).map(|i| (f64::from(i), f64::from(run * (i % 2)))).collect())
            .collect();
        let few = together(&[&runs[0]], 2000).expect("points");
        let at = means(&runs, &few.xs, few.bucket_s)[1].expect("a mean");
        assert!((at.mean - 3.0).abs() < 1e-12 && at.n == 5, "of 1 to 5: {at:?}");
        // Five times, 200 s apart, stand for 200 values each, half of them 0.
        let many = together(&[&runs[0]], 10).expect("points");
        let all = means(&runs, &many.xs, many.bucket_s);
        assert_eq!(all.len(), 10);
        for at in all.into_iter().flatten() {
            assert!((at.mean - 1.5).abs() < 0.05, "{at:?}");
        }
        assert_eq!(means(&[vec![], vec![]], &[0.0, 1.0], None), [None, None]);
    }
}
