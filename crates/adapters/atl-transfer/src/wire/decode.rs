//! Decoding of messages. Octets come from the network: any of them may be anything.

use super::error::WireError;
use super::form::{
    BYE, DIGEST, DONE, FOLDER, FROM, HAVE, HELLO, LENGTH_OCTETS, LOAD, LOADED, MAX_NAMES, MAX_TEXT,
    OFFER, PROGRESS, REFUSED, WELCOME,
};
use super::limits::Limits;
use super::message::{Hello, Message, Modified, Name, Offer, Reason, Welcome};
use super::pieces::Pieces;

/// The number of octets that follow a message's length. No more room than this must be made.
///
/// # Errors
/// If it is 0, or greater than `most`, the limit at this point of the protocol.
pub fn length(octets: [u8; LENGTH_OCTETS], most: usize) -> Result<usize, WireError> {
    let length = u32::from_be_bytes(octets);
    match length as usize {
        0 => Err(WireError::Length { length, most }),
        long if long > most => Err(WireError::Length { length, most }),
        fits => Ok(fits),
    }
}

/// Decodes the octets that follow a message's length.
///
/// # Errors
/// If the octets are not exactly one message of this version.
pub fn decode(octets: &[u8]) -> Result<Message, WireError> {
    let mut rest = Rest(octets);
    let [kind] = rest.take()?;
    let message = match kind {
        HELLO => Message::Hello(Hello {
            session: rest.take()?,
            secret: rest.take()?,
            features: rest.u32()?,
            bytes: rest.u64()?,
        }),
        WELCOME => Message::Welcome(Welcome {
            instance: rest.u64()?,
            features: rest.u32()?,
            limits: Limits::from_bits(rest.take::<1>()?[0]),
        }),
        REFUSED => Message::Refused { reason: rest.reason()?, text: rest.text()? },
        OFFER => Message::Offer(Offer {
            size: rest.u64()?,
            mode: rest.mode()?,
            modified: rest.modified()?,
            path: rest.path()?,
        }),
        HAVE => Message::Have(rest.pieces()?),
        FROM => Message::From(rest.u64()?),
        DIGEST => Message::Digest(rest.take()?),
        DONE => Message::Done,
        LOAD => Message::Load { bytes: Some(rest.u64()?).filter(|bytes| *bytes > 0) },
        LOADED => Message::Loaded { bytes: rest.u64()?, nanos: rest.u64()? },
        PROGRESS => Message::Progress(rest.u64()?),
        BYE => Message::Bye,
        FOLDER => Message::Folder { path: rest.path()? },
        kind => return Err(WireError::Kind { kind }),
    };
    match rest.0.len() {
        0 => Ok(message),
        octets => Err(WireError::Trailing { octets }),
    }
}

/// The octets of a message that are not read yet.
#[derive(Debug)]
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], WireError> {
        let (octets, rest) = self.0.split_first_chunk().ok_or(WireError::Truncated)?;
        self.0 = rest;
        Ok(*octets)
    }

    fn u16(&mut self) -> Result<u16, WireError> {
        self.take().map(u16::from_be_bytes)
    }

    fn u32(&mut self) -> Result<u32, WireError> {
        self.take().map(u32::from_be_bytes)
    }

    fn u64(&mut self) -> Result<u64, WireError> {
        self.take().map(u64::from_be_bytes)
    }

    fn mode(&mut self) -> Result<u16, WireError> {
        let allowed = |mode: &u16| *mode <= 0o777;
        let field = "the permissions of a file must be from 0 to 0o777";
        Some(self.u16()?).filter(allowed).ok_or(WireError::Value { field })
    }

    fn modified(&mut self) -> Result<Modified, WireError> {
        let (seconds, nanos) = (self.take().map(i64::from_be_bytes)?, self.u32()?);
        match nanos {
            0..1_000_000_000 => Ok(Modified { seconds, nanos }),
            _ => Err(WireError::Value { field: "nanoseconds must be less than 1 000 000 000" }),
        }
    }

    fn reason(&mut self) -> Result<Reason, WireError> {
        let [number] = self.take()?;
        let known = Reason::ALL.into_iter().find(|reason| reason.number() == number);
        known.ok_or(WireError::Value { field: "the reason of a refusal must be from 1 to 8" })
    }

    fn text(&mut self) -> Result<String, WireError> {
        String::from_utf8(self.name()?).map_err(|_| WireError::Text)
    }

    fn name(&mut self) -> Result<Name, WireError> {
        let length = usize::from(self.u16()?);
        if length > MAX_TEXT {
            return Err(WireError::Text);
        }
        let (name, rest) = self.0.split_at_checked(length).ok_or(WireError::Truncated)?;
        self.0 = rest;
        Ok(name.to_vec())
    }

    fn path(&mut self) -> Result<Vec<Name>, WireError> {
        let names = self.u16()?;
        if names == 0 || usize::from(names) > MAX_NAMES {
            return Err(WireError::Names { names });
        }
        (0..names).map(|_| self.name()).collect()
    }

    fn pieces(&mut self) -> Result<Pieces, WireError> {
        let length = self.u64()?;
        let [bits] = self.take()?;
        let (hashes, rest) = self.0.as_chunks();
        if !rest.is_empty() {
            return Err(WireError::Truncated);
        }
        self.0 = rest;
        Pieces::new(length, bits, hashes.to_vec())
    }
}
