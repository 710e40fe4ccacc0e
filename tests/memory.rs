//! What a large corpus leaves in memory, in bytes that are allocated: the same on every machine.
//!
//! One test, since the allocator counts for the whole process.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test ends at the first thing that is not as it must be")]

use std::fs;
use std::time::SystemTime;

use adrkit_native::corpus::{Cache, Reader, SETTLED};
use camino::{Utf8Path, Utf8PathBuf};
use peak_alloc::PeakAlloc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const DIR: &str = "docs/adr";
const RECORDS: usize = 300;
const ROUNDS: usize = 50;

/// What a record and its three matchers may take, in bytes, when all of them have been put to use.
const PER_RECORD: usize = 4 << 10;
/// What may be in use beyond that while records are read: the file that is being read, and what it is parsed into.
const AT_WORK: usize = 256 << 10;
/// What may vary from one round to the next, such as the times at which lists grow.
const SLACK: usize = 16 << 10;

/// A root with [`RECORDS`] records whose bodies have so many bytes.
fn corpus(body: usize) -> (tempfile::TempDir, Utf8PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(dir.path().canonicalize().unwrap()).unwrap();
    fs::create_dir_all(root.join(DIR)).unwrap();
    for i in 0..RECORDS {
        let matchers: String = ["src/net/part-#/**", "src/*/part-#/*.ts", "lib/{a,b}/part-#/**/*.ts"]
            .map(|pattern| {
                format!("  - type: path\n    pattern: \"{}\"\n", pattern.replace('#', &i.to_string()))
            })
            .concat();
        let text = format!(
            "---\nid: \"{:04}\"\ntitle: Separate the parts of area {i}\nstatus: accepted\ndate: 2026-01-01\n\
             deciders: [\"team:area\", \"@person\"]\ntags: [area, part]\nrelatesTo: [\"0001\", \"0002\"]\n\
             affects:\n{matchers}---\n\n{}\n",
            i + 1,
            "word ".repeat(body / 5)
        );
        fs::write(root.join(DIR).join(format!("{:04}-separate-the-parts.md", i + 1)), text).unwrap();
    }
    (dir, root)
}

fn ask(cache: &Cache, root: &Utf8Path, path: &str) {
    let reader = Reader::remembering(cache, SystemTime::now() + SETTLED * 2);
    let (_, report) = reader.check(root, DIR, &[path.to_owned()]).unwrap();
    assert_eq!(report.governing.len(), 1);
    assert_eq!(reader.lint(root, DIR).unwrap().1.checked, RECORDS);
}

fn queue(cache: &Cache, root: &Utf8Path) -> String {
    let reader = Reader::remembering(cache, SystemTime::now() + SETTLED * 2);
    reader.queue(root, DIR, "2026-01-01").unwrap().1.corpus_fingerprint
}

#[test]
fn a_corpus_is_kept_without_its_texts_and_read_one_file_at_a_time() {
    let kept = [1 << 10, 32 << 10].map(|body| {
        let (_keep, root) = corpus(body);
        let cache = Cache::default();
        // What is set up once for all, such as the tables of a collation, is no part of it.
        ask(&Cache::default(), &root, "src/net/part-1/a.ts");
        let before = MEMORY.current_usage();
        let taken = || MEMORY.current_usage().saturating_sub(before);

        MEMORY.reset_peak_usage();
        ask(&cache, &root, "src/net/part-1/a.ts");
        let once = taken();
        assert!(once <= RECORDS * PER_RECORD, "{} bytes for each record", once / RECORDS);
        let at_work = MEMORY.peak_usage().saturating_sub(before + once);
        assert!(at_work <= AT_WORK, "{at_work} bytes more at the peak");

        // Each of these paths meets patterns that no other has met.
        for i in 0..RECORDS {
            ask(&cache, &root, &format!("src/net/part-{i}/a.ts"));
        }
        let all = taken();
        assert!(all <= RECORDS * PER_RECORD, "{} bytes for each record", all / RECORDS);
        for i in 0..ROUNDS {
            ask(&cache, &root, &format!("src/net/part-1/b-{i}.ts"));
        }
        assert!(taken() <= all + SLACK, "{} bytes after all, {} in the end", all, taken());

        let fingerprint = queue(&cache, &root);
        let queued = taken();
        assert!(queued <= once + SLACK, "{queued} bytes after a queue, {once} before it");
        for _ in 0..ROUNDS {
            assert_eq!(queue(&cache, &root), fingerprint);
        }
        assert!(taken() <= queued + SLACK, "{} bytes after many queues, {queued} after one", taken());
        once
    });
    assert!(kept[0].abs_diff(kept[1]) <= SLACK, "{kept:?} bytes with short bodies and with long ones");
}
