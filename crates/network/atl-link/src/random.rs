//! Named random streams. Each (seed, element) pair has its own, so adding an element does not
//! change what another draws, and a seed gives the same numbers on every machine.

/// A random number generator: xoshiro256++ (Blackman, Vigna 2019), seeded by SplitMix64 from the
/// run's seed and the element's name.
#[derive(Clone, Debug)]
pub struct Stream {
    state: [u64; 4],
}

fn splitmix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mix(*state)
}

/// Mixes the bits of a number: a hash of it (SplitMix64's finalizer).
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Stream {
    /// The stream of the element `name` in the run with seed `seed`.
    pub fn new(seed: u64, name: &str) -> Self {
        // FNV-1a over the name, mixed with the seed: different names give unrelated streams.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in name.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        let mut mixed = seed;
        let mut state = splitmix(&mut mixed) ^ hash;
        Stream { state: core::array::from_fn(|_| splitmix(&mut state)) }
    }

    /// The stream of a part of this element. It depends on `name` and on what was drawn so far, and
    /// draws nothing: the element's own numbers stay as they are.
    #[must_use]
    pub fn part(&self, name: &str) -> Self {
        let mut seed = 0;
        for word in self.state {
            seed ^= word;
            seed = splitmix(&mut seed);
        }
        Stream::new(seed, name)
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// Uniform in [0, 1), with 53 random bits.
    #[inline]
    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// True with probability `p`.
    #[inline]
    pub fn chance(&mut self, p: f64) -> bool {
        self.uniform() < p
    }

    /// Uniform in [0, bound); 0 for a bound of 0.
    #[inline]
    pub fn below(&mut self, bound: u64) -> u64 {
        // Multiply-shift (Lemire 2019), with a bias below bound / 2^64.
        ((u128::from(self.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// Exponentially distributed with mean `mean`.
    pub fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(1.0 - self.uniform())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splitmix64_gives_its_known_sequence() {
        let mut state = 1_234_567;
        let first: [u64; 5] = core::array::from_fn(|_| splitmix(&mut state));
        assert_eq!(
            first,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn xoshiro256_plus_plus_gives_its_known_sequence() {
        let mut stream = Stream { state: [1, 2, 3, 4] };
        let first: [u64; 10] = core::array::from_fn(|_| stream.next_u64());
        assert_eq!(
            first,
            [
                41_943_041,
                58_720_359,
                3_588_806_011_781_223,
                3_591_011_842_654_386,
                9_228_616_714_210_784_205,
                9_973_669_472_204_895_162,
                14_011_001_112_246_962_877,
                12_406_186_145_184_390_807,
                15_849_039_046_786_891_736,
                10_450_023_813_501_588_000,
            ]
        );
    }

    /// Correlation of two streams in standard deviations: for independent streams, the mean product
    /// of two centred uniform numbers has a variance of 1/144 per pair.
    fn correlation(mut a: Stream, mut b: Stream) -> f64 {
        let pairs = 100_000;
        let sum: f64 = (0..pairs).map(|_| (a.uniform() - 0.5) * (b.uniform() - 0.5)).sum();
        sum / (f64::from(pairs) / 144.0).sqrt()
    }

    #[test]
    fn streams_with_different_names_or_seeds_are_unrelated() {
        let streams: Vec<Stream> = [(1, "a"), (1, "b"), (1, "ab"), (1, ""), (2, "a"), (0, "a")]
            .into_iter()
            .map(|(seed, name)| Stream::new(seed, name))
            .collect();
        for (i, a) in streams.iter().enumerate() {
            for b in &streams[i + 1..] {
                assert_ne!(a.state, b.state);
                // 15 pairs: one set of seeds in a thousand has a pair beyond 4.
                assert!(correlation(a.clone(), b.clone()).abs() < 4.0);
            }
            assert!(correlation(a.clone(), a.clone()) > 100.0, "the measure detects equal streams");
        }
    }

    #[test]
    fn a_part_draws_from_a_stream_of_its_own() {
        let whole = Stream::new(1, "link/a");
        let queue = whole.part("queue");
        assert_eq!(whole.state, Stream::new(1, "link/a").state, "it draws nothing");
        assert_eq!(queue.state, Stream::new(1, "link/a").part("queue").state);
        for other in [
            whole.clone(),
            whole.part("other"),
            Stream::new(2, "link/a").part("queue"),
            Stream::new(1, "link/b").part("queue"),
        ] {
            assert_ne!(queue.state, other.state);
            // Four pairs: one set of seeds in 4000 has one beyond 4.
            assert!(correlation(queue.clone(), other).abs() < 4.0);
        }
    }

    #[test]
    fn the_same_seed_and_name_give_the_same_numbers() {
        let (mut a, mut b) = (Stream::new(9, "access"), Stream::new(9, "access"));
        assert!((0..100).all(|_| a.next_u64() == b.next_u64()));
    }

    #[test]
    fn numbers_are_uniform_within_their_bounds() {
        let mut stream = Stream::new(1, "bounds");
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            assert!((0.0..1.0).contains(&stream.uniform()));
            counts[stream.below(7) as usize] += 1;
            assert!(stream.exponential(2.0) >= 0.0);
        }
        // Each count is binomial, mean 10 000, standard deviation 92.6; four of those are allowed.
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) <= 370), "{counts:?}");
        assert_eq!(stream.below(0), 0);
        assert_eq!(stream.below(1), 0);
        assert!(!stream.chance(0.0));
        assert!(stream.chance(1.0));
    }

    #[test]
    fn exponential_numbers_have_the_right_mean_and_variance() {
        let mut stream = Stream::new(1, "exponential");
        let (n, mean) = (200_000, 3.0);
        let draws: Vec<f64> = (0..n).map(|_| stream.exponential(mean)).collect();
        let measured = draws.iter().sum::<f64>() / f64::from(n);
        let variance = draws.iter().map(|x| (x - measured).powi(2)).sum::<f64>() / f64::from(n);
        // Standard deviation of the mean: mean / sqrt(n); of the variance (fourth moment 9): mean^2
        // sqrt(8 / n).
        assert!((measured - mean).abs() < 4.0 * mean / f64::from(n).sqrt());
        assert!((variance - mean * mean).abs() < 4.0 * mean * mean * (8.0 / f64::from(n)).sqrt());
    }
}
