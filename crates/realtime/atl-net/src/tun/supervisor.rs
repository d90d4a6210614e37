//! The first process of a process namespace: it starts a program there, and all processes of the
//! namespace end with it.
//!
//! It is killed when the thread that started it dies (`PR_SET_PDEATHSIG`, prctl(2)), even by `kill
//! -9`. The kernel then kills all processes of the namespace (pid_namespaces(7)), daemons included.
//! It runs in a process of its own, which calls [`run`] before it starts any thread.
//!
//! The program sees only the processes of its namespace in `/proc`, the devices of its network
//! namespace in `/sys`, and the hosts' names in `/etc/hosts`. These mounts are in a mount namespace
//! of its own, and vanish with it.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus};

use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

/// The file in which names of hosts are looked up first (hosts(5)).
const NAMES: &str = "/etc/hosts";
/// The file with the addresses of resolvers (resolv.conf(5)).
const RESOLVER: &str = "/etc/resolv.conf";
/// Folder in which the file with names is made, under a mount that hides it.
const SCRATCH: &str = "/tmp";

/// Files that a program sees in place of the machine's.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    /// Lines before those of `/etc/hosts`.
    pub(super) names: String,
    /// The text of `/etc/resolv.conf`; the machine's stays if it is empty.
    pub(super) resolver: String,
}

/// The supervisor's own arguments, which precede the program's.
pub(super) fn arguments(files: &Files) -> [OsString; 3] {
    [std::process::id().to_string().into(), (&files.names).into(), (&files.resolver).into()]
}

/// Starts a program and waits for it. `arguments` are those that a [`Lab`](super::Lab) appends to
/// its [`Launcher`](super::Launcher)'s. Returns the exit status as a shell does: the program's own,
/// 128 plus the number of the signal that killed it, 127 if there is no such program, 126 if it
/// cannot be started.
///
/// # Errors
/// The reason why the program was not started, as a sentence, with an exit status.
pub fn run(mut arguments: impl Iterator<Item = OsString>) -> Result<u8, (u8, String)> {
    let wrong = || (2, "this command is for internal use by atl only".to_owned());
    let parent = arguments.next().and_then(|parent| parent.to_str()?.parse().ok());
    let (names, resolver) = (arguments.next(), arguments.next());
    let (Some(parent), Some(names), Some(resolver), Some(program)) =
        (parent, names, resolver, arguments.next())
    else {
        return Err(wrong());
    };
    if std::process::id() != 1 {
        return Err(wrong());
    }
    bind_to(parent).map_err(|error| (126, format!("cannot follow the parent process: {error}")))?;
    // Optional: without them the program runs, and sees processes and names of the machine.
    let _ = private_mounts(&names, &resolver);
    let child = Command::new(&program).args(arguments).spawn().map_err(|error| {
        let status = if error.kind() == io::ErrorKind::NotFound { 127 } else { 126 };
        (status, format!("cannot start {}: {error}", program.display()))
    })?;
    Ok(status(attend(Pid::from_raw(child.id() as i32))))
}

/// Ends this process when its parent does.
fn bind_to(parent: u32) -> io::Result<()> {
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    // The parent may be dead already. `/proc` is still the parent's own, and so are the numbers in
    // it.
    let status = fs::read_to_string("/proc/self/status")?;
    let of_parent = status.lines().find_map(|line| line.strip_prefix("PPid:"));
    match of_parent.map(str::trim) == Some(&parent.to_string()) {
        true => Ok(()),
        false => Err(io::Error::other("it has ended")),
    }
}

fn private_mounts(names: &OsStr, resolver: &OsStr) -> nix::Result<()> {
    const NOTHING: Option<&str> = None;
    let inert = MsFlags::MS_NOSUID | MsFlags::MS_NODEV | MsFlags::MS_NOEXEC;
    unshare(CloneFlags::CLONE_NEWNS)?;
    // Mounts made outside are seen here, but not the other way round.
    mount(NOTHING, "/", NOTHING, MsFlags::MS_REC | MsFlags::MS_SLAVE, NOTHING)?;
    let _ = mount(Some("proc"), "/proc", Some("proc"), inert, NOTHING);
    let _ = mount(Some("sysfs"), "/sys", Some("sysfs"), inert | MsFlags::MS_RDONLY, NOTHING);
    let mut all = names.as_encoded_bytes().to_vec();
    all.extend(
        fs::read(NAMES).unwrap_or_else(|_| b"127.0.0.1 localhost\n::1 localhost\n".to_vec()),
    );
    mount(Some("tmpfs"), SCRATCH, Some("tmpfs"), inert, NOTHING)?;
    let cover = |name: &str, covered: &str, text: &[u8]| {
        let file = Path::new(SCRATCH).join(name);
        if fs::write(&file, text).is_ok() {
            // An error means that there is no such file to cover.
            let _ = mount(Some(&file), covered, NOTHING, MsFlags::MS_BIND, NOTHING);
        }
    };
    cover("hosts", NAMES, &all);
    if !resolver.is_empty() {
        cover("resolv.conf", RESOLVER, resolver.as_encoded_bytes());
    }
    // The file stays reachable under its other name.
    umount2(SCRATCH, MntFlags::MNT_DETACH)
}

/// Waits for `child`, and reaps orphans, which the first process of a namespace inherits. Passes
/// `SIGTERM` on. The terminal sends Ctrl-C to the child as well, so that this process must not.
fn attend(child: Pid) -> ExitStatus {
    // Only after the child was started, which would inherit the mask.
    let mut signals = SigSet::empty();
    for signal in
        [Signal::SIGTERM, Signal::SIGINT, Signal::SIGHUP, Signal::SIGQUIT, Signal::SIGCHLD]
    {
        signals.add(signal);
    }
    // It cannot fail with valid arguments. Without it this process would only notice signals late.
    let _ = signals.thread_block();
    loop {
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Ok(WaitStatus::Exited(pid, code)) if pid == child => {
                    return ExitStatus::from_raw(code << 8);
                }
                Ok(WaitStatus::Signaled(pid, signal, _)) if pid == child => {
                    return ExitStatus::from_raw(signal as i32);
                }
                Ok(WaitStatus::StillAlive) | Err(_) => break,
                Ok(_) => {}
            }
        }
        if signals.wait() == Ok(Signal::SIGTERM) {
            let _ = kill(child, Signal::SIGTERM);
        }
    }
}

/// The exit status as a shell gives it.
fn status(of: ExitStatus) -> u8 {
    match (of.code(), of.signal()) {
        (Some(code), _) => code as u8,
        (None, signal) => 128_u8.saturating_add(signal.unwrap_or(0) as u8),
    }
}
