//! Encoding and decoding, with SAR and the header check. Target: 10 Gb/s (1.16 GiB/s) of payload
//! per core. Results are in docs/performance.md.

use atl_aal::aal5;
use atl_aal::aalt::s_arq::{Receiver, ReceiverConfig, Sender, SenderConfig};
use atl_aal::aalt::{Connection, SequenceNumber, cp_arq};
use atl_aal::cell::HecReceiver;
use atl_aal::sar::{Reassembled, Reassembler, segment};
use atl_core::time::{Span, Time};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

fn pdus(c: &mut Criterion) {
    let mut group = c.benchmark_group("pdu");
    for octets in [40, 236, 716, 1500, 9180] {
        let sdu = vec![0x5A; octets];
        let mut pdu = Vec::new();
        group.throughput(Throughput::Bytes(octets as u64));
        group.bench_function(BenchmarkId::new("aal5", octets), |b| {
            b.iter(|| {
                aal5::encode(black_box(&sdu), 0, &mut pdu).expect("short enough");
                aal5::decode(black_box(&pdu)).expect("intact").sdu.len()
            });
        });
    }
    for octets in [44, 92, 140, 236, 716, 9180] {
        let piece = vec![0x5A; octets];
        let mut pdu = Vec::new();
        group.throughput(Throughput::Bytes(octets as u64));
        group.bench_function(BenchmarkId::new("cp_arq", octets), |b| {
            b.iter(|| {
                let number = SequenceNumber(1);
                cp_arq::encode(number, black_box(&piece), Connection(7), &mut pdu);
                cp_arq::decode(black_box(&pdu), Connection(7)).expect("intact").payload.len()
            });
        });
    }
    group.finish();
}

/// A line from PDU to PDU: segmentation, header check, reassembly.
struct Line {
    hec: HecReceiver,
    reassembler: Reassembler,
}

impl Line {
    fn new() -> Self {
        Line { hec: HecReceiver::new(), reassembler: Reassembler::new(aal5::MAX_PDU_OCTETS) }
    }

    fn carry(&mut self, pdu: &[u8], decode: impl Fn(&[u8]) -> usize) -> usize {
        let mut octets = 0;
        for mut cell in segment(0, 32, pdu).expect("it fills whole cells") {
            if !self.hec.receive_in_place(black_box(&mut cell)) {
                continue;
            }
            if let Reassembled::Pdu { pdu, .. } = self.reassembler.push(&cell) {
                octets += decode(pdu);
            }
        }
        octets
    }
}

fn cells(c: &mut Criterion) {
    let mut group = c.benchmark_group("cells");
    for octets in [236, 716, 1500, 9180] {
        let sdu = vec![0x5A; octets];
        let (mut pdu, mut line) = (Vec::new(), Line::new());
        group.throughput(Throughput::Bytes(octets as u64));
        group.bench_function(BenchmarkId::new("aal5", octets), |b| {
            b.iter(|| {
                aal5::encode(black_box(&sdu), 0, &mut pdu).expect("short enough");
                line.carry(&pdu, |pdu| aal5::decode(pdu).expect("intact").sdu.len())
            });
        });
        group.bench_function(BenchmarkId::new("cp_arq", octets), |b| {
            b.iter(|| {
                let number = SequenceNumber(1);
                cp_arq::encode(number, black_box(&sdu), Connection(7), &mut pdu);
                line.carry(&pdu, |pdu| {
                    cp_arq::decode(pdu, Connection(7)).expect("intact").payload.len()
                })
            });
        });
    }
    group.finish();
}

/// 100 SDUs of 1500 octets from one end of S-ARQ to the other, without a path.
fn s_arq(c: &mut Criterion) {
    let mut group = c.benchmark_group("s_arq");
    let sdu = vec![0x5A; 1500];
    group.throughput(Throughput::Bytes(150_000));
    group.bench_function("100 sdus of 1500", |b| {
        b.iter(|| {
            let mut sender = Sender::new(SenderConfig::default()).expect("valid");
            let mut receiver = Receiver::new(ReceiverConfig::default(), Time::ZERO).expect("valid");
            let (mut now, mut pdu, mut delivered) = (Time::ZERO, Vec::new(), 0);
            for _ in 0..100 {
                sender.submit(black_box(&sdu)).expect("room");
                while sender.poll_send(now, &mut pdu).is_some() {
                    receiver.on_pdu(now, &pdu).expect("intact");
                }
                delivered += std::iter::from_fn(|| receiver.poll_delivered()).count();
                now += Span::from_millis(50);
                if receiver.poll_status(now, &mut pdu) {
                    sender.on_control(now, &pdu).expect("intact");
                }
            }
            delivered
        });
    });
    group.finish();
}

criterion_group!(benches, pdus, cells, s_arq);
criterion_main!(benches);
