//! One scenario on two engines, and the timing accuracy of one in real time.

use atl_engine::result::{Datagrams, EngineId, Lateness};
use atl_report::engines::{EngineComparison, Trust};
use atl_report::summary::Summary;
use atl_report::table::{Cell, legend, results};
use atl_report::{Outcome, html};

use crate::support::{Builder, changed, run};

/// Six seeds with a goodput of `goodput` plus or minus 0.1 on one link, and of 1 on the other.
fn outcome(engine: &str, goodput: f64, wobble: f64) -> Outcome {
    let builder = Builder::new(6, &[]).point(&[], &[("a", "reno"), ("b", "reno")], |seed| {
        let scatter = [0.1, -0.1, 0.05, -0.05, 0.02, -0.02][seed % 6];
        let odd = if seed % 2 == 0 { wobble } else { -wobble };
        run(&[goodput + scatter + odd, 1.0 + odd])
    });
    let engine = EngineId { name: engine.to_owned(), version: "1".to_owned() };
    Outcome { engine, ..builder.done() }
}

fn with_lateness(outcome: Outcome, late: [f64; 6]) -> Outcome {
    changed(outcome, |results| {
        for (run, late_share) in results[0].iter_mut().zip(late) {
            run.lateness = Some(Lateness { p50_s: 60e-6, p90_s: 90e-6, p99_s: 150e-6, late_share });
            run.datagrams = Some(Datagrams { missing: 0, refused: 2 });
        }
    })
}

#[test]
fn what_differs_by_more_than_chance_is_marked_and_held_against_the_seeds() {
    let (sim, udp) = (outcome("sim", 2.0, 0.0), outcome("udp", 1.9, 0.001));
    let compared = EngineComparison::of(&sim, &udp).expect("one scenario, two engines");
    let goodput = |group: &str| {
        let all = compared.differences.iter();
        all.clone().find(|d| d.group == group && d.metric == "goodput_bps").expect("compared")
    };
    // Lower by 0.1 with every seed, plus or minus 0.001: far outside the interval, and about 1.3
    // times the variation over seeds.
    let a = goodput("a");
    assert!(a.outside && (a.difference.mean + 1e5).abs() < 1.0, "{a:?}");
    let times = a.difference.mean.abs() / a.seeds_deviation.expect("six seeds");
    assert!((1.2..1.5).contains(&times), "{times}");
    assert!((a.ratio.expect("not zero").mean - 0.95).abs() < 1e-6);
    let b = goodput("b");
    assert!(!b.outside && b.seeds_deviation == Some(0.0), "{b:?}");
    let words = compared.words();
    let table = compared.table();
    let place =
        table.columns.iter().position(|c| c.title == "in SDs of the seeds").expect("a column");
    let shown: Vec<&Cell> = table.rows.iter().map(|row| &row[place]).collect();
    let Cell::Text(first) = shown[0] else { panic!("{shown:?}") };
    assert!((1.2..1.5).contains(&first.parse::<f64>().expect("a number")), "{first}");
    // Throughput and goodput of `a` differ; all else is equal or within its interval.
    assert!(words.starts_with("`udp` against `sim`, paired by seed. 2 of "), "{words}");
    let page = html::page(&[sim.clone(), udp], &[Vec::new(), Vec::new()]);
    // Heading and table label, in the second engine's section only.
    assert_eq!(page.matches("Engines compared").count(), 2);
    assert!(EngineComparison::of(&sim, &sim).is_none(), "the same engine");
    let mut other = outcome("udp", 2.0, 0.0);
    std::sync::Arc::make_mut(&mut other.scenario).hash = "11".repeat(32);
    assert!(EngineComparison::of(&sim, &other).is_none(), "another scenario");
}

#[test]
fn few_seeds_mark_nothing() {
    let few = |outcome| changed(outcome, |results| results[0].truncate(3));
    let (sim, udp) = (few(outcome("sim", 2.0, 0.0)), few(outcome("udp", 1.0, 0.0)));
    let compared = EngineComparison::of(&sim, &udp).expect("two engines");
    assert!(compared.differences.iter().all(|d| !d.outside));
    assert!(compared.words().contains("Fewer than 5 seeds"), "{}", compared.words());
    let titles: Vec<String> = compared.table().columns.into_iter().map(|c| c.title).collect();
    assert_eq!(titles.last().map(String::as_str), Some("ratio"), "{titles:?}");
    let page = html::page(&[sim, udp], &[Vec::new(), Vec::new()]);
    assert!(!page.contains("no quotes") && !page.contains(">?<"));
}

#[test]
fn a_run_that_was_late_is_not_to_be_trusted_anywhere() {
    let kept = with_lateness(outcome("udp", 2.0, 0.0), [0.0, 0.01, 0.0, 0.0, 0.002, 0.0]);
    let late = with_lateness(outcome("udp", 2.0, 0.0), [0.0, 0.0101, 0.3, 0.0, 0.0, 0.0]);
    let trust = Trust::of(&kept).expect("real time");
    assert!(trust.trusted && trust.refused_datagrams == 12, "{trust:?}");
    assert!(!trust.words().contains("TRUSTED") && trust.words().contains("60"), "{trust:?}");
    let trust = Trust::of(&late).expect("real time");
    assert_eq!((trust.trusted, trust.late_runs, trust.runs), (false, 2, 6));
    let mark = "NOT TO BE TRUSTED: in 2 of 6 runs more than 1";
    let legend = legend(&late, &results(&late));
    assert!(legend[0].starts_with(mark), "{legend:?}");
    assert!(html::page(std::slice::from_ref(&late), &[Vec::new()]).contains(mark));
    let json = Summary::new(&late, &[]).json().expect("JSON");
    assert!(json.contains("\"trusted\": false") && json.contains("\"worst_late_share\": 0.3"));
    // In virtual time nothing is late, so there is no remark.
    let sim = outcome("sim", 2.0, 0.0);
    assert_eq!(Trust::of(&sim), None);
    assert!(!Summary::new(&sim, &[]).json().expect("JSON").contains("real_time"));
}
