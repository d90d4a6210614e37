//! Encoding of messages to octets.

use super::form::{
    BYE, DIGEST, DONE, FOLDER, FROM, HAVE, HELLO, LENGTH_OCTETS, LOAD, LOADED, MAX_NAMES, MAX_TEXT,
    OFFER, PROGRESS, REFUSED, WELCOME,
};
use super::message::{Message, Name};

/// Encodes a message, with its length before it.
///
/// Texts are cut at the end of a character to [`MAX_TEXT`] octets, names to as many, and paths to
/// [`MAX_NAMES`] names: check names before they are sent ([`name`](crate::name)).
pub fn encode(message: &Message) -> Vec<u8> {
    let mut out = Writer(vec![0; LENGTH_OCTETS]);
    match message {
        Message::Hello(hello) => {
            out.kind(HELLO).put(&hello.session).put(&hello.secret);
            out.put(&hello.features.to_be_bytes()).u64(hello.bytes);
        }
        Message::Welcome(welcome) => {
            out.kind(WELCOME).u64(welcome.instance).put(&welcome.features.to_be_bytes());
            out.put(&[welcome.limits.bits()]);
        }
        Message::Refused { reason, text } => {
            out.kind(REFUSED).put(&[reason.number()]).text(text);
        }
        Message::Offer(offer) => {
            out.kind(OFFER).u64(offer.size).put(&offer.mode.to_be_bytes());
            out.put(&offer.modified.seconds.to_be_bytes());
            out.put(&offer.modified.nanos.to_be_bytes()).path(&offer.path);
        }
        Message::Have(pieces) => {
            out.kind(HAVE).u64(pieces.length()).put(&[pieces.bits()]);
            for hash in pieces.hashes() {
                out.put(hash);
            }
        }
        Message::From(first) => {
            out.kind(FROM).u64(*first);
        }
        Message::Digest(hash) => {
            out.kind(DIGEST).put(hash);
        }
        Message::Done => {
            out.kind(DONE);
        }
        Message::Load { bytes } => {
            out.kind(LOAD).u64(bytes.unwrap_or(0));
        }
        Message::Loaded { bytes, nanos } => {
            out.kind(LOADED).u64(*bytes).u64(*nanos);
        }
        Message::Progress(bytes) => {
            out.kind(PROGRESS).u64(*bytes);
        }
        Message::Bye => {
            out.kind(BYE);
        }
        Message::Folder { path } => {
            out.kind(FOLDER).path(path);
        }
    }
    let mut octets = out.0;
    // A message has at most MAX_MESSAGE octets.
    let length = (octets.len() - LENGTH_OCTETS) as u32;
    octets[..LENGTH_OCTETS].copy_from_slice(&length.to_be_bytes());
    octets
}

#[derive(Debug)]
struct Writer(Vec<u8>);

impl Writer {
    fn kind(&mut self, kind: u8) -> &mut Self {
        self.put(&[kind])
    }

    fn put(&mut self, octets: &[u8]) -> &mut Self {
        self.0.extend_from_slice(octets);
        self
    }

    fn u64(&mut self, value: u64) -> &mut Self {
        self.put(&value.to_be_bytes())
    }

    fn text(&mut self, text: &str) -> &mut Self {
        let text = &text[..text.floor_char_boundary(MAX_TEXT)];
        self.put(&(text.len() as u16).to_be_bytes()).put(text.as_bytes())
    }

    fn path(&mut self, path: &[Name]) -> &mut Self {
        let path = &path[..path.len().min(MAX_NAMES)];
        self.put(&(path.len() as u16).to_be_bytes());
        for name in path {
            let name = &name[..name.len().min(MAX_TEXT)];
            self.put(&(name.len() as u16).to_be_bytes()).put(name);
        }
        self
    }
}
