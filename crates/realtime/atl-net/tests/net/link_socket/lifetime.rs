//! The socket's file, from its creation to its removal.

use std::os::unix::net::UnixListener;

use atl_core::time::{Span, Time};
use atl_device::emulated::LinkClient;
use atl_device::{EmulatedSource, LinkSource};
use atl_net::link_socket::{Board, LinkSocket};
use socket2::{Domain, SockAddr, Socket, Type};

use super::support::{AMPLE, Emulated, link, name, until};

fn board() -> Board {
    Board::new(&[link("air", true, Span::from_millis(20), 0.0)])
}

#[test]
fn the_file_goes_with_the_socket() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links");
    let socket = LinkSocket::open(&path, board()).unwrap();
    assert!(path.exists());
    drop(socket);
    assert!(!path.exists());
    let error = LinkClient::connect(&path, AMPLE).unwrap_err().to_string();
    assert!(error.contains("links: No such file"), "{error}");
}

#[test]
fn what_a_killed_program_left_is_replaced_and_a_living_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links");
    let killed = Socket::new(Domain::UNIX, Type::SEQPACKET, None).unwrap();
    killed.bind(&SockAddr::unix(&path).unwrap()).unwrap();
    killed.listen(1).unwrap();
    // The file stays, as after SIGKILL.
    drop(killed);
    assert!(path.exists());
    let living = LinkSocket::open(&path, board()).unwrap();
    let error = LinkSocket::open(&path, board()).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::AddrInUse);
    assert!(LinkClient::connect(&path, AMPLE).is_ok(), "the living one was disturbed");
    drop(living);
}

#[test]
fn what_is_not_ours_is_not_removed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "precious").unwrap();
    assert!(LinkSocket::open(&file, board()).is_err());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "precious");
    // A socket of another type, with a listener.
    let stream = folder.path().join("stream");
    let _listener = UnixListener::bind(&stream).unwrap();
    assert!(LinkSocket::open(&stream, board()).is_err());
    assert!(stream.exists());
    let long = folder.path().join("a".repeat(120));
    assert!(LinkSocket::open(long, board()).is_err());
}

#[test]
fn a_crowd_is_turned_away() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links");
    let socket = LinkSocket::open(&path, board()).unwrap();
    let mut crowd = Vec::new();
    for i in 1..=70 {
        crowd.push(LinkClient::connect(&path, AMPLE).unwrap());
        until("it does not accept", || socket.counts().clients + socket.counts().turned_away == i);
    }
    assert_eq!((socket.counts().clients, socket.counts().turned_away), (64, 6));
    // A client that leaves makes room.
    crowd.clear();
    until("nobody leaves", || {
        let mut client = LinkClient::connect(&path, AMPLE).unwrap();
        client.ask(&name("air")).unwrap_err().to_string().ends_with("not measured anything yet")
    });
}

#[test]
fn a_source_finds_an_emulator_that_was_started_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("links");
    let links = [link("air", true, Span::from_millis(20), 0.5)];
    let mut source = EmulatedSource::new(&path, name("air"), AMPLE, AMPLE);
    let counted = |source: &mut EmulatedSource| {
        source.read(Time::ZERO).ok().and_then(|info| info.loss).and_then(|loss| loss.packets)
    };
    let first = Emulated::at(path.clone(), &links);
    until("nothing is counted", || counted(&mut source).is_some_and(|packets| packets > 200));
    drop(first);
    assert!(source.read(Time::ZERO).is_err());
    let _second = Emulated::at(path, &links);
    let mut packets = None;
    until("nothing is counted again", || {
        packets = counted(&mut source);
        packets.is_some()
    });
    assert!(packets < Some(200), "{packets:?}: packets of the first emulator");
}
