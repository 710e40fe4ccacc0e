//! Recorded markers of the `adr` command, asked for through `explain`.

use std::fs;

use adrkit_native::corpus;
use camino::Utf8PathBuf;
use serde::Deserialize;

#[derive(Deserialize)]
struct Vector {
    path: String,
    text: String,
    markers: Vec<Marker>,
    truncated: bool,
}

#[derive(Deserialize, PartialEq, Debug)]
struct Marker {
    #[serde(rename = "ref")]
    reference: String,
    line: u32,
}

#[test]
fn recorded_markers_are_found() {
    let vectors: Vec<Vector> =
        serde_json::from_str(include_str!("golden/vectors/markers.json")).expect("the vectors are JSON");
    assert!(vectors.len() >= 300);
    let dir = tempfile::tempdir().expect("a scratch directory");
    let root = Utf8PathBuf::try_from(dir.path().canonicalize().expect("it exists")).expect("it is UTF-8");
    fs::create_dir_all(root.join("docs/adr")).expect("writable");
    for vector in vectors {
        let file = root.join(&vector.path);
        fs::create_dir_all(file.parent().expect("it has one")).expect("writable");
        fs::write(&file, &vector.text).expect("writable");
        let (code, report) =
            corpus::explain(&root, "docs/adr", &vector.path).expect("the corpus is readable");
        let found: Vec<Marker> = report
            .markers
            .declared
            .into_iter()
            .map(|m| Marker { reference: m.reference, line: m.line })
            .collect();
        assert_eq!(code, 0);
        assert_eq!(found, vector.markers, "{:?}", vector.text);
        assert_eq!(report.markers.truncated, vector.truncated, "{:?}", vector.text);
    }
}
