//! Programs in a host's namespace, as this program controls them.

use std::ffi::OsString;
use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, waitid};
use nix::unistd::Pid;

use super::supervisor::{self, Files};

/// The commands that start a program under a supervisor.
#[derive(Debug)]
pub struct Launcher {
    /// Command of a process that calls [`supervisor::run`] with the arguments that are appended
    /// here. Its standard streams are the program's.
    pub supervisor: Command,
    /// The program and its arguments.
    pub program: Vec<OsString>,
}

/// A program in a host's namespace. Dropping this kills it.
#[derive(Debug)]
pub struct Program {
    /// The supervisor's process; `None` once it has ended, because its number may then be reused.
    process: Arc<Mutex<Option<Pid>>>,
    waiter: Option<JoinHandle<()>>,
}

impl Program {
    /// Starts a program from a thread in its namespace. The thread's child is the first process of
    /// a new process namespace: when it ends, however it does, the kernel kills all others in
    /// there.
    pub(super) fn start(
        launcher: Launcher,
        files: Files,
        ended: impl FnOnce(ExitStatus) + Send + 'static,
    ) -> io::Result<Program> {
        let process = Arc::new(Mutex::new(None));
        let (started, start) = channel();
        let shared = Arc::clone(&process);
        // The kernel kills the child when the thread that started it ends: this one waits for it.
        let waiter =
            thread::Builder::new().name("program".to_owned()).spawn(move || {
                match spawn(launcher, &files) {
                    Ok(child) => {
                        *lock(&shared) = Some(Pid::from_raw(child.id() as i32));
                        let _ = started.send(Ok(()));
                        if let Ok(status) = wait(child, &shared) {
                            ended(status);
                        }
                    }
                    Err(error) => drop(started.send(Err(error))),
                }
            })?;
        let program = Program { process, waiter: Some(waiter) };
        start.recv().map_err(io::Error::other)??;
        Ok(program)
    }

    /// Asks it to end, by `SIGTERM`.
    pub fn end(&self) {
        self.signal(Signal::SIGTERM);
    }

    /// Kills it at once, with every process that it has started.
    pub fn kill(&self) {
        self.signal(Signal::SIGKILL);
    }

    /// True until the supervisor has ended.
    pub fn running(&self) -> bool {
        lock(&self.process).is_some()
    }

    fn signal(&self, signal: Signal) {
        if let Some(process) = *lock(&self.process) {
            // An error means that it is just ending by itself.
            let _ = kill(process, signal);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
        if let Some(waiter) = self.waiter.take() {
            let _ = waiter.join();
        }
    }
}

fn spawn(launcher: Launcher, files: &Files) -> io::Result<Child> {
    unshare(CloneFlags::CLONE_NEWPID)?;
    let mut command = launcher.supervisor;
    command.args(supervisor::arguments(files)).args(launcher.program);
    command.spawn()
}

/// Waits for a child. Its number is not reused before `process` has been cleared.
fn wait(mut child: Child, process: &Mutex<Option<Pid>>) -> io::Result<ExitStatus> {
    let pid = Pid::from_raw(child.id() as i32);
    while waitid(Id::Pid(pid), WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) == Err(Errno::EINTR) {}
    let mut process = lock(process);
    *process = None;
    child.wait()
}

fn lock(process: &Mutex<Option<Pid>>) -> std::sync::MutexGuard<'_, Option<Pid>> {
    process.lock().unwrap_or_else(PoisonError::into_inner)
}
