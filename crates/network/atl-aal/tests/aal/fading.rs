//! Cells over a fading channel.

use atl_aal::model::{cell_errors_over_fading, cell_success, mean_snr_from_cell_errors};
use atl_core::model::fading::{Modulation, Rayleigh, Snr};
use atl_core::units::Probability;

#[test]
fn the_mean_over_fading_is_that_of_eq_8_and_has_an_inverse() {
    for modulation in Modulation::ALL {
        for db in [5.0, 20.0, 40.0] {
            let mean = Snr::from_db(db);
            let errors = cell_errors_over_fading(modulation, mean).get();
            // By a million quantiles of the fading distribution, accurate to one of them.
            let quantiles = 1_000_000;
            let sum: f64 = (0..quantiles)
                .map(|i| -f64::ln_1p(-(f64::from(i) + 0.5) / f64::from(quantiles)))
                .map(|x| modulation.bit_errors(Snr::from_ratio(x * mean.ratio())))
                .map(|p| 1.0 - cell_success(p).get())
                .sum();
            let by_quantiles = sum / f64::from(quantiles);
            assert!((errors / by_quantiles - 1.0).abs() < 1e-3, "{errors} and {by_quantiles}");
            // Header correction saves some of the cells with a wrong bit.
            let any = Rayleigh { mean_snr: mean, doppler: 1.0 }.block_errors(modulation, 424).get();
            assert!(errors < any && errors > 0.95 * any, "{errors} of {any}");
            let back = mean_snr_from_cell_errors(modulation, Probability::clamped(errors));
            let back = back.expect("some ratio gives it");
            assert!((back.db() - db).abs() < 1e-7, "{back:?} for {db} dB");
        }
        assert_eq!(cell_errors_over_fading(modulation, Snr::ZERO), Probability::ONE);
        assert_eq!(mean_snr_from_cell_errors(modulation, Probability::ZERO), None);
        assert_eq!(mean_snr_from_cell_errors(modulation, Probability::ONE), None);
    }
}
