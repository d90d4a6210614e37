//! The links between network namespaces, with a program behind them.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::io;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Arc, OnceLock};

use atl_core::time::Span;
use atl_host::Cancel;
use atl_net::clock::Clock;
use atl_net::tun::{self, HostPlan, Lab, Launcher, Losses, Options, Place, supervisor};
use serde_json::{Value, json};

use super::network::Network;
use super::watcher::{Channel, Watcher};
use super::{record, running, summary};
use crate::args::{Link, Uplink};
use crate::failure::Failure;
use crate::output;
use crate::status::Status;

/// The first argument of this program's own copies that supervise programs in namespaces.
const SUPERVISOR: &str = "@supervise";
/// Head start of programs on other hosts: servers have to listen before a client asks.
const HEAD_START: Span = Span::from_millis(200);
/// After an interrupt: how long programs have to end by themselves (a terminal has told them too) before they are asked to
/// (`SIGTERM`), and before they are killed.
const ASK_AFTER: Span = Span::from_millis(100);
const KILL_AFTER: Span = Span::from_millis(200);

/// Does a supervisor's work if that is what this process was started for.
pub(crate) fn supervise() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != SUPERVISOR {
        return None;
    }
    Some(match supervisor::run(arguments) {
        Ok(status) => status.into(),
        Err((status, why)) => {
            output::error(&format!("error: {why}\n"));
            status.into()
        }
    })
}

/// Runs COMMAND behind the links until it ends, the time is over or it is cancelled, and shows a summary.
///
/// # Errors
/// If the system does not allow namespaces or devices.
pub(super) fn run(network: &Network, args: &Link, cancel: &Cancel) -> Result<Status, Failure> {
    let options = &args.running;
    let lab = Lab::new(plan(network, args), settings(args)).map_err(refused)?;
    let place = json!({ "hosts": lab.hosts().iter().map(host).collect::<Vec<_>>() });
    let shown: Vec<String> = lab
        .hosts()
        .iter()
        .map(|host| format!("{} is {} and {}", host.name, host.v4, host.v6))
        .collect();
    // Standard output is COMMAND's.
    let mut watcher =
        Watcher::start(network, options, &place, &shown.join("; "), Channel::StandardError)?;

    let (relay, ports) = (lab.relay(network.seed), lab.ports());
    let clock = Clock::start();
    let begun = clock.now();
    let session = RefCell::new(Session::new(lab, network, args)?);
    let counts = || record_losses(session.borrow().lab.losses());
    let done = running::run(
        relay,
        &network.links,
        || Ok(ports),
        clock,
        options,
        &mut |snapshot| watcher.show(snapshot, &counts()),
        &mut |elapsed| session.borrow_mut().over(elapsed, cancel.is_cancelled()),
    );
    watcher.end();
    let Session { lab, ended, failure, told, .. } = session.into_inner();
    let losses = lab.losses();
    // Programs, namespaces and devices are gone before the summary is shown.
    drop(lab);
    let done = done?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    if options.json {
        let line = record::summary(network, &done, begun, &record_losses(losses));
        output::error(&format!("{line}\n"));
    } else {
        let text = summary::text(network, &done, done.last.at.since(begun), options);
        output::error(&(text + &summary::losses(&losses)));
    }
    let status = ended.get().and_then(ExitStatus::code);
    Ok(match (told, status) {
        // It ended because its time was over.
        (Some(_), _) | (None, None) => Status::Success,
        (None, Some(code)) => Status::OfCommand(code as u8),
    })
}

/// The programs of a run.
struct Session<'a> {
    lab: Lab,
    network: &'a Network,
    args: &'a Link,
    /// COMMAND has been started.
    started: bool,
    /// How COMMAND ended.
    ended: Arc<OnceLock<ExitStatus>>,
    /// COMMAND could not be started.
    failure: Option<Failure>,
    /// When programs were told to end, because of an interrupt or at the end of the time.
    told: Option<Span>,
    asked: bool,
}

impl<'a> Session<'a> {
    /// Starts the programs on other hosts.
    fn new(mut lab: Lab, network: &'a Network, args: &'a Link) -> Result<Self, Failure> {
        let server = args.program.server.iter().map(|command| (network.hosts[1].clone(), command));
        let at = args.program.at.iter().map(|(host, command)| (host.clone(), command));
        for (name, command) in server.chain(at) {
            // The network has them all.
            let host = network.places.iter().position(|place| place.0 == name).unwrap_or(0);
            let shell = ["sh".as_ref(), "-c".as_ref(), OsStr::new(command)].map(OsString::from);
            let mut launcher = launcher(shell.into());
            launcher.supervisor.stdin(Stdio::null()).stdout(io::stderr());
            lab.spawn(host, launcher, |_| {}).map_err(refused)?;
        }
        let ended = Arc::default();
        Ok(Session {
            lab,
            network,
            args,
            started: false,
            ended,
            failure: None,
            told: None,
            asked: false,
        })
    }

    /// Looks after the programs; true once the run is over.
    fn over(&mut self, elapsed: Span, cancelled: bool) -> bool {
        let time_is_over = self.args.running.duration.is_some_and(|lasts| elapsed >= lasts);
        if self.told.is_none() && (cancelled || time_is_over) {
            self.told = Some(elapsed);
        }
        if let Some(told) = self.told {
            return !self.started
                || self.ended.get().is_some()
                || self.end(elapsed.saturating_sub(told));
        }
        let alone = self.network.places.len() == 2 && self.lab.programs().is_empty();
        if !self.started && (alone || elapsed >= HEAD_START) {
            self.started = true;
            let ended = Arc::clone(&self.ended);
            let ends = move |status| {
                // Nothing else sets it.
                let _ = ended.set(status);
            };
            if let Err(error) = self.lab.spawn(0, launcher(self.args.command.clone()), ends) {
                self.failure = Some(refused(error));
            }
        }
        self.failure.is_some() || self.ended.get().is_some()
    }

    /// Ends programs, this long after they were told to; true when it has waited long enough.
    fn end(&mut self, since: Span) -> bool {
        if since >= ASK_AFTER && !self.asked {
            self.asked = true;
            for program in self.lab.programs() {
                program.end();
            }
        }
        since >= KILL_AFTER
    }
}

fn launcher(program: Vec<OsString>) -> Launcher {
    // This very program, even if its file has been replaced.
    let mut supervisor = Command::new("/proc/self/exe");
    supervisor.arg(SUPERVISOR);
    Launcher { supervisor, program }
}

fn plan(network: &Network, args: &Link) -> tun::Network {
    let hosts = network.places.iter().enumerate().map(|(i, (name, node))| {
        let machine = i == 1 && args.program.uplink == Uplink::Host;
        let place = if machine { Place::Machine } else { Place::Namespace };
        HostPlan { name: name.clone(), node: *node, place }
    });
    tun::Network { nodes: network.nodes, links: network.links.clone(), hosts: hosts.collect() }
}

fn settings(args: &Link) -> Options {
    let program = &args.program;
    Options { mtu: program.mtu, overhead: program.overhead, ..Options::default() }
}

fn refused(error: tun::Error) -> Failure {
    Failure::Runtime(error.to_string())
}

fn host(host: &tun::Host) -> Value {
    json!({ "name": host.name, "ipv4": host.v4.to_string(), "ipv6": host.v6.to_string() })
}

fn record_losses(losses: Losses) -> Value {
    json!({
        "unroutable": losses.unroutable,
        "refused": losses.refused,
        "overruns": losses.overruns,
    })
}
