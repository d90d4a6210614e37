//! AAL-T's analysis: equations 2 to 9 for a path.

use atl_aal::aalt::payload::{LengthRule, PayloadLength};
use atl_aal::cell::PAYLOAD_OCTETS;
use atl_aal::model::{
    CellChannel, CellErrors, bit_errors_from_cell_success, cell_loss_ratio, cell_success,
    cell_success_from_errors, count_cells, efficiency_gain, go_back_n, go_back_n_attempts,
    go_back_n_efficiency, packet_success, pdu_efficiency, selective_repeat_efficiency,
};
use atl_core::units::Probability;
use atl_link::random::Stream;
use atl_report::quantity::number;
use atl_report::table::{Cell, Column, Table};
use serde_json::{Map, Value, json};

use super::line::{Line, error_ratio, print};
use super::table_1;
use crate::args::AalT;
use crate::document::Format;
use crate::failure::Failure;
use crate::output::{self, Look};
use crate::status::Status;

/// Limit on the cells that `--simulate` may take, for a duration of some minutes.
const MOST_CELLS: f64 = 5e9;

/// Evaluates `atl model aal-t`.
///
/// # Errors
/// If the packet is too long for AAL5, or a simulation would take too long.
pub(super) fn aal_t(args: &AalT) -> Result<Status, Failure> {
    if args.table {
        return table_1::table_1(args.json);
    }
    let packet = Packet::new(args)?;
    let points: Vec<Point> = match &args.cer[..] {
        [] => args.ber.iter().map(|p| Point::of_bits(*p, packet)).collect(),
        cer => cer.iter().map(|p| Point::of_cells(*p, packet)).collect(),
    };
    match &points[..] {
        [point] => {
            let mut lines = point.lines();
            if let Some(packets) = args.simulate {
                lines.extend(point.counted(packets)?);
            }
            print("aal-t", &inputs(args), &lines, &[], args.json)
        }
        _ if args.simulate.is_some() => Err(Failure::Usage(
            "--simulate takes a single path; give one --ber or one --cer".to_owned(),
        )),
        points if args.json => as_json(args, points),
        points => as_table(args, points),
    }
}

/// A packet and TCP's window.
#[derive(Debug, Clone, Copy)]
struct Packet {
    payload: f64,
    overhead: f64,
    window: u32,
    cells: u16,
}

impl Packet {
    fn new(args: &AalT) -> Result<Packet, Failure> {
        let octets = args.payload as usize + args.overhead as usize;
        let cells = octets.div_ceil(PAYLOAD_OCTETS);
        match u16::try_from(cells) {
            Ok(cells) if cells <= PayloadLength::LONGEST.cells() => Ok(Packet {
                payload: f64::from(args.payload),
                overhead: f64::from(args.overhead),
                window: args.window,
                cells,
            }),
            _ => Err(Failure::Usage(format!(
                "--payload {} and --overhead {} make a packet of {octets} bytes; AAL5 carries at most {} cells, {} bytes",
                args.payload,
                args.overhead,
                PayloadLength::LONGEST.cells(),
                usize::from(PayloadLength::LONGEST.cells()) * PAYLOAD_OCTETS
            ))),
        }
    }
}

/// Results of the equations at one error ratio.
struct Point {
    packet: Packet,
    errors: CellErrors,
    cell_success: Probability,
    packet_success: Probability,
    /// That of the path, or the one that corresponds to `cell_success`.
    bit_errors: Probability,
    /// Payload by eq. 2. Below, the one by Table 1.
    optimum: PayloadLength,
    table_1: PayloadLength,
    go_back_n: f64,
    selective_repeat: f64,
}

impl Point {
    fn of_bits(bit_errors: Probability, packet: Packet) -> Point {
        let errors = CellErrors::Bits(bit_errors);
        Point::of(errors, bit_errors, cell_success(bit_errors), packet)
    }

    fn of_cells(cell_errors: Probability, packet: Packet) -> Point {
        let success = cell_success_from_errors(cell_errors);
        let errors = CellErrors::Losses(cell_errors);
        Point::of(errors, bit_errors_from_cell_success(success), success, packet)
    }

    fn of(
        errors: CellErrors,
        bit_errors: Probability,
        cell_success: Probability,
        packet: Packet,
    ) -> Point {
        let Packet { payload, overhead, window, cells } = packet;
        let packet_success = packet_success(cell_success, u32::from(cells));
        let length = |rule: LengthRule| rule.length(bit_errors, PayloadLength::LONGEST);
        Point {
            packet,
            errors,
            cell_success,
            packet_success,
            bit_errors,
            optimum: length(LengthRule::Optimum),
            table_1: length(LengthRule::Table1),
            go_back_n: go_back_n_efficiency(packet_success, f64::from(window), payload, overhead),
            selective_repeat: selective_repeat_efficiency(packet_success, payload, overhead),
        }
    }

