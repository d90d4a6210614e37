//! The socket, and the thread that answers on it.

use std::fs;
use std::io;
use std::os::fd::AsFd as _;
use std::os::unix::fs::FileTypeExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use socket2::{Domain, SockAddr, Socket, Type};

use super::client::Client;
use super::wake::Wake;
use crate::link_socket::Board;
use crate::link_socket::counts::{Counting, SocketCounts, count};
use crate::stop::Stop;

/// Limit on connected clients.
const MOST_CLIENTS: usize = 64;
/// Interval at which links are checked for changes while a client subscribes to them.
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// The longest wait, and so the longest delay of a stop.
const LONGEST_WAIT: Duration = Duration::from_millis(50);

/// A socket on which the links of a [`Board`] answer. Dropping it closes it and removes its file.
#[derive(Debug)]
pub struct LinkSocket {
    path: PathBuf,
    stop: Stop,
    counting: Arc<Counting>,
    thread: Option<JoinHandle<()>>,
}

impl LinkSocket {
    /// Opens the socket at `path`, and answers in a thread of its own. A socket without a listener,
    /// left behind by a program that was killed, is replaced.
    ///
    /// # Errors
    /// If the path is longer than 107 bytes or cannot be created, or another program listens there.
    pub fn open(path: impl Into<PathBuf>, board: Board) -> io::Result<Self> {
        let path = path.into();
        wake(&board)?;
        let listener = listen(&path)?;
        let stop = Stop::default();
        let counting = Arc::new(Counting::default());
        let server = Server {
            listener,
            board,
            clients: Vec::new(),
            stop: stop.clone(),
            counting: Arc::clone(&counting),
        };
        let thread = thread::Builder::new().name("link-socket".to_owned()).spawn(|| server.run());
        match thread {
            Ok(thread) => Ok(LinkSocket { path, stop, counting, thread: Some(thread) }),
            Err(error) => {
                // No program listens on it any more.
                let _ = fs::remove_file(&path);
                Err(error)
            }
        }
    }

    /// Its path in the file system.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Counts since it was opened.
    pub fn counts(&self) -> SocketCounts {
        self.counting.read()
    }
}

impl Drop for LinkSocket {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            // The thread ends after the stop above, and does not panic.
            let _ = thread.join();
        }
        // An error means that the file is gone already.
        let _ = fs::remove_file(&self.path);
    }
}

/// The board's signal, which is made at the first call.
fn wake(board: &Board) -> io::Result<&Wake> {
    if let Some(wake) = board.wake().get() {
        return Ok(wake);
    }
    let made = Wake::new()?;
    Ok(board.wake().get_or_init(|| made))
}

fn listen(path: &Path) -> io::Result<Socket> {
    let address = SockAddr::unix(path)?;
    let socket = Socket::new(Domain::UNIX, Type::SEQPACKET, None)?;
    match socket.bind(&address) {
        Err(error) if error.kind() == io::ErrorKind::AddrInUse && abandoned(path, &address) => {
            fs::remove_file(path)?;
            socket.bind(&address)?;
        }
        bound => bound?,
    }
    socket.listen(MOST_CLIENTS as i32)?;
    socket.set_nonblocking(true)?;
    Ok(socket)
}

/// True if there is a socket without a listener.
fn abandoned(path: &Path, address: &SockAddr) -> bool {
    let socket = fs::symlink_metadata(path).is_ok_and(|file| file.file_type().is_socket());
    let refused = |error: io::Error| error.kind() == io::ErrorKind::ConnectionRefused;
    let connected = Socket::new(Domain::UNIX, Type::SEQPACKET, None)
        .and_then(|socket| socket.set_nonblocking(true).and_then(|()| socket.connect(address)));
    socket && connected.is_err_and(refused)
}

/// State of the answering thread.
#[derive(Debug)]
struct Server {
    listener: Socket,
    board: Board,
    clients: Vec<Client>,
    stop: Stop,
    counting: Arc<Counting>,
}

impl Server {
    fn run(mut self) {
        while !self.stop.stopped() {
            let readable = self.wait();
            if readable.first().is_some_and(|readable| *readable) {
                self.accept();
            }
            let Server { clients, board, counting, .. } = &mut self;
            let mut readable = readable.into_iter().skip(2);
            let now = Instant::now();
            // Clients accepted in this turn have no entry in `readable` yet.
            clients.retain_mut(|client| {
                let read = readable.next().unwrap_or(false);
                let alive = if read { client.receive(board, counting) } else { Ok(()) };
                alive.and_then(|()| client.tell(now, board, counting)).is_ok()
            });
            board.await_losses(clients.iter().any(Client::awaits_losses));
        }
    }

    /// Waits until there is something to read or to send. Returns for the listener, the board's
    /// signal of losses and each client whether it is readable.
    fn wait(&self) -> Vec<bool> {
        let now = Instant::now();
        let due = self.clients.iter().filter_map(Client::due).min();
        let wait = match due {
            Some(due) => due.saturating_duration_since(now).min(LOOK_EVERY),
            None => LONGEST_WAIT,
        };
        let timeout = PollTimeout::try_from(wait.as_nanos().div_ceil(1_000_000));
        let timeout = timeout.unwrap_or(PollTimeout::ZERO);
        // [`LinkSocket::open`] has made it.
        let wake = self.board.wake().get();
        let others = wake.map(|wake| wake.as_fd()).unwrap_or_else(|| self.listener.as_fd());
        let sockets = self.clients.iter().map(|client| client.socket.as_fd());
        let sockets = [self.listener.as_fd(), others].into_iter().chain(sockets);
        let mut polled: Vec<PollFd<'_>> =
            sockets.map(|socket| PollFd::new(socket, PollFlags::POLLIN)).collect();
        match poll(&mut polled, timeout) {
            Ok(_) => {}
            Err(Errno::EINTR) => return Vec::new(),
            // `poll` itself failed: try all of them, but not without a pause.
            Err(_) => thread::sleep(LOOK_EVERY),
        }
        if let Some(wake) = wake {
            wake.clear();
        }
        polled.iter().map(|fd| fd.any().unwrap_or(true)).collect()
    }

    fn accept(&mut self) {
        loop {
            let socket = match self.listener.accept() {
                Ok((socket, _)) => socket,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => {
                    // The client has gone, or no file descriptor is free: then the listener stays
                    // readable.
                    thread::sleep(LOOK_EVERY);
                    return;
                }
            };
            if self.clients.len() >= MOST_CLIENTS || socket.set_nonblocking(true).is_err() {
                count(&self.counting.turned_away);
                continue;
            }
            count(&self.counting.clients);
            self.clients.push(Client::new(socket));
        }
    }
}
