//! Real packets through the emulator on loopback, and the statistics of what its captures hold.
//! Nothing here depends on how late this machine is.

use atl_core::time::{Span, Time};
use atl_engine::Watch;
use atl_equivalence::battery::Case;
use atl_equivalence::emulated::{Options, run};
use atl_equivalence::judge::{Verdict, judge};
use atl_equivalence::measure::{What, differing, measures};
use atl_equivalence::observation::{Fate, Observation};
use atl_equivalence::simulated;
use atl_link::Config;

use crate::{ALPHA, pool};

const OPTIONS: Options = Options { real_time: false, spin: Span::ZERO };
const LASTS: Span = Span::from_secs(1);

/// The observation from a run's captures, and the simulator's with the times at which probes really
/// entered.
fn captured(name: &str, lasts: Span) -> (&'static Case, Config, Observation, Observation) {
    let case = Case::named(name).expect("a case");
    let link = case.link().expect("a link");
    let found = run(case, &link, 1, lasts, OPTIONS, &Watch::unwatched()).expect("sockets");
    assert_eq!(found.timekeeping.missing, 0, "no probe vanishes");
    let replayed = simulated::replay(&link, 1, &found.observation);
    let (other, compared) = differing(&found.observation, &replayed);
    assert_eq!(
        other, 0,
        "of {compared} packets: the same link does the same with the same entries"
    );
    assert_eq!(compared as usize, found.observation.probes.len());
    (case, link.config.as_ref().clone(), found.observation, replayed)
}

#[test]
fn losses_are_those_of_the_loss_process() {
    let (case, config, observed, _) = captured("loss-states", LASTS);
    let link = case.link().expect("a link");
    let planned = simulated::run(case, &link, 1, LASTS);
    assert_eq!(differing(&observed, &planned).0, 0, "draws are per packet, whenever it comes");
    let measures = measures(&config, &pool(case, LASTS), &observed, None);
    let losses = [What::Lost, What::LossCounts, What::RunLength, What::Runs];
    let judged: Vec<Verdict> = measures
        .iter()
        .filter(|measure| losses.contains(&measure.what))
        .map(|measure| judge(measure, ALPHA))
        .collect();
    assert_eq!(judged.len(), losses.len());
    assert!(!judged.contains(&Verdict::Different), "{judged:?}");
    // Sooner than the link allows is impossible, however this machine keeps time.
    let least = observed.probes.iter().filter_map(|probe| probe.delay_nanos()).min();
    assert!(least.is_some_and(|least| least >= 10_000_000), "{least:?} ns");
}

#[test]
fn the_rate_is_that_of_the_link() {
    const DELAY: Span = Span::from_millis(10);
    // 1000 bytes at 20 Mb/s.
    const PACKET_TIME: Span = Span::from_micros(400);
    let (case, config, observed, replayed) = captured("rate-20", LASTS);
    let pool = pool(case, LASTS);
    let rate = |run: &Observation| {
        let found = measures(&config, &pool, run, None);
        found.into_iter().find(|measure| measure.what == What::Rate).expect("a rate")
    };
    // The link determines when packets that waited are due. Where its queue ran empty, this
    // machine had stopped the sender; this machine determines, too, when packets really leave.
    let due = replayed.probes.iter().filter_map(|probe| match probe.fate {
        Fate::Arrived(at) => Some((probe.entered, at)),
        _ => None,
    });
    let due: Vec<(Time, Time)> = due.collect();
    let waited = |before: Time, entered: Time| entered + DELAY < before;
    let gaps = due.windows(2).filter(|pair| waited(pair[0].1, pair[1].0));
    let gaps: Vec<Span> = gaps.map(|pair| pair[1].1.since(pair[0].1)).collect();
    assert!(gaps.len() > 500, "{} of {} packets waited", gaps.len(), due.len());
    assert!(gaps.iter().all(|gap| *gap == PACKET_TIME), "{gaps:?}");
    assert!(rate(&replayed).observed <= 20e6 * (1.0 + 1e-9), "{:?}", rate(&replayed));
    assert!(rate(&observed).observed > 1e6);
    let late = observed.probes.iter().zip(&replayed.probes);
    let late = late.filter_map(|(real, due)| Some(real.delay_nanos()? - due.delay_nanos()?));
    assert!(late.into_iter().all(|late| late >= 0), "none left before it was due");
}
