//! Threads in network namespaces.

use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, JoinHandle};

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};

use super::error::Error;
use super::network::Place;

type Job = Box<dyn FnOnce() + Send>;

/// A thread that keeps a network namespace alive, and runs jobs in it.
#[derive(Debug)]
pub(super) struct Namespace {
    /// `None` only while it is being dropped.
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Namespace {
    /// Starts a thread in a new namespace without a name, or in this program's own.
    pub(super) fn new(name: &str, place: Place) -> Result<Namespace, Error> {
        let (jobs, work) = channel::<Job>();
        let thread = Builder::new().name(format!("host {name}")).spawn(move || {
            for job in work {
                job();
            }
        });
        let thread = thread.map_err(|error| Error::system("start a thread", error))?;
        let namespace = Namespace { jobs: Some(jobs), thread: Some(thread) };
        if place == Place::Namespace {
            match namespace.call(|| unshare(CloneFlags::CLONE_NEWNET)) {
                Ok(()) => {}
                Err(Errno::EPERM) => {
                    return Err(Error::NotAllowed { what: "make a network namespace" });
                }
                Err(error) => return Err(Error::system("make a network namespace", error)),
            }
        }
        Ok(namespace)
    }

    /// Runs `work` on the thread, and waits for it. Threads that it starts are in the namespace
    /// too.
    ///
    /// # Panics
    /// Panics if `work` does.
    pub(super) fn call<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let (result, answer) = channel();
        let job = Box::new(move || drop(result.send(work())));
        let sent = self.jobs.as_ref().map(|jobs| jobs.send(job));
        assert!(matches!(sent, Some(Ok(()))), "the thread works until this is dropped");
        answer.recv().expect("the work did not panic")
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        drop(self.jobs.take());
        if let Some(thread) = self.thread.take() {
            // An error would be a panic, which was reported already.
            let _ = thread.join();
        }
    }
}
