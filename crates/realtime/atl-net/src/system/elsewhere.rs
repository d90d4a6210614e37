//! Systems other than Linux: portable sockets, and errors for what they do not have.

pub(crate) mod sockets {
    //! The proxy's sockets.

    pub use crate::proxy::sockets::{Portable as Native, PortableBuffers as Buffers};
}

pub(crate) mod priority {
    //! Scheduling.

    /// There is no `SCHED_FIFO` for a program.
    pub(crate) const REAL_TIME: bool = false;

    /// Leaves the calling thread as it is.
    pub(crate) fn prepare(_real_time: bool) -> bool {
        false
    }
}

pub(crate) mod link_socket {
    //! A link socket is a Unix socket for messages (`SOCK_SEQPACKET`), which only Linux has.

    use std::io;
    use std::path::{Path, PathBuf};

    use crate::link_socket::{Board, SocketCounts};

    /// A socket that cannot be opened here.
    #[derive(Debug)]
    pub enum LinkSocket {}

    impl LinkSocket {
        /// Opens none.
        ///
        /// # Errors
        /// Always: [`io::ErrorKind::Unsupported`].
        pub fn open(_path: impl Into<PathBuf>, _board: Board) -> io::Result<Self> {
            Err(io::Error::new(io::ErrorKind::Unsupported, "link sockets need Linux"))
        }

        /// Its path in the file system.
        pub fn path(&self) -> &Path {
            match *self {}
        }

        /// Counts since it was opened.
        pub fn counts(&self) -> SocketCounts {
            match *self {}
        }
    }

    /// The signal for a socket's thread. Without sockets there are no threads either.
    #[derive(Debug)]
    pub(crate) enum Wake {}

    impl Wake {
        pub(crate) fn signal(&self) {
            match *self {}
        }
    }
}
