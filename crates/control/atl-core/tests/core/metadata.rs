//! Every crate of the workspace has the metadata and README for publication.

use std::fs;
use std::path::Path;

/// Fields that a crate needs before it may be published.
const FIELDS: [&str; 5] = ["description", "readme", "keywords", "categories", "license"];

#[test]
fn every_crate_has_complete_metadata_and_a_readme() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = |folder: &Path| -> Vec<_> {
        let entries = fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir()).collect()
    };
    let mut seen = 0;
    for folder in folders(&crates).iter().flat_map(|floor| folders(floor)) {
        let Ok(manifest) = fs::read_to_string(folder.join("Cargo.toml")) else { continue };
        let manifest: toml::Table = manifest.parse().expect("a manifest");
        let package = manifest["package"].as_table().expect("[package]");
        let name = package["name"].as_str().expect("a name");
        for field in FIELDS {
            assert!(package.contains_key(field), "{name}: `{field}` is missing in Cargo.toml");
        }
        // Limits of crates.io.
        let keywords = package["keywords"].as_array().expect("a list");
        assert!((1..=5).contains(&keywords.len()), "{name}: one to five keywords");
        for keyword in keywords.iter().map(|keyword| keyword.as_str().expect("text")) {
            assert!(keyword.len() <= 20, "{name}: `{keyword}` is longer than 20 characters");
        }
        let readme = fs::read_to_string(folder.join("README.md")).expect("README.md");
        assert!(readme.starts_with(&format!("# {name}\n")), "{name}: README.md has another title");
        assert!(
            readme.contains("never"),
            "{name}: README.md does not say what the crate never holds"
        );
        seen += 1;
    }
    assert!(seen >= 10, "{seen} crates found");
}