    fn attempts(&self) -> Option<f64> {
        let n = go_back_n_attempts(self.packet_success, f64::from(self.packet.window));
        Some(n).filter(|n| n.is_finite())
    }

    /// Ratio of AAL-T's efficiency to TCP's.
    fn gain(&self) -> f64 {
        efficiency_gain(self.packet_success, f64::from(self.packet.window))
    }

    /// Efficiency of S-ARQ with PDUs as long as by eq. 2.
    fn arq_efficiency(&self) -> f64 {
        let (cells, octets) = (u32::from(self.optimum.cells()), self.optimum.octets() as f64);
        pdu_efficiency(self.cell_success, cells, octets)
    }

    fn lines(&self) -> Vec<Line> {
        let length = |key, name, length: PayloadLength, from: &str| {
            let octets = length.octets() as f64;
            Line::of(key, name, octets, "bytes", shown_length(length), from)
        };
        let mut lines = Vec::new();
        match self.errors {
            CellErrors::Bits(p) => {
                let clr = cell_loss_ratio(p);
                lines.push(Line::bare("clr", "CLR: cells dropped by the HEC", clr, "eq. 7"));
                let p_c = self.cell_success.get();
                lines.push(Line::bare("p_c", "P_c: cells that arrive intact", p_c, "eq. 8"));
                let cer = 1.0 - p_c;
                lines.push(Line::bare("cer", "CER: cells lost or in error", cer, "eq. 9"));
            }
            CellErrors::Losses(_) => {
                let p_c = self.cell_success.get();
                lines.push(Line::bare("p_c", "P_c: cells that arrive intact", p_c, "eq. 9"));
                let ber = self.bit_errors.get();
                lines.push(Line::bare(
                    "ber",
                    "P_b: corresponding bit error ratio",
                    ber,
                    "eq. 8 inverted",
                ));
            }
        }
        let cells = f64::from(self.packet.cells);
        lines.extend([
            length("payload", "L: payload of a CP-ARQ PDU", self.optimum, "eq. 2, whole cells"),
            length("payload_table_1", "L by Table 1", self.table_1, "Table 1"),
            Line::of("cells", "m: cells per packet", cells, "cells", number(cells), "(l + h) / 48"),
            Line::bare(
                "p_s",
                "P_s: packets that arrive intact",
                self.packet_success.get(),
                "eq. 6",
            ),
            Line {
                key: "attempts",
                name: "E[N]: transmissions per packet with TCP",
                value: self.attempts(),
                unit: "packets",
                shown: self.attempts().map_or_else(unbounded, number),
                equation: "eq. 3".to_owned(),
            },
            Line::bare("tcp", "efficiency of TCP over AAL5", self.go_back_n, "eq. 4"),
            Line::bare("aal_t", "efficiency of AAL-T", self.selective_repeat, "eq. 5"),
            Line::of("ratio", "AAL-T / TCP", self.gain(), "", times(self.gain()), "eq. 5 / eq. 4"),
            Line::bare(
                "s_arq",
                "efficiency of S-ARQ with PDUs of length L",
                self.arq_efficiency(),
                "eq. 5 with l = L, h = 4",
            ),
        ]);
        lines
    }

