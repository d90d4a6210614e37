//! Packets of the simulator as a witness gets them.

use atl_core::time::Time;
use atl_engine::result::RunResult;
use atl_engine::witness::{Content, Fields, Role, Seen, Witness};
use atl_engine::{Stopped, Watch};

use crate::packet::PacketKind;
use crate::simulation::{Happening, Simulation};

/// Events between two looks at whether the run is to stop: a millisecond or so.
const EVENTS_PER_LOOK: u32 = 4096;

/// Carries out a [watched](Simulation::watched) run and tells of it.
pub(crate) fn tell(
    mut run: Simulation,
    watch: &Watch<'_>,
    witness: &mut dyn Witness,
) -> Result<RunResult, Stopped> {
    let mut goes_on = true;
    while goes_on {
        for _ in 0..EVENTS_PER_LOOK {
            goes_on = run.step(Time::MAX);
            if !goes_on {
                break;
            }
            let happenings = run.take_happenings();
            for happening in &happenings {
                witness.packet(&seen(happening));
            }
            // A step has packets of one flow, nearly always.
            let mut told = None;
            for happening in &happenings {
                if told.replace(happening.flow) != Some(happening.flow) {
                    witness.state(run.now(), happening.flow, &run.state(happening.flow));
                }
            }
        }
        watch.reached(run.now().since(Time::ZERO))?;
    }
    Ok(run.run())
}

fn seen(happening: &Happening) -> Seen<'static> {
    let Happening { at, what, link, flow, kind, seq, tx, sent_at, bits, bytes } = *happening;
    // The number of a paced packet is that of its only transmission.
    let paced = matches!(kind, PacketKind::Paced | PacketKind::PacedAck);
    let transmission = if paced { seq } else { tx };
    let (role, name) = role(kind);
    let fields =
        Fields { role, kind: name, number: seq, transmission, sent_at, flags: bits.flags() };
    let (forward, ecn) = (kind.is_for_receiver(), bits.ecn());
    let content = Content::Fields(fields);
    Seen { at, what, link, flow, forward, ecn, bytes: bytes.into(), content }
}

fn role(kind: PacketKind) -> (Role, &'static str) {
    match kind {
        PacketKind::Data => (Role::Data, "data"),
        PacketKind::Paced => (Role::Data, "paced data"),
        PacketKind::Ack => (Role::Ack, "ack"),
        PacketKind::PacedAck => (Role::Ack, "paced ack"),
        PacketKind::Syn => (Role::Handshake, "connection request"),
        PacketKind::SynAck => (Role::Handshake, "answer to a connection request"),
        PacketKind::WindowProbe => (Role::Other, "window probe"),
        PacketKind::Dummy => (Role::Other, "dummy segment"),
        PacketKind::Nil => (Role::Other, "NIL segment"),
        PacketKind::ProbeAck => (Role::Other, "ack of a probe"),
        PacketKind::Request => (Role::Other, "request of an agent"),
        PacketKind::Quench => (Role::Other, "source quench"),
        PacketKind::Report => (Role::Other, "receiver report"),
        PacketKind::PacedProbe => (Role::Other, "paced probe"),
        PacketKind::PacedProbeAck => (Role::Other, "ack of a paced probe"),
        PacketKind::Challenge => (Role::Other, "path challenge"),
        PacketKind::ChallengeAnswer => (Role::Other, "answer to a path challenge"),
        PacketKind::Notice => (Role::Other, "notice of a mobile"),
        PacketKind::HandoffReport => (Role::Other, "handoff report"),
        PacketKind::Cell => (Role::Other, "cell"),
    }
}
