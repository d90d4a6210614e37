//! Does a verdict stand with each impairment in its other form, or is it an artefact of the
//! emulation?
//!
//! An emulator chooses: delays that vary may let packets overtake each other or not, losses may
//! come one by one or in bursts, a queue may count packets or bytes. A [`Form`] rewrites the setups
//! of a scenario to another choice. [`variants`] gives the scenario in each form that changes it,
//! and [`Artefact`] compares their results with those of the scenario as written, paired by seed.

mod claim;
mod form;
mod forms;
mod judge;
mod own_words;
mod rewrite;
mod sentence;

use atl_scenario::scenario::Scenario;

pub use claim::{Claim, Under, Verdict};
pub use form::{Form, Impairment};
pub use forms::{form_named, forms};
pub use judge::Artefact;

/// The scenario in a form.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The form that it has.
    pub form: &'static Form,
    /// Its points, without figures and quotes.
    pub scenario: Scenario,
}

/// The scenario in each of these forms that changes it somewhere.
pub fn variants(
    scenario: &Scenario,
    forms: impl IntoIterator<Item = &'static Form>,
) -> Vec<Variant> {
    let variant = |form: &'static Form| {
        scenario.rewritten(form.name, form.rewrite).map(|scenario| Variant { form, scenario })
    };
    forms.into_iter().filter_map(variant).collect()
}
