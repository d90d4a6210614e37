//! The steps on the file system that a reception consists of, so that tests can let each fail.

#[cfg(test)]
use std::cell::Cell;
use std::io::{self, Write as _};

/// The way in which a step fails.
#[cfg(test)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// It is not carried out.
    Refused,
    /// It is carried out, or half of it, and fails all the same.
    Half,
    /// It is carried out, and the program ends: no step follows.
    Crash,
}

#[cfg(test)]
thread_local! {
    /// Steps until the one that fails, and its fault; and true after a crash.
    static PLAN: Cell<Option<(u32, Fault)>> = const { Cell::new(None) };
    static DEAD: Cell<bool> = const { Cell::new(false) };
}

/// Lets the n-th step from now on fail; without a plan everything works again. Tells whether the
/// plan before has come true.
#[cfg(test)]
pub(super) fn plan(next: Option<(u32, Fault)>) -> bool {
    DEAD.set(false);
    PLAN.replace(next).is_none()
}

#[cfg(test)]
fn fault() -> Option<Fault> {
    if DEAD.get() {
        return Some(Fault::Refused);
    }
    let (left, fault) = PLAN.get()?;
    PLAN.set(left.checked_sub(1).map(|left| (left, fault)));
    (left == 0).then(|| {
        DEAD.set(fault == Fault::Crash);
        fault
    })
}

/// Carries out a step.
pub(super) fn step<T>(carry_out: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    #[cfg(test)]
    match fault() {
        None => {}
        Some(Fault::Refused) => return Err(io::Error::other("a planned fault")),
        Some(Fault::Half | Fault::Crash) => {
            carry_out()?;
            return Err(io::Error::other("a planned fault"));
        }
    }
    carry_out()
}

/// Writes bytes, which may end half-way.
pub(super) fn write_all(file: &mut std::fs::File, bytes: &[u8]) -> io::Result<()> {
    #[cfg(test)]
    match fault() {
        None => {}
        Some(Fault::Refused) => return Err(io::ErrorKind::StorageFull.into()),
        Some(Fault::Half | Fault::Crash) => {
            file.write_all(&bytes[..bytes.len() / 2])?;
            return Err(io::ErrorKind::StorageFull.into());
        }
    }
    file.write_all(bytes)
}
