//! A handshake without secrets: it carries the transport parameters, and changes keys where TLS
//! does.
//!
//! | who | in | message |
//! | --- | --- | --- |
//! | client | Initial | its transport parameters, behind their length in two octets |
//! | server | Initial | one octet, [`HELLO`] |
//! | server | Handshake | its transport parameters, in the same form |
//! | client | Handshake | one octet, [`FINISHED`] |
//!
//! A packet ends with a tag of 16 octets, as long as those of TLS, that names who sent it, under
//! which keys, on which path and with which number. So no two packets of a connection have the same
//! tag, and one that is read with the wrong keys is refused.

use std::any::Any;

use bytes::BytesMut;
use noq_proto::coding::Encodable as _;
use noq_proto::crypto::{
    self, CryptoError, ExportKeyingMaterialError, HeaderKey, KeyPair, Keys, PacketKey,
    UnsupportedVersion,
};
use noq_proto::transport_parameters::TransportParameters;
use noq_proto::{ConnectError, ConnectionId, PathId, Side, TransportError, TransportErrorCode};

/// Bytes of a tag.
const TAG_BYTES: usize = 16;
/// Bytes of a packet that header protection samples.
const SAMPLE_BYTES: usize = 16;

const HELLO: u8 = b'H';
const FINISHED: u8 = b'F';

/// The keys of one direction: who sends, and the how manieth they are (Initial, Handshake, then
/// each phase of 1-RTT).
#[derive(Clone, Copy, Debug)]
struct Key {
    sender: Side,
    number: u32,
}

impl Key {
    fn tag(self, path: PathId, packet: u64) -> [u8; TAG_BYTES] {
        let sender = u32::from(self.sender == Side::Server) << 31;
        let mut number = [0; 8];
        path.encode(&mut &mut number[..]);
        let mut tag = [0; TAG_BYTES];
        tag[..4].copy_from_slice(&(self.number | sender).to_be_bytes());
        // A variable-length integer: four octets are enough for all paths below 2^30.
        tag[4..8].copy_from_slice(&number[..4]);
        tag[8..].copy_from_slice(&packet.to_be_bytes());
        tag
    }
}

impl PacketKey for Key {
    fn encrypt(&self, path_id: PathId, packet: u64, buf: &mut [u8], _header_len: usize) {
        if let Some(tag) = buf.last_chunk_mut() {
            *tag = self.tag(path_id, packet);
        }
    }

    fn decrypt(
        &self,
        path_id: PathId,
        packet: u64,
        _header: &[u8],
        payload: &mut BytesMut,
    ) -> Result<(), CryptoError> {
        if payload.last_chunk() != Some(&self.tag(path_id, packet)) {
            return Err(CryptoError);
        }
        payload.truncate(payload.len() - TAG_BYTES);
        Ok(())
    }

    fn tag_len(&self) -> usize {
        TAG_BYTES
    }

    fn confidentiality_limit(&self) -> u64 {
        u64::MAX
    }

    fn integrity_limit(&self) -> u64 {
        u64::MAX
    }
}

/// Headers stay readable.
#[derive(Clone, Copy, Debug)]
struct Unprotected;

impl HeaderKey for Unprotected {
    fn decrypt(&self, _pn_offset: usize, _packet: &mut [u8]) {}

    fn encrypt(&self, _pn_offset: usize, _packet: &mut [u8]) {}

    fn sample_size(&self) -> usize {
        SAMPLE_BYTES
    }
}

const fn other(side: Side) -> Side {
    match side {
        Side::Client => Side::Server,
        Side::Server => Side::Client,
    }
}

fn packet_keys(side: Side, number: u32) -> KeyPair<Box<dyn PacketKey>> {
    let key = |sender| Box::new(Key { sender, number }) as Box<dyn PacketKey>;
    KeyPair { local: key(side), remote: key(other(side)) }
}

fn keys(side: Side, number: u32) -> Keys {
    let header = || Box::new(Unprotected) as Box<dyn HeaderKey>;
    let header = KeyPair { local: header(), remote: header() };
    Keys { header, packet: packet_keys(side, number) }
}

const INITIAL: u32 = 0;
const HANDSHAKE: u32 = 1;
const FIRST_PHASE: u32 = 2;

