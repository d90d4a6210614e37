//! The fields of a UNI header and the codes of its payload type (I.361 section 2.2).

use crate::check;

/// The payload type, three bits of the header (PTI, I.361 section 2.2.4). For user data the middle
/// bit signals congestion (EFCI), and the last bit is AAU (ATM user to ATM user), with which AAL5
/// and AAL-T mark the last cell of a PDU.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PayloadType {
    /// Codes 0 to 3.
    User {
        /// The cell passed a congested switch (EFCI).
        congested: bool,
        /// ATM user to ATM user: the last cell of a PDU.
        aau: bool,
    },
    /// Code 4: operation and maintenance of a segment (OAM F5).
    OamSegment,
    /// Code 5: operation and maintenance end to end (OAM F5).
    OamEndToEnd,
    /// Code 6: resource management (RM).
    ResourceManagement,
    /// Code 7, not assigned.
    Reserved,
}

impl PayloadType {
    /// The code in the header, 0 to 7.
    pub const fn code(self) -> u8 {
        match self {
            PayloadType::User { congested, aau } => (congested as u8) << 1 | aau as u8,
            PayloadType::OamSegment => 4,
            PayloadType::OamEndToEnd => 5,
            PayloadType::ResourceManagement => 6,
            PayloadType::Reserved => 7,
        }
    }

    /// The payload type with this code; only the lowest three bits count.
    pub const fn from_code(code: u8) -> Self {
        match code & 7 {
            4 => PayloadType::OamSegment,
            5 => PayloadType::OamEndToEnd,
            6 => PayloadType::ResourceManagement,
            7 => PayloadType::Reserved,
            user => PayloadType::User { congested: user & 2 != 0, aau: user & 1 != 0 },
        }
    }
}

/// The fields of a UNI header, without its check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Header {
    gfc: u8,
    vpi: u8,
    vci: u16,
    /// Type of the payload.
    pub payload_type: PayloadType,
    /// Cell loss priority: a congested switch drops such cells first.
    pub low_priority: bool,
}

/// A field exceeds its width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidHeader;

impl core::fmt::Display for InvalidHeader {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("generic flow control has 4 bits: the value must be at most 15")
    }
}

impl core::error::Error for InvalidHeader {}

impl Header {
    /// The header of a user data cell on a connection: no flow control, high priority, no
    /// congestion.
    pub const fn user(vpi: u8, vci: u16, aau: bool) -> Self {
        Header {
            gfc: 0,
            vpi,
            vci,
            payload_type: PayloadType::User { congested: false, aau },
            low_priority: false,
        }
    }

    /// The header with another generic flow control field.
    ///
    /// # Errors
    /// If `gfc` exceeds 15.
    pub const fn with_gfc(mut self, gfc: u8) -> Result<Self, InvalidHeader> {
        if gfc > 0xF {
            return Err(InvalidHeader);
        }
        self.gfc = gfc;
        Ok(self)
    }

    /// Generic flow control: 4 bits.
    pub const fn gfc(&self) -> u8 {
        self.gfc
    }

    /// Virtual path identifier: 8 bits at the UNI.
    pub const fn vpi(&self) -> u8 {
        self.vpi
    }

    /// Virtual channel identifier: 16 bits.
    pub const fn vci(&self) -> u16 {
        self.vci
    }

    /// True for the last cell of a user PDU (AAU set).
    pub const fn is_last(&self) -> bool {
        matches!(self.payload_type, PayloadType::User { aau: true, .. })
    }

    /// The five octets, including the HEC.
    pub fn encode(&self) -> [u8; 5] {
        let [vci_high, vci_low] = self.vci.to_be_bytes();
        let [a, b, c, d] = [
            self.gfc << 4 | self.vpi >> 4,
            self.vpi << 4 | vci_high >> 4,
            vci_high << 4 | vci_low >> 4,
            vci_low << 4 | self.payload_type.code() << 1 | u8::from(self.low_priority),
        ];
        [a, b, c, d, check::hec([a, b, c, d])]
    }

    /// The fields in the first four octets; every bit pattern is a valid header.
    pub const fn decode(octets: [u8; 4]) -> Self {
        let [a, b, c, d] = octets;
        Header {
            gfc: a >> 4,
            vpi: a << 4 | b >> 4,
            vci: (b as u16 & 0xF) << 12 | (c as u16) << 4 | (d as u16) >> 4,
            payload_type: PayloadType::from_code(d >> 1),
            low_priority: d & 1 != 0,
        }
    }
}
