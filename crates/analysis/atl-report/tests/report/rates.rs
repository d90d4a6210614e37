//! Rates, jitter and live media, from results and samples with known values.

use crate::support::{Builder, first_run, flow, flow_setup, run, sample};
use atl_core::rate::aimd;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_engine::protocol::{Protocol, Transport};
use atl_engine::result::{MediaResult, RunResult, Sample};
use atl_engine::setup::{EncoderRates, FlowSetup, Media, Setup, Source};
use atl_report::metric::of_run;
use atl_report::rate::changes_per_s;
use atl_report::{Outcome, html, table};
use atl_scenario::metric::sending_rate_bps;
use atl_scenario::scenario::{During, Figure, FigureKind, Measure, Metric, Trace};

fn paces(flow: &mut FlowSetup) {
    flow.protocol = Protocol {
        new_path: atl_engine::protocol::NewPath::default(),
        name: "aimd-rate".to_owned(),
        label: "AIMD rate".to_owned(),
        transport: Transport::Paced(aimd::Config::default().into()),
    };
}

fn shows_media(flow: &mut FlowSetup) {
    paces(flow);
    flow.source = Source::Media(Media {
        frames_per_second: 30.0,
        rates: EncoderRates::Ladder([Rate::from_mbps(1.0)].into()),
        reaction: Span::ZERO,
        playout: Span::ZERO,
    });
}

fn paced(time_s: f64, flow: u32, mbps: f64) -> Sample {
    Sample {
        cwnd: None,
        cwnd_beside: None,
        ssthresh: None,
        rate_bps: Some(mbps * 1e6),
        encoder_bps: Some(mbps * 0.5e6),
        jitter_s: Some(time_s * 1e-3),
        ..sample(time_s, flow, 0.0, 0.0)
    }
}

/// A flow of live media beside a TCP flow, sampled every second for 10 s.
fn outcome() -> Outcome {
    let result = RunResult { samples: samples(), ..run(&[1.0, 2.0]) };
    Builder::new(1, &[])
        .point(&[], &[("video", "x"), ("file", "sack")], |_| {
            let mut result = result.clone();
            let video = &mut result.flows[0];
            (video.jitter_s, video.gap_jitter_s) = (Some(3e-3), Some(7e-3));
            video.media = Some(MediaResult {
                frames: 1000,
                late: 50,
                incomplete: 20,
                stalls: 3,
                stalled_s: 6.0,
                encoder_bps: 0.8e6,
            });
            result
        })
        .setup(|setup| {
            shows_media(&mut setup.flows[0]);
            setup.duration = Span::from_secs(10);
        })
        .done()
}

fn samples() -> Vec<Sample> {
    let mbps = [1.0, 1.05, 1.1, 1.11, 1.0, 0.5, 0.5, 0.54, 0.56, 0.5];
    let both = |(i, mbps): (usize, &f64)| {
        let time = (i + 1) as f64;
        // 10 packets of 1040 bytes in 80 ms give 1.04 Mb/s; half of it from the sixth second on.
        let cwnd = if i < 5 { 10.0 } else { 5.0 };
        [paced(time, 0, *mbps), sample(time, 1, cwnd, 0.0)]
    };
    mbps.iter().enumerate().flat_map(both).collect()
}

fn point(outcome: &Outcome) -> (&Setup, RunResult) {
    (&outcome.scenario.points[0].setup, first_run(outcome))
}

fn near(found: Option<f64>, expected: f64) {
    assert!(found.is_some_and(|f| (f - expected).abs() < 1e-12), "{found:?}, not {expected}");
}