/// The next step of a session's handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// Client: writes its parameters. Server: waits for the client's.
    Begin,
    /// Client: waits for the server's hello. Server: writes it.
    Hello,
    /// Takes the handshake's keys, as the client; writes its parameters, as the server.
    Keys,
    /// Client: waits for the server's parameters. Server: waits for the client to finish.
    Parameters,
    /// Client: writes that it has finished.
    Finish,
    Done,
}

/// A session of either end.
#[derive(Debug)]
struct Session {
    side: Side,
    step: Step,
    own: Vec<u8>,
    peer: Option<TransportParameters>,
    /// Octets of the peer that do not make a message yet.
    received: Vec<u8>,
    phase: u32,
}

impl Session {
    fn new(side: Side, parameters: &TransportParameters) -> Self {
        let mut own = Vec::new();
        parameters.write(&mut own);
        Session {
            side,
            step: Step::Begin,
            own,
            peer: None,
            received: Vec::new(),
            phase: FIRST_PHASE,
        }
    }

    fn write_parameters(&self, buf: &mut Vec<u8>) {
        // They have a few hundred bytes.
        buf.extend((self.own.len() as u16).to_be_bytes());
        buf.extend(&self.own);
    }

    /// The peer's parameters, once they are complete.
    fn read_parameters(&mut self) -> Result<bool, TransportError> {
        let Some((length, rest)) = self.received.split_first_chunk() else { return Ok(false) };
        let length = usize::from(u16::from_be_bytes(*length));
        let Some(mut parameters) = rest.get(..length) else { return Ok(false) };
        let read = TransportParameters::read(self.side, &mut parameters);
        self.peer = Some(read.map_err(|error| failure(error.to_string()))?);
        self.received.drain(..2 + length);
        Ok(true)
    }

    /// True once this octet has arrived.
    fn read_octet(&mut self, expected: u8) -> Result<bool, TransportError> {
        match self.received.first() {
            None => Ok(false),
            Some(octet) if *octet == expected => {
                self.received.remove(0);
                Ok(true)
            }
            Some(octet) => Err(failure(format!("octet {octet} instead of {expected}"))),
        }
    }
}

fn failure(reason: String) -> TransportError {
    TransportError::new(TransportErrorCode::TRANSPORT_PARAMETER_ERROR, reason)
}

impl crypto::Session for Session {
    fn initial_keys(&self, _dst_cid: ConnectionId, side: Side) -> Keys {
        keys(side, INITIAL)
    }

    fn handshake_data(&self) -> Option<Box<dyn Any>> {
        None
    }

    fn peer_identity(&self) -> Option<Box<dyn Any>> {
        None
    }

    fn early_crypto(&self) -> Option<(Box<dyn HeaderKey>, Box<dyn PacketKey>)> {
        None
    }

    fn early_data_accepted(&self) -> Option<bool> {
        None
    }

    fn is_handshaking(&self) -> bool {
        self.step != Step::Done
    }

    fn read_handshake(&mut self, buf: &[u8]) -> Result<bool, TransportError> {
        self.received.extend(buf);
        let (read, next, news) = match (self.side, self.step) {
            (Side::Server, Step::Begin) => (self.read_parameters()?, Step::Hello, true),
            (Side::Client, Step::Hello) => (self.read_octet(HELLO)?, Step::Keys, false),
            (Side::Client, Step::Parameters) => (self.read_parameters()?, Step::Finish, true),
            (Side::Server, Step::Parameters) => (self.read_octet(FINISHED)?, Step::Done, false),
            _ => return Ok(false),
        };
        if read {
            self.step = next;
        }
        Ok(read && news)
    }

    fn transport_parameters(&self) -> Result<Option<TransportParameters>, TransportError> {
        Ok(self.peer)
    }

    fn write_handshake(&mut self, buf: &mut Vec<u8>) -> Option<Keys> {
        let (next, number) = match (self.side, self.step) {
            (Side::Client, Step::Begin) => {
                self.write_parameters(buf);
                self.step = Step::Hello;
                return None;
            }
            (Side::Client, Step::Keys) => (Step::Parameters, HANDSHAKE),
            (Side::Client, Step::Finish) => {
                buf.push(FINISHED);
                (Step::Done, FIRST_PHASE)
            }
            (Side::Server, Step::Hello) => {
                buf.push(HELLO);
                (Step::Keys, HANDSHAKE)
            }
            (Side::Server, Step::Keys) => {
                self.write_parameters(buf);
                (Step::Parameters, FIRST_PHASE)
            }
            _ => return None,
        };
        self.step = next;
        Some(keys(self.side, number))
    }

