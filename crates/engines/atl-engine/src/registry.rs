//! Lists that a program can lengthen with entries of its own, before anything is read from them.

use std::error::Error;
use std::fmt;
use std::sync::OnceLock;

/// Entries by their names: those of this project, and those that the program registered.
#[derive(Debug)]
pub struct Registry<T: 'static> {
    /// The word for an entry in messages.
    entry: &'static str,
    ours: &'static [T],
    name: fn(&T) -> &'static str,
    /// Every entry, once somebody has asked: nothing can be added then.
    all: OnceLock<Vec<T>>,
}

impl<T: Copy> Registry<T> {
    /// These entries of the project's own. `entry` is the word for one in messages, `name` gives
    /// its name, of which each is there once.
    pub const fn new(
        entry: &'static str,
        ours: &'static [T],
        name: fn(&T) -> &'static str,
    ) -> Self {
        Registry { entry, ours, name, all: OnceLock::new() }
    }

    /// Ours, then the program's.
    pub fn all(&self) -> &[T] {
        self.all.get_or_init(|| self.ours.to_vec())
    }

    /// Adds entries, for the life of the process. To register the same names again changes nothing.
    ///
    /// # Errors
    /// If a name is taken, or the list has been read or lengthened already.
    pub fn register(&self, entries: &[T]) -> Result<(), RegisterError> {
        let mut all = self.ours.to_vec();
        for new in entries {
            let name = (self.name)(new);
            if all.iter().any(|other| (self.name)(other) == name) {
                return Err(RegisterError::Taken { entry: self.entry, name });
            }
            all.push(*new);
        }
        match self.all.set(all) {
            Ok(()) => Ok(()),
            Err(all) if all.iter().map(self.name).eq(self.all().iter().map(self.name)) => Ok(()),
            Err(_) => Err(RegisterError::InUse { entry: self.entry }),
        }
    }
}

/// The reason for which entries were not registered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterError {
    /// There is an entry of this name already.
    Taken {
        /// The word for an entry.
        entry: &'static str,
        /// The name that was to be registered.
        name: &'static str,
    },
    /// The list has been read, or entries have been registered: both happen once.
    InUse {
        /// The word for an entry.
        entry: &'static str,
    },
}

impl fmt::Display for RegisterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegisterError::Taken { entry, name } => {
                write!(f, "another {entry} is called `{name}`: choose another name")
            }
            RegisterError::InUse { entry } => write!(
                f,
                "each {entry} is registered together with all others, before a scenario is read"
            ),
        }
    }
}

impl Error for RegisterError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> Registry<&'static str> {
        Registry::new("word", &["red"], |word| word)
    }

    #[test]
    fn names_are_registered_once_and_before_the_list_is_read() {
        let early = registry();
        let taken = |name| Err(RegisterError::Taken { entry: "word", name });
        assert_eq!(early.register(&["red"]), taken("red"));
        assert_eq!(early.register(&["blue", "blue"]), taken("blue"));
        assert_eq!(early.register(&["blue"]), Ok(()));
        assert_eq!(early.register(&["blue"]), Ok(()), "as a second test of a process does");
        assert_eq!(early.register(&["pie"]), Err(RegisterError::InUse { entry: "word" }));
        assert_eq!(early.all(), ["red", "blue"]);
        let late = registry();
        assert_eq!(late.all(), ["red"]);
        assert_eq!(late.register(&["blue"]), Err(RegisterError::InUse { entry: "word" }));
    }
}
