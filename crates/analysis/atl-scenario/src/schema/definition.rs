//! Names of the definitions.

use crate::keys::Section;

/// Name of a section's definition in the schema.
pub(super) fn definition(section: &Section) -> &'static str {
    section.name.split(',').next().unwrap_or(section.name)
}