    /// The same quantities from a simulation of cells.
    fn counted(&self, packets: u64) -> Result<Vec<Line>, Failure> {
        let Packet { payload, overhead, window, cells } = self.packet;
        let expected = self.attempts().map(|n| (n + 1.0) * f64::from(cells) * packets as f64);
        if !expected.is_some_and(|cells| cells <= MOST_CELLS) {
            return Err(Failure::Usage(format!(
                "--simulate {packets}: with P_s = {} and --window {window} this takes {} cells, and the limit is {}; give \
                 fewer packets, shorter packets, or a lower error ratio",
                number(self.packet_success.get()),
                expected.map_or_else(|| "infinitely many".to_owned(), number),
                number(MOST_CELLS)
            )));
        }
        let channel = |name| {
            let mut stream = Stream::new(1, name);
            CellChannel::new(self.errors, move || stream.uniform())
        };
        let sent = packets * u64::from(cells);
        let alone = count_cells(&mut channel("cells"), sent);
        let one = go_back_n(&mut channel("selective"), cells, 1, packets);
        let all = go_back_n(&mut channel("go-back-n"), cells, window, packets);
        let share = payload / (payload + overhead);
        let of_cells = format!("{} cells counted", number(sent as f64));
        let of_packets = format!("{packets} packets counted");
        let from = of_packets.as_str();
        let elsewhere = alone.miscorrected as f64 / sent as f64;
        Ok(vec![
            Line::bare(
                "clr_counted",
                "CLR, including wrong corrections",
                alone.loss_ratio(),
                &of_cells,
            ),
            Line::bare("miscorrected_counted", "wrongly corrected headers", elsewhere, &of_cells),
            Line::bare("p_c_counted", "P_c", alone.success(), &of_cells),
            Line::bare("p_s_counted", "P_s", one.success(), from),
            Line::bare("attempts_counted", "E[N]", all.attempts(), from),
            Line::bare("tcp_counted", "efficiency of TCP over AAL5", share / all.attempts(), from),
            Line::bare("aal_t_counted", "efficiency of AAL-T", share / one.attempts(), from),
        ])
    }
}

fn unbounded() -> String {
    "unbounded".to_owned()
}

fn times(ratio: f64) -> String {
    format!("{} (+{} %)", number(ratio), number((ratio - 1.0) * 100.0))
}

/// Such as `236 bytes in 5 cells`.
fn shown_length(length: PayloadLength) -> String {
    let cells = length.cells();
    format!("{} bytes in {cells} cell{}", length.octets(), if cells == 1 { "" } else { "s" })
}

fn inputs(args: &AalT) -> Value {
    let list = |values: &[Probability]| -> Value {
        match values {
            [] => Value::Null,
            [one] => json!(one.get()),
            all => all.iter().map(|p| p.get()).collect(),
        }
    };
    json!({
        "ber": list(&args.ber),
        "cer": list(&args.cer),
        "payload_bytes": args.payload,
        "overhead_bytes": args.overhead,
        "window_packets": args.window,
        "simulate": args.simulate,
    })
}

fn as_json(args: &AalT, points: &[Point]) -> Result<Status, Failure> {
    let rows: Vec<Value> = points
        .iter()
        .map(|point| {
            let (key, ratio) = match point.errors {
                CellErrors::Bits(p) => ("ber", p),
                CellErrors::Losses(p) => ("cer", p),
            };
            let results: Map<String, Value> =
                point.lines().into_iter().map(|l| (l.key.to_owned(), l.to_json())).collect();
            json!({ key: ratio.get(), "results": results })
        })
        .collect();
    output::json(
        Format::Model,
        &json!({ "model": "aal-t", "inputs": inputs(args), "rows": rows, "notes": [] }),
    )
}

fn as_table(args: &AalT, points: &[Point]) -> Result<Status, Failure> {
    let of_bits = args.cer.is_empty();
    let first = if of_bits { "P_b" } else { "CER" };
    let second = if of_bits { "CER" } else { "P_b" };
    let head =
        [first, second, "L, bytes (cells)", "P_s", "E[N]", "TCP/AAL5", "AAL-T", "AAL-T / TCP"];
    let column =
        |title: &str| Column { title: title.to_owned(), key: title.to_owned(), quantity: None };
    let rows = points.iter().map(|point| {
        let cer = error_ratio(1.0 - point.cell_success.get());
        let ber = error_ratio(point.bit_errors.get());
        let (first, second) = if of_bits { (ber, cer) } else { (cer, ber) };
        let row = [
            first,
            second,
            format!("{} ({})", point.optimum.octets(), point.optimum.cells()),
            number(point.packet_success.get()),
            point.attempts().map_or_else(unbounded, number),
            number(point.go_back_n),
            number(point.selective_repeat),
            times(point.gain()),
        ];
        row.map(Cell::Text).to_vec()
    });
    let table = Table { columns: head.map(column).to_vec(), rows: rows.collect() };
    let look = Look::of_stdout();
    let mut out = look.table(&table);
    let packet = points.first().map(|point| point.packet.cells).unwrap_or_default();
    let note = format!(
        "Packets of {} + {} bytes in {packet} cells; a window of {}. L by eq. 2, CER and P_b by eq. 8 and 9, P_s by eq. 6, E[N] \
         by eq. 3, TCP over AAL5 by eq. 4, AAL-T by eq. 5.",
        args.payload, args.overhead, args.window
    );
    out.push_str(&look.paragraph("", &note));
    output::text(&out)
}
