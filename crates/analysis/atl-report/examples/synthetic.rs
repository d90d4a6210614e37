//! Writes a page of synthetic outcomes, for work on the design of the page:
//! `cargo run -p atl-report --example synthetic -- page.html [one]`. No number in it was measured.

#[path = "../tests/report/support/mod.rs"]
mod support;

use std::path::PathBuf;
use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_link::{Blackout, Change};
use atl_report::{Outcome, html, judge, store};
use atl_scenario::quote::{Bound, Claim};
use atl_scenario::scenario::{Figure, FigureKind, Metric, Share, Trace};
use support::{Builder, at, run, sample, selection};

const PROTOCOLS: [&str; 7] = ["tcp-atl", "snoop", "westwood", "reno", "newreno", "sack", "cubic"];
const LOSSES: [&str; 6] = ["1e-6", "1e-5", "1e-4", "1e-3", "1e-2", "1e-1"];

fn sweep() -> Outcome {
    let mut builder = Builder::new(5, &["protocol", "p_w"]);
    for (k, protocol) in PROTOCOLS.iter().enumerate() {
        for (i, loss) in LOSSES.iter().enumerate() {
            let fall = 1.0 + (i as f64 / 4.5).powi(4) * (1.0 + k as f64);
            builder = builder.point(
                &[("protocol", protocol), ("p_w", loss)],
                &[("flow", protocol)],
                |seed| {
                    let luck = ((seed * 7 + k * 3 + i) % 5) as f64 / (1.0 + i as f64);
                    run(&[1.92 / fall * (1.0 + 0.04 * luck)])
                },
            );
        }
    }
    let of = |p: &str, l: &str| selection(&[("protocol", p), ("p_w", l)], None);
    let ratio = |over: &str, expect| Claim::Ratio {
        measure: Metric::Goodput.into(),
        of: of("tcp-atl", "1e-2"),
        over: of(over, "1e-2"),
        expect,
        bound: Bound::Equal,
        tolerance: 0.1,
    };
    let sweep = |y, title: &str| Figure {
        title: title.to_owned(),
        caption: "One flow over a wireless link of 2 Mb/s and 10 ms.".to_owned(),
        kind: FigureKind::Sweep {
            x: "p_w".into(),
            x_log: true,
            y,
            series: "protocol".into(),
            at: at(&[]),
            of: Vec::new(),
        },
    };
    builder
        .quote("over-westwood", ratio("westwood", 3.34))
        .quote("over-snoop", ratio("snoop", 1.4))
        .quote("below-reno", ratio("reno", 0.8))
        .quote(
            "above",
            Claim::Above {
                measure: Metric::Goodput.into(),
                of: selection(&[("protocol", "tcp-atl")], None),
                over: selection(&[("protocol", "snoop")], None),
                along: "p_w".into(),
                range: None,
                tolerance: 0.0,
            },
        )
        .quote("bbr", ratio("bbr", 2.0))
        .scenario(|s| {
            s.figures = vec![
                sweep(Metric::Goodput.into(), "Goodput against wireless loss"),
                Figure {
                    title: "Goodput at a loss of 1e-2".into(),
                    caption: "The same at one value.".into(),
                    kind: FigureKind::Sweep {
                        x: "protocol".into(),
                        x_log: false,
                        y: Metric::Goodput.into(),
                        series: "p_w".into(),
                        at: at(&[("p_w", "1e-2")]),
                        of: Vec::new(),
                    },
                },
                Figure {
                    title: "Goodput against throughput".into(),
                    caption: "Each mark is a value of p_w.".into(),
                    kind: FigureKind::Scatter {
                        x: Metric::Throughput.into(),
                        y: Metric::Goodput.into(),
                        series: "protocol".into(),
                        at: at(&[]),
                    },
                },
            ];
        })
        .done()
}

fn roaming() -> Outcome {
    let names = ["tcp-atl", "westwood"];
    let mut builder = Builder::new(3, &["protocol"]);
    for (k, protocol) in names.iter().enumerate() {
        let point = |_| {
            let mut result = run(&[1.8 - 0.3 * k as f64, 1.6]);
            for i in 0..12_000_u32 {
                let t = f64::from(i) * 0.05;
                for flow in 0..2_u32 {
                    let saw = (t * (1.0 + f64::from(flow) * 0.3) + 3.0 * k as f64) % 20.0;
                    let spike = if i == 7000 { 90.0 } else { 0.0 };
                    let level = if (200.0..400.0).contains(&t) { 60.0 } else { 20.0 };
                    result.samples.push(sample(t, flow, level + saw + spike, 1.2e6 + 2e4 * saw));
                }
            }
            result
        };
        builder = builder
            .point(&[("protocol", protocol)], &[("roaming", protocol), ("wired", protocol)], point)
            .setup(|setup| {
                let mut config = (*setup.links[0].config).clone();
                let mut to = config.initial.clone();
                config.initial.name = "WLAN".into();
                to.name = "3G".into();
                config.schedule.push(Change { at: Time::from_millis(200_000), to: to.clone() });
                to.name = "satellite".into();
                config.schedule.push(Change { at: Time::from_millis(400_000), to });
                let blackout = Blackout {
                    at: Time::from_millis(500_000),
                    lasts: Span::from_secs(10),
                    hold: false,
                };
                config.blackouts.push(blackout);
                setup.links[0].config = Arc::new(config);
            });
    }
    let time = |y, series: &str, title: &str, pairs: &[(&str, &str)]| Figure {
        title: title.to_owned(),
        caption: "WLAN, then 3G, then a satellite link; a blackout of 10 s.".to_owned(),
        kind: FigureKind::Time { y, series: series.into(), at: at(pairs), of: Vec::new() },
    };
    let share = |share, title: &str| Figure {
        title: title.to_owned(),
        caption: "Of all that was received since the start.".to_owned(),
        kind: FigureKind::Shares { share, series: Some("protocol".into()), at: at(&[]) },
    };
    builder
        .scenario(|s| {
            s.name = "test/roaming".into();
            s.title = "A source that roams through three networks".into();
            s.figures = vec![
                time(Trace::Cwnd, "flow", "cwnd over time", &[("protocol", "tcp-atl")]),
                time(Trace::Throughput, "protocol", "Throughput over time", &[]),
                share(
                    Share::Ratio { of: vec!["roaming".into()], over: vec!["wired".into()] },
                    "Received by the roaming flow over the wired one",
                ),
                share(Share::Jain { of: Vec::new() }, "Fairness over time"),
            ];
        })
        .quote(
            "value",
            Claim::Value {
                measure: Metric::Goodput.into(),
                of: selection(&[("protocol", "tcp-atl")], Some("roaming")),
                expect: 1.8870e6,
                bound: Bound::Equal,
                tolerance: 0.05,
            },
        )
        .done()
}

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let path = PathBuf::from(args.next().unwrap_or_else(|| "page.html".to_owned()));
    let outcomes = match args.next().as_deref() {
        Some("one") => vec![sweep()],
        Some("plain") => vec![
            support::protocols(&[("reno", &[1.0, 1.1, 1.2]), ("atl", &[1.8, 1.9, 1.85])]).done(),
        ],
        _ => vec![sweep(), roaming()],
    };
    let judged: Vec<_> = outcomes.iter().map(judge).collect();
    store::write_text(&path, &html::page(&outcomes, &judged))
}
