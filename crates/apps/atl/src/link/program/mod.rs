//! Links between network namespaces, with a program behind them.

mod server;
mod session;

use std::cell::RefCell;
use std::ffi::OsString;
use std::process::ExitStatus;

use atl_engine::Cancel;
use atl_net::clock::Clock;
use atl_net::tun::{self, HostPlan, Lab, Losses, Options, Place, supervisor};
use serde_json::{Value, json};

use super::answers::Answers;
use super::network::Network;
use super::runner::Runner;
use super::trust::Trust;
use super::watcher::{Channel, Watcher};
use super::{captured, record, running, summary};
use crate::args::{Link, Uplink};
use crate::failure::Failure;
use crate::output;
use crate::status::Status;
use session::{Ended, SUPERVISOR, Session, refused};

/// Works as a supervisor if the arguments say so.
pub(crate) fn supervise(arguments: &[OsString]) -> Option<u8> {
    let mut arguments = arguments.iter().skip(1).cloned();
    if arguments.next()? != SUPERVISOR {
        return None;
    }
    Some(match supervisor::run(arguments) {
        Ok(status) => status,
        Err((status, why)) => {
            output::error(&format!("error: {why}\n"));
            status
        }
    })
}

/// Carries out a COMMAND.
///
/// # Errors
/// Never on this system.
pub(super) fn runner() -> Result<Runner, Failure> {
    Ok(run)
}

/// Runs COMMAND behind the links until it ends, the duration is over or it is cancelled, and shows
/// a summary.
///
/// # Errors
/// If the system does not permit namespaces or devices.
fn run(network: &Network, args: &Link, cancel: &Cancel) -> Result<Status, Failure> {
    let options = &args.running;
    let lab = Lab::new(plan(network, args), settings(args)).map_err(refused)?;
    let mut relay = lab.relay(network.seed);
    let answers = Answers::open(&mut relay, network, options)?;
    let clock = Clock::start();
    let hosts = lab.hosts().iter().map(|host| host.name.as_str());
    let (capture, writer) = captured::start(hosts, options, clock)?;
    let ports = match capture {
        Some(capture) => lab.ports().with_capture(capture, clock),
        None => lab.ports(),
    };
    let place = json!({ "hosts": lab.hosts().iter().map(host).collect::<Vec<_>>() });
    let shown = lab.hosts().iter();
    let shown: Vec<String> =
        shown.map(|host| format!("{} is {} and {}", host.name, host.v4, host.v6)).collect();
    // Standard output belongs to COMMAND.
    let mut watcher =
        Watcher::start(network, options, &place, &shown.join("; "), Channel::StandardError)?;

    let begun = clock.now();
    let session = RefCell::new(Session::new(lab, network, args, watcher.above())?);
    let counts = || record_losses(session.borrow().losses());
    let done = running::run(
        relay,
        || Ok(ports),
        clock,
        options,
        &answers,
        &mut |snapshot| watcher.show(snapshot, &counts()),
        &mut |elapsed| session.borrow_mut().over(elapsed, cancel.is_cancelled()),
    );
    let losses = session.borrow().losses();
    let Ended { status, told, failure, notes } = session.into_inner().finish();
    watcher.end();
    for note in notes {
        output::error(&format!("note: {note}\n"));
    }
    let done = done?;
    let left_out = captured::finish(writer)?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    let outside = losses.refused + losses.overruns;
    let trust = Trust::of(&done.last, outside, options.max_error.get());
    if options.json {
        let line = record::summary(network, &done, begun, trust, &record_losses(losses), left_out);
        output::error(&format!("{line}\n"));
    } else {
        let text = summary::text(network, &done, done.last.at.since(begun), trust, options);
        output::error(&(text + &losses_told(&losses) + &summary::left_out(left_out)));
    }
    let code = status.as_ref().and_then(ExitStatus::code);
    // A program ended by us because the duration was over has succeeded.
    Ok(code.filter(|_| !told).map_or(Status::Success, |code| Status::OfCommand(code as u8)))
}

fn plan(network: &Network, args: &Link) -> tun::Network {
    let hosts = network.places.iter().enumerate().map(|(i, (name, node))| {
        let machine = i == 1 && args.program.uplink != Uplink::None;
        let place = if machine { Place::Machine } else { Place::Namespace };
        HostPlan { name: name.clone(), node: *node, place }
    });
    tun::Network { nodes: network.nodes, links: network.links.clone(), hosts: hosts.collect() }
}

fn settings(args: &Link) -> Options {
    let program = &args.program;
    let way_out = match program.uplink {
        Uplink::None => false,
        // The machine of a lab within a lab is a host of that one, whose servers are elsewhere.
        Uplink::Host => tun::within_lab(),
        Uplink::Nat => true,
    };
    Options { mtu: program.mtu, overhead: program.overhead, way_out, ..Options::default() }
}

fn host(host: &tun::Host) -> Value {
    json!({ "name": host.name, "ipv4": host.v4.to_string(), "ipv6": host.v6.to_string() })
}

/// Packets lost outside the links; empty if there are none.
fn losses_told(losses: &Losses) -> String {
    summary::told(&[
        (losses.overruns, "packets were lost before the links: this machine was too slow for them"),
        (losses.refused, "packets were lost behind the links: a host's device took no more"),
        (losses.unroutable, "packets went to addresses that no link leads to"),
    ])
}

fn record_losses(losses: Losses) -> Value {
    json!({
        "unroutable": losses.unroutable,
        "refused": losses.refused,
        "overruns": losses.overruns,
    })
}
