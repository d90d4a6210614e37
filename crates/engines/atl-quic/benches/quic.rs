//! Data packets per second of processor time: QUIC in virtual time over 20 Mb/s, 50 ms each way, a
//! loss of 0.1 %.
//!
//! An element is a data packet. `cargo bench -p atl-quic`; under valgrind: `-- --profile-time 1`.

use std::path::Path;

use atl_engine::Watch;
use atl_engine::setup::Setup;
use atl_quic::{Crypto, Options, run};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

fn setup(protocol: &str) -> Setup {
    let text = format!(
        r#"
title = "A path"
duration = "30s"
[[link]]
name = "air"
from = "phone"
to = "server"
wireless = true
rate = "20Mb/s"
delay = "50ms"
loss = 1e-3
queue = 170
reverse = {{ loss = 0 }}
[[flow]]
name = "up"
from = "phone"
to = "server"
protocol = "{protocol}"
tcp = {{ delayed-ack = "25ms" }}
"#
    );
    let scenario = atl_scenario::parse(
        "bench",
        &text,
        Path::new("b"),
        &atl_scenario::no_files,
        &Default::default(),
    );
    scenario.expect("a valid scenario").points.remove(0).setup
}

fn datagrams(c: &mut Criterion) {
    let mut group = c.benchmark_group("datagrams");
    group.sample_size(10);
    for (name, crypto) in [("null", Crypto::Null), ("tls", Crypto::Tls)] {
        for protocol in ["tcp-atl", "noq-cubic"] {
            let setup = setup(protocol);
            let options = Options::default().crypto(crypto);
            let go = || run(&setup, 1, &options, &Watch::unwatched()).expect("it runs");
            group.throughput(Throughput::Elements(go().flows[0].sent));
            group.bench_function(format!("{protocol}/{name}"), |b| b.iter(go));
        }
    }
    group.finish();
}

criterion_group!(benches, datagrams);
criterion_main!(benches);
