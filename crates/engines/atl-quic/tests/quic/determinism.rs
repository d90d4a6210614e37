//! The same setup and seed give the same result and the same bytes.

use std::io;
use std::sync::{Arc, Mutex};
use std::thread;

use atl_engine::result::RunResult;
use atl_quic::{Crypto, Options};

use crate::support::{path, run, run_with};

/// A log that outlives the run.
#[derive(Clone, Default)]
pub(crate) struct Kept(Arc<Mutex<Vec<u8>>>);

impl Kept {
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("no panic").clone()).expect("qlog is text")
    }
}

impl io::Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no panic").extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A result, and the qlog, which has the time, number and frames of each packet.
fn logged(protocol: &str, seed: u64) -> (RunResult, String) {
    let kept = Kept::default();
    let log = |_| Some(Box::new(kept.clone()) as atl_quic::Log);
    let result = run_with(&path(protocol, 5e-3, 6), seed, &Options::default().qlog(&log));
    (result, kept.text())
}

#[test]
fn runs_are_the_same_alone_and_beside_others() {
    for protocol in ["\"tcp-atl\"", "\"noq-cubic\"", "\"tcp-atl-robust\""] {
        let alone = logged(protocol, 7);
        let beside = thread::scope(|scope| {
            let runs: Vec<_> =
                [7, 8, 7].map(|seed| scope.spawn(move || logged(protocol, seed))).into();
            runs.into_iter().map(|run| run.join().expect("it runs")).collect::<Vec<_>>()
        });
        assert!(beside[0] == alone && beside[2] == alone, "{protocol}");
        assert!(beside[1] != alone, "another seed, {protocol}");
    }
}

#[test]
fn a_qlog_counts_time_from_the_beginning_of_the_run() {
    let (_, log) = logged("\"tcp-atl\"", 1);
    let times: Vec<f64> = log
        .split("\"time\":")
        .skip(1)
        .filter_map(|rest| rest.split([',', '}']).next()?.parse().ok())
        .collect();
    assert!(times.len() > 1000, "{}", times.len());
    assert!(times[0] == 0.0 && times.is_sorted(), "{:?}", &times[..5]);
    // In milliseconds. The run lasts 6 s.
    let last = times.last().expect("some");
    assert!((5900.0..=6000.0).contains(last), "{last}");
}

#[test]
fn tls_has_the_same_results_in_each_run_and_close_to_those_without() {
    let setup = path("\"tcp-atl\"", 5e-3, 6);
    let tls = || run_with(&setup, 1, &Options::default().crypto(Crypto::Tls));
    let first = tls();
    assert_eq!(first, tls());
    let null = run(&setup, 1);
    let rate = |result: &RunResult| result.flows[0].goodput_bps;
    // The longer handshake shifts which packets are lost.
    assert!((rate(&first) / rate(&null) - 1.0).abs() < 0.15, "{} {}", rate(&first), rate(&null));
}
