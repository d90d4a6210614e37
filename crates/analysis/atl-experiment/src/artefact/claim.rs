//! A claim about two contenders, and what becomes of it in each form.

use atl_report::ranking::{Duel, Relation};
use atl_report::stats::Estimate;
use serde::Serialize;

use super::form::Form;

/// Result of a contender beside the leader, in the scenario as written and in each form.
#[derive(Clone, Debug, Serialize)]
pub struct Claim {
    /// The contender whose result it is, by name.
    pub of: String,
    /// The leader of the scenario as written.
    pub beside: String,
    /// `ahead`, `level`, `behind`, or `unknown` with fewer than five seeds.
    #[serde(serialize_with = "word")]
    pub relation: Relation,
    /// Goodput of the contender over that of the leader, paired by seed; absent if the leader got
    /// nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Estimate>,
    /// Goodputs of the two in bits per second.
    pub goodputs_bps: [Estimate; 2],
    /// The result in a sentence, such as `BBRv3 behind CUBIC: only with jitter that overtakes.`
    pub sentence: String,
    /// The same in each form.
    pub forms: Vec<Under>,
}

/// A claim in one form.
#[derive(Clone, Debug, Serialize)]
pub struct Under {
    /// The form, by name.
    #[serde(serialize_with = "name")]
    pub form: &'static Form,
    /// The scenario in this form, in words.
    pub words: &'static str,
    /// The relation of the same two in this form.
    #[serde(serialize_with = "word")]
    pub relation: Relation,
    /// Their ratio in this form, paired by seed; absent if the leader got nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Estimate>,
    /// Their goodputs in this form in bits per second.
    pub goodputs_bps: [Estimate; 2],
    /// This ratio over that of the scenario as written, paired by seed; absent where shares of
    /// finished flows decide, or the leader got nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shift: Option<Estimate>,
    /// The claim's fate in this form.
    pub verdict: Verdict,
}

/// Fate of a claim in a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The relation is that of the scenario as written.
    Stands,
    /// It is another one, and the ratio has moved by more than chance.
    Falls,
    /// It is another one, but the ratio has not moved by more than chance: one of two intervals
    /// just covers 1, the other just does not. More seeds tell.
    Unclear,
}

impl Claim {
    /// The claim that the scenario as written makes, without forms and sentence yet.
    pub(super) fn new(of: &str, beside: &str, duel: &Duel) -> Claim {
        Claim {
            of: of.to_owned(),
            beside: beside.to_owned(),
            relation: duel.relation,
            ratio: duel.ratio,
            goodputs_bps: duel.goodputs,
            sentence: String::new(),
            forms: Vec::new(),
        }
    }

    /// The relation in words: `BBRv3 behind CUBIC`.
    pub fn words(&self) -> String {
        related(&self.of, self.relation, &self.beside)
    }

    /// The relation in one of its forms, in words.
    pub fn words_under(&self, under: &Under) -> String {
        related(&self.of, under.relation, &self.beside)
    }
}

fn related(of: &str, relation: Relation, beside: &str) -> String {
    match relation {
        Relation::Ahead => format!("{of} ahead of {beside}"),
        Relation::Level => format!("{of} level with {beside}"),
        Relation::Behind => format!("{of} behind {beside}"),
        Relation::Unknown => format!("{of} beside {beside}"),
    }
}

impl Under {
    /// A claim in a form: the relation there, and what that says about the one as written.
    pub(super) fn new(form: &'static Form, here: &Duel, written: &Duel) -> Under {
        let shift = here.shift(written);
        let moved = shift.is_none_or(|shift| shift.excludes(1.0));
        let verdict = match here.relation == written.relation {
            true => Verdict::Stands,
            false if here.relation == Relation::Unknown || !moved => Verdict::Unclear,
            false => Verdict::Falls,
        };
        Under {
            form,
            words: form.words,
            relation: here.relation,
            ratio: here.ratio,
            goodputs_bps: here.goodputs,
            shift,
            verdict,
        }
    }
}

fn word<S: serde::Serializer>(relation: &Relation, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(match relation {
        Relation::Ahead => "ahead",
        Relation::Level => "level",
        Relation::Behind => "behind",
        Relation::Unknown => "unknown",
    })
}

fn name<S: serde::Serializer>(form: &&'static Form, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(form.name)
}