#[test]
fn media_metrics_are_shares_of_frames_and_of_time() {
    let outcome = outcome();
    let (setup, run) = point(&outcome);
    let of = |metric: Metric, flow: usize| of_run(metric, setup, &run, Some(&[flow]));
    near(of(Metric::LateFrames, 0), 0.05);
    near(of(Metric::IncompleteFrames, 0), 0.02);
    near(of(Metric::Stalled, 0), 0.01);
    near(of(Metric::EncoderRate, 0), 0.8e6);
    near(of(Metric::Jitter, 0), 3e-3);
    near(of(Metric::GapJitter, 0), 7e-3);
    for metric in [Metric::LateFrames, Metric::Stalled, Metric::EncoderRate, Metric::Jitter] {
        assert_eq!(of(metric, 1), None, "{}", metric.name());
        // Rates are left out: a total is over the measured interval, which is shorter than these
        // flows' active time.
        if metric != Metric::EncoderRate {
            near(of_run(metric, setup, &run, None), of(metric, 0).expect("the only one"));
        }
    }
}

#[test]
fn media_metrics_need_frames_that_were_due() {
    let mut result = run(&[1.0]);
    result.flows[0].media = Some(MediaResult::default());
    result.flows[0].active_s = 0.0;
    let outcome = Builder::new(1, &[]).point(&[], &[("video", "x")], |_| result.clone()).done();
    let (setup, run) = point(&outcome);
    for metric in [Metric::LateFrames, Metric::IncompleteFrames, Metric::Stalled] {
        assert_eq!(of_run(metric, setup, &run, None), None, "{}", metric.name());
    }
}

#[test]
fn a_rate_changes_by_a_tenth_since_its_last_change() {
    let outcome = outcome();
    let (setup, run) = point(&outcome);
    let of = |metric: Metric, flow: usize| of_run(metric, setup, &run, Some(&[flow]));
    // Starting from 1 Mb/s, 1.11 is a change, and 1.0 differs from that by less than a tenth; then
    // 0.5, 0.56 and 0.5 are changes.
    near(of(Metric::RateChanges, 0), 4.0 / 9.0);
    near(of(Metric::RateChanges, 1), 1.0 / 9.0);
    let part = |from: u64, to: u64| {
        let during = During { from: Time::from_millis(from), to: Time::from_millis(to) };
        let measure = Measure { metric: Metric::RateChanges, during: Some(during) };
        of_run(measure, setup, &run, Some(&[0]))
    };
    near(part(4000, 6000), 0.5);
    near(part(6000, 8000), 0.0);
    // The first sample is at 1 s.
    near(part(0, 4000), 1.0 / 3.0);
}

#[test]
fn the_rate_of_a_window_is_the_window_per_srtt() {
    let window = flow_setup("file", "file", "sack");
    near(sending_rate_bps(&window, &sample(1.0, 0, 10.0, 0.0)), 10.0 * 1040.0 * 8.0 / 0.08);
    near(sending_rate_bps(&window, &paced(1.0, 0, 2.5)), 2.5e6);
    let no_rtt = Sample { srtt_s: None, ..sample(1.0, 0, 10.0, 0.0) };
    assert_eq!(sending_rate_bps(&window, &no_rtt), None);
    // There is no rate before the first RTT sample.
    let samples = [no_rtt, sample(2.0, 0, 4.0, 0.0), sample(4.0, 0, 8.0, 0.0)];
    near(changes_per_s(&window, samples.iter()), 0.5);
    assert_eq!(changes_per_s(&window, samples[..2].iter()), None);
}

#[test]
fn a_completed_flow_changes_its_rate_no_more() {
    let mut result = RunResult { samples: samples(), ..run(&[1.0, 2.0]) };
    result.flows[1].completion_s = Some(5.0);
    let outcome = Builder::new(1, &[])
        .point(&[], &[("video", "x"), ("file", "sack")], |_| result.clone())
        .done();
    let (setup, run) = point(&outcome);
    near(of_run(Metric::RateChanges, setup, &run, Some(&[1])), 0.0);
}

#[test]
fn the_encoder_rate_over_a_part_is_the_mean_of_its_samples() {
    let outcome = outcome();
    let (setup, run) = point(&outcome);
    let during = During { from: Time::from_millis(4000), to: Time::from_millis(6000) };
    let measure = Measure { metric: Metric::EncoderRate, during: Some(during) };
    near(of_run(measure, setup, &run, Some(&[0])), 0.375e6);
    assert_eq!(of_run(measure, setup, &run, Some(&[1])), None);
}

