//! The embedded engine alone. `npm run bench` makes the repositories, runs this, and reads what criterion writes.
//!
//! `ADRKIT_BENCH_REPOSITORIES` is a directory with one repository for each size of corpus, named by the number of its
//! records, each with the list of its files in `files.txt`. `ADRKIT_BENCH_QUICK` is set where only the harness is tried.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::time::{Duration, SystemTime};

use adrkit_native::corpus::glob::{Candidate, Glob};
use adrkit_native::corpus::{Cache, Reader, record};
use camino::{Utf8Path, Utf8PathBuf};
use criterion::{BenchmarkId, Criterion, SamplingMode, Throughput};

const DIR: &str = "docs/adr";

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

/// The patterns that records use most: a directory, a suffix, one level, alternatives, and a plain file.
const PATTERNS: [&str; 5] = [
    "packages/core/src/**",
    "**/*.test.ts",
    "packages/*/package.json",
    "src/{net,http}/**/*.ts",
    "package.json",
];

/// Samples of what takes long.
const FEW: usize = 10;

fn main() -> Outcome {
    let repositories = std::env::var("ADRKIT_BENCH_REPOSITORIES")
        .map_err(|_| "ADRKIT_BENCH_REPOSITORIES is not set; run `npm run bench -- engine`")?;
    let repositories = Utf8Path::new(&repositories).canonicalize_utf8()?;
    let (samples, seconds) =
        if std::env::var_os("ADRKIT_BENCH_QUICK").is_some() { (FEW, 1) } else { (50, 5) };
    let mut criterion = Criterion::default()
        .sample_size(samples)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(seconds));
    let small = Repository::at(repositories.join("500"))?;
    let large = Repository::at(repositories.join("10000"))?;
    cold_load(&mut criterion, &[&small, &large]);
    warm_check(&mut criterion, &small);
    globs(&mut criterion, &small)?;
    front_matter(&mut criterion, &small)?;
    criterion.final_summary();
    Ok(())
}

struct Repository {
    root: Utf8PathBuf,
    files: Vec<String>,
}

impl Repository {
    fn at(root: Utf8PathBuf) -> Outcome<Self> {
        let files =
            fs::read_to_string(root.with_extension("files.txt"))?.lines().map(str::to_owned).collect();
        Ok(Self { root, files })
    }

    fn records(&self) -> Outcome<Vec<Utf8PathBuf>> {
        let mut records: Vec<Utf8PathBuf> = self
            .root
            .join(DIR)
            .read_dir_utf8()?
            .map(|entry| entry.map(|e| e.path().to_owned()))
            .collect::<Result<_, _>>()?;
        records.sort();
        Ok(records)
    }
}

/// All records are read and parsed: what the first question of a process costs, the files of the system being cached.
fn cold_load(criterion: &mut Criterion, repositories: &[&Repository]) {
    let mut group = criterion.benchmark_group("cold load");
    group.sampling_mode(SamplingMode::Flat).sample_size(FEW);
    for repository in repositories {
        let records = repository.root.file_name().unwrap_or_default();
        let path = &repository.files[..1];
        group.bench_function(BenchmarkId::from_parameter(format!("{records} records")), |bencher| {
            bencher.iter(|| adrkit_native::corpus::check(&repository.root, DIR, path));
        });
    }
    group.finish();
}

/// The records are remembered. They are looked at, and so are the files.
fn warm_check(criterion: &mut Criterion, repository: &Repository) {
    let cache = Cache::default();
    let later = SystemTime::now() + adrkit_native::corpus::SETTLED * 2;
    let mut group = criterion.benchmark_group("warm check");
    group.sampling_mode(SamplingMode::Flat);
    for paths in [1, 200, 3000] {
        let files = &repository.files[..paths];
        let reader = Reader::remembering(&cache, later);
        group.throughput(Throughput::Elements(paths as u64));
        group.bench_function(BenchmarkId::from_parameter(format!("{paths} paths")), |bencher| {
            bencher.iter(|| reader.check(&repository.root, DIR, files));
        });
    }
    group.finish();
}

fn globs(criterion: &mut Criterion, repository: &Repository) -> Outcome {
    let mut group = criterion.benchmark_group("glob");
    group.bench_function("compile 5 patterns", |bencher| {
        bencher.iter(|| PATTERNS.map(|pattern| Glob::new(black_box(pattern)).is_ok()));
    });
    let globs: Vec<Glob> =
        PATTERNS.iter().map(|p| Glob::new(p)).collect::<Result<_, _>>().map_err(|_| "a bad pattern")?;
    let candidates: Vec<Candidate> = repository.files.iter().map(|path| Candidate::new(path)).collect();
    group.throughput(Throughput::Elements((globs.len() * candidates.len()) as u64));
    group.bench_function(format!("match 5 patterns with {} paths", candidates.len()), |bencher| {
        bencher.iter(|| {
            globs.iter().map(|g| candidates.iter().filter(|c| g.is_match_candidate(c)).count()).sum::<usize>()
        });
    });
    group.finish();
    Ok(())
}

fn front_matter(criterion: &mut Criterion, repository: &Repository) -> Outcome {
    let texts: Vec<String> =
        repository.records()?.iter().map(fs::read_to_string).collect::<Result<_, _>>()?;
    let mut group = criterion.benchmark_group("front matter");
    group.throughput(Throughput::Elements(texts.len() as u64));
    group.bench_function(format!("parse {} records", texts.len()), |bencher| {
        bencher.iter(|| texts.iter().filter(|text| record::parse("0001.md", text).record.is_some()).count());
    });
    group.finish();
    Ok(())
}
