//! Distributions of the sizes of flows.

/// A distribution of sizes with its mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowSizes {
    /// Mean in bytes.
    pub mean: f64,
    /// Form of the distribution.
    pub shape: SizeShape,
}

/// The form of a distribution of sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SizeShape {
    /// P(size > x) falls as x to the power of minus this, which is above 1: few flows have most of
    /// the bytes.
    Pareto(f64),
    /// The natural logarithm is normal with this standard deviation, at least 0.
    Lognormal(f64),
}

impl FlowSizes {
    /// The size, in whole bytes and at least 1, that this share of flows does not exceed; `share`
    /// is above 0 and below 1.
    pub fn quantile(&self, share: f64) -> u64 {
        let size = match self.shape {
            // Mean: least * tail / (tail - 1).
            SizeShape::Pareto(tail) => {
                let least = self.mean * (tail - 1.0) / tail;
                least * libm::pow(1.0 - share, -1.0 / tail)
            }
            // Mean: median * exp(sigma^2 / 2).
            SizeShape::Lognormal(sigma) => {
                self.mean * libm::exp(sigma * normal(share) - sigma * sigma / 2.0)
            }
        };
        // Sizes of flows in files have the same upper limit.
        size.round().clamp(1.0, 1e15) as u64
    }
}

/// The quantile of the standard normal distribution, by bisection of its distribution function, to
/// 1e-12.
fn normal(share: f64) -> f64 {
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..45 {
        let middle = (low + high) / 2.0;
        if 0.5 * libm::erfc(-middle / core::f64::consts::SQRT_2) < share {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_tables() {
        for (share, expected) in
            [(0.5, 0.0), (0.975, 1.959_964), (0.841_344_746, 1.0), (0.001, -3.090_232)]
        {
            assert!((normal(share) - expected).abs() < 1e-6, "{share}");
        }
        let pareto = FlowSizes { mean: 30_000.0, shape: SizeShape::Pareto(1.5) };
        // The least is 10 000; a thousandth is above 100 times that.
        assert_eq!(pareto.quantile(0.0), 10_000);
        assert_eq!(pareto.quantile(0.999), 1_000_000);
        let lognormal = FlowSizes { mean: 30_000.0, shape: SizeShape::Lognormal(1.0) };
        assert_eq!(lognormal.quantile(0.5), 18_196, "30 000 / sqrt(e)");
    }

    #[test]
    fn the_mean_of_the_quantiles_is_that_of_the_file() {
        let n = 100_000;
        let mean = |sizes: FlowSizes| {
            let all = (0..n).map(|i| sizes.quantile((f64::from(i) + 0.5) / f64::from(n)) as f64);
            all.sum::<f64>() / f64::from(n)
        };
        let lognormal = mean(FlowSizes { mean: 50_000.0, shape: SizeShape::Lognormal(1.5) });
        assert!((lognormal / 50_000.0 - 1.0).abs() < 0.01, "{lognormal}");
        // A hundredth of the bytes is in flows rarer than one in a hundred thousand.
        let pareto = mean(FlowSizes { mean: 50_000.0, shape: SizeShape::Pareto(1.5) });
        assert!((0.9..1.0).contains(&(pareto / 50_000.0)), "{pareto}");
    }
}