#[test]
fn curves_over_time_show_the_samples() {
    for (trace, title, flow, third) in [
        (Trace::Rate, "sending rate (Mb/s)", "video0", 1.1),
        (Trace::Rate, "sending rate (Mb/s)", "file1", 1.04),
        (Trace::Encoder, "encoder's rate (Mb/s)", "video0", 0.55),
        (Trace::Jitter, "jitter (ms)", "video0", 3.0),
    ] {
        let mut outcome = outcome();
        let scenario = std::sync::Arc::make_mut(&mut outcome.scenario);
        let kind = FigureKind::Time {
            y: trace,
            series: "flow".to_owned(),
            at: Default::default(),
            of: Vec::new(),
        };
        scenario.figures = vec![Figure { title: "f".to_owned(), caption: String::new(), kind }];
        let chart = chart(&outcome);
        assert_eq!(chart["y"]["label"], title);
        let curves = chart["curves"].as_array().expect("curves");
        let curve = curves.iter().find(|c| c["name"] == flow).expect("its curve");
        near(curve["y"][2].as_f64(), third);
    }
}

fn chart(outcome: &Outcome) -> serde_json::Value {
    let page = html::page(std::slice::from_ref(outcome), &[]);
    let start = page.find("id=\"charts\">").expect("charts") + "id=\"charts\">".len();
    let json = &page[start..][..page[start..].find("</script>").expect("their end")];
    serde_json::from_str::<serde_json::Value>(json).expect("JSON")[0].clone()
}

#[test]
fn tables_show_the_metrics_that_apply() {
    let titles = |outcome: &Outcome| -> Vec<String> {
        table::results(outcome).columns.into_iter().map(|c| c.title).collect()
    };
    let has = |titles: &[String], title: &str| titles.iter().any(|t| t == title);
    let mixed = titles(&outcome());
    for title in ["retrans. (%)", "jitter (ms)", "encoder (Mb/s)", "late (%)", "stalled (%)"] {
        assert!(has(&mixed, title), "{title}: {mixed:?}");
    }
    let alone = Builder::new(1, &[])
        .point(&[], &[("data", "x")], |_| RunResult { flows: vec![flow(1.0)], ..run(&[]) })
        .setup(|setup| paces(&mut setup.flows[0]))
        .done();
    let alone = titles(&alone);
    assert!(has(&alone, "jitter (ms)"), "{alone:?}");
    assert!(!has(&alone, "retrans. (%)") && !has(&alone, "late (%)"), "{alone:?}");
    let tcp = Builder::new(1, &[]).point(&[], &[("data", "x")], |_| run(&[1.0])).done();
    assert!(!has(&titles(&tcp), "jitter (ms)"));
}

#[test]
fn offered_load_is_a_rate_and_normalized_throughput_a_ratio() {
    let outcome = Builder::new(1, &["x"])
        .point(&[("x", "1")], &[("a", "sack"), ("b", "sack"), ("greedy", "sack")], |_| {
            let mut run = run(&[0.9, 1.0, 3.0]);
            for (flow, mbps, delay) in [(0, 1.0, 0.5), (1, 2.0, 1.5)] {
                run.flows[flow].offered_bps = Some(mbps * 1e6);
                run.flows[flow].delay_s = Some(delay);
            }
            run
        })
        .done();
    let (setup, run) = point(&outcome);
    let of = |metric, flows: Option<&[usize]>| of_run(metric, setup, &run, flows);
    // The sum over all flows, or the mean over the named ones; greedy flows have none.
    near(of(Metric::Offered, None), 3e6);
    near(of(Metric::Offered, Some(&[0, 1])), 1.5e6);
    near(of(Metric::NormalizedThroughput, Some(&[0])), 0.9);
    near(of(Metric::NormalizedThroughput, None), 0.7);
    near(of(Metric::Delay, None), 1.0);
    for metric in [Metric::Offered, Metric::NormalizedThroughput, Metric::Delay] {
        assert_eq!(of(metric, Some(&[2])), None, "{metric:?}");
    }
}
