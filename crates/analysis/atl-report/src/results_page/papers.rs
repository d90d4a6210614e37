//! The papers reproduced by built-in scenarios.

/// A paper that scenarios reproduce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Folder of its scenarios, which is the prefix of their names.
    pub folder: &'static str,
    /// Short name, as in the `source` of quotes.
    pub name: &'static str,
    /// Authors, title and place of publication.
    pub citation: &'static str,
}

/// Papers in the order of the page.
pub const PAPERS: &[Paper] = &[
    Paper {
        folder: "atl",
        name: "ATL",
        citation: "Ö. B. Akan and I. F. Akyildiz, *ATL: an adaptive transport layer suite for next-generation wireless \
                   Internet*, IEEE Journal on Selected Areas in Communications 22(5), 2004",
    },
    Paper {
        folder: "arc",
        name: "ARC",
        citation: "Ö. B. Akan and I. F. Akyildiz, *ARC: the analytical rate control scheme for real-time traffic in \
                   wireless networks*, IEEE/ACM Transactions on Networking 12(4), 2004",
    },
    Paper {
        folder: "aalt",
        name: "AAL-T",
        citation: "I. F. Akyildiz and I. Joe, *A new ATM adaptation layer for TCP/IP over wireless ATM networks*, \
                   Wireless Networks 6, 2000",
    },
    Paper {
        folder: "handoff",
        name: "Taleb et al.",
        citation: "T. Taleb, K. Kashibuchi, A. Leonardi, S. Palazzo, K. Hashimoto, N. Kato and Y. Nemoto, *A cross-layer \
                   approach for an efficient delivery of TCP/RTP-based multimedia applications in heterogeneous wireless \
                   networks*, IEEE Transactions on Vehicular Technology 57(6), 2008",
    },
];

/// Paper that a scenario reproduces, by the scenario's name; `None` for scenarios of our own.
pub fn paper_of(scenario: &str) -> Option<&'static Paper> {
    let (folder, _) = scenario.split_once('/')?;
    PAPERS.iter().find(|p| p.folder == folder)
}
