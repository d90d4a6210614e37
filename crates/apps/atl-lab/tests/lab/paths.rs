//! Paths that hurt controllers of libraries: the findings of docs/protocols/paths.md still hold.

use atl_lab::{metric, scenario_text};

/// 4 Mb/s whose round trip grows from 20 to 180 ms after 2 s; measured from 20 to 30 s.
const LONGER: &str = include_str!("paths/quinn-bbr-longer.toml");

/// 2.8 Mb/s whose round trip grows from 160 to 812 ms at 10 s, and whose rate to 10 Mb/s; measured
/// from 20 to 30 s. A search found it.
const LONGER_AND_FASTER: &str = include_str!("paths/s2n-bbr2-longer-and-faster.toml");

const WIDE: &str = "the BBR of quinn 0.11 begins with 200 datagrams";

/// In quinn 0.11 a least round trip that has expired is replaced by the least of the connection's
/// life, so that the window stays at twice the bandwidth times the old round trip: two ninths of
/// the path, 0.89 Mb/s.
#[test]
fn bbr_of_quinn_never_learns_that_its_path_is_longer() {
    use quinn_proto::congestion::{BbrConfig, CubicConfig};
    let longer = || scenario_text("longer", LONGER);
    let stuck = metric("goodput").at_least("0.7Mb/s").at_most("1.1Mb/s");
    let bbr = longer().with_quinn(BbrConfig::default()).known("initial-window", WIDE);
    bbr.expect(stuck).run();
    longer().with_quinn(CubicConfig::default()).expect(metric("goodput").at_least("3.5Mb/s")).run();
}

/// BBRv2 of s2n-quic and noq's CUBIC fill it, so the path is not to blame.
#[test]
fn others_fill_the_longer_path() {
    use s2n_quic_core::recovery::bbr::Endpoint;
    let fills = || metric("goodput").at_least("3.5Mb/s");
    let longer = || scenario_text("longer", LONGER);
    longer().with_s2n(Endpoint::default()).expect(fills()).run();
    longer().with(noq_proto::congestion::CubicConfig::default()).expect(fills()).run();
}

/// BBRv2 of s2n-quic uses a fifth of it for ten seconds and more, and all of it after one or two
/// minutes; its CUBIC, seven tenths at once.
#[test]
fn bbr2_of_s2n_is_slow_to_use_a_path_that_became_longer_and_faster() {
    use s2n_quic_core::recovery::{bbr, cubic};
    let path = || scenario_text("longer and faster", LONGER_AND_FASTER);
    let slow = metric("goodput").at_least("0.5Mb/s").at_most("3Mb/s");
    let own = "it follows its estimate of the bandwidth, also while losses are repaired";
    let bbr = path().with_s2n(bbr::Endpoint::default());
    let bbr = bbr.known("growth-in-recovery", own).known("slow-start-after-loss", own);
    bbr.expect(slow).run();
    let used = metric("goodput").at_least("6Mb/s");
    path().with_s2n(cubic::Endpoint::default()).expect(used).run();
}