    fn next_1rtt_keys(&mut self) -> Option<KeyPair<Box<dyn PacketKey>>> {
        self.phase += 1;
        Some(packet_keys(self.side, self.phase))
    }

    fn is_valid_retry(&self, _orig_dst_cid: ConnectionId, _header: &[u8], _payload: &[u8]) -> bool {
        false
    }

    fn export_keying_material(
        &self,
        _output: &mut [u8],
        _label: &[u8],
        _context: &[u8],
    ) -> Result<(), ExportKeyingMaterialError> {
        Err(ExportKeyingMaterialError)
    }
}

/// Starts sessions without secrets, for clients and for servers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Null;

impl crypto::ClientConfig for Null {
    fn start_session(
        &self,
        _version: u32,
        _server_name: &str,
        params: &TransportParameters,
    ) -> Result<Box<dyn crypto::Session>, ConnectError> {
        Ok(Box::new(Session::new(Side::Client, params)))
    }
}

impl crypto::ServerConfig for Null {
    fn initial_keys(
        &self,
        _version: u32,
        _dst_cid: ConnectionId,
    ) -> Result<Keys, UnsupportedVersion> {
        Ok(keys(Side::Server, INITIAL))
    }

    fn retry_tag(&self, _version: u32, _orig_dst_cid: ConnectionId, _packet: &[u8]) -> [u8; 16] {
        [0; 16]
    }

    fn start_session(
        &self,
        _version: u32,
        params: &TransportParameters,
    ) -> Box<dyn crypto::Session> {
        Box::new(Session::new(Side::Server, params))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(key: Key, path: PathId, packet: u64) -> BytesMut {
        let mut bytes = vec![7; 40];
        key.encrypt(path, packet, &mut bytes, 9);
        BytesMut::from(&bytes[..])
    }

    #[test]
    fn a_packet_opens_with_its_own_key_path_and_number_alone() {
        let key = Key { sender: Side::Client, number: FIRST_PHASE };
        let opens = |key: Key, path, packet| {
            let mut payload =
                sealed(Key { sender: Side::Client, number: FIRST_PHASE }, PathId::ZERO, 5);
            key.decrypt(path, packet, &[], &mut payload).is_ok().then_some(payload.len())
        };
        assert_eq!(opens(key, PathId::ZERO, 5), Some(24));
        assert_eq!(opens(key, PathId::ZERO, 6), None);
        assert_eq!(opens(key, PathId::from(1u8), 5), None);
        assert_eq!(opens(Key { sender: Side::Server, ..key }, PathId::ZERO, 5), None);
        assert_eq!(opens(Key { number: HANDSHAKE, ..key }, PathId::ZERO, 5), None);
        let mut short = BytesMut::from(&[0; 15][..]);
        assert!(key.decrypt(PathId::ZERO, 0, &[], &mut short).is_err());
    }

    /// None that differs from its default.
    fn parameters() -> TransportParameters {
        TransportParameters::read(Side::Server, &mut &[][..]).expect("all of them are optional")
    }

    #[test]
    fn what_is_no_message_of_the_handshake_is_refused() {
        use noq_proto::crypto::Session as _;
        let mut client = Session::new(Side::Client, &parameters());
        let mut written = Vec::new();
        assert!(client.write_handshake(&mut written).is_none());
        assert!(client.read_handshake(&[FINISHED]).is_err());
        let mut server = Session::new(Side::Server, &parameters());
        for octet in &written[..written.len() - 1] {
            assert!(!server.read_handshake(&[*octet]).expect("a part of a message"));
        }
        assert!(server.read_handshake(&written[written.len() - 1..]).expect("complete"));
        let mut server = Session::new(Side::Server, &parameters());
        assert!(server.read_handshake(&[0, 3, 1, 200, 0]).is_err(), "a parameter that is cut off");
    }
}
