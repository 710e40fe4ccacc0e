//! Where the targets of earlier edits lay.

use std::collections::HashMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::cache::File;
use super::limits::MAX_CACHED_CHECKS;

/// The files that targets named, by working directory and target. Targets in the corpus are not among them.
#[derive(Debug, Default)]
pub(super) struct Places {
    files: HashMap<Utf8PathBuf, HashMap<String, Option<File>>>,
    count: usize,
}

impl Places {
    /// The files that `targets` named when they were last looked at, each once; none unless all have been. A target
    /// outside of `cwd` names no file.
    pub(super) fn find(&self, cwd: &Utf8Path, targets: &[String]) -> Option<Vec<File>> {
        let known = self.files.get(cwd)?;
        let mut files: Vec<File> = Vec::with_capacity(targets.len());
        for target in targets {
            if let Some(file) = known.get(target)?
                && !files.contains(file)
            {
                files.push(file.clone());
            }
        }
        Some(files)
    }

    /// Remembers which file `target` named, if any. Past a number of targets the earlier ones are forgotten.
    pub(super) fn put(&mut self, cwd: &Utf8Path, target: &str, file: Option<File>) {
        if self.count >= MAX_CACHED_CHECKS {
            self.clear();
        }
        let known = self.files.entry(cwd.to_owned()).or_default();
        if known.insert(target.to_owned(), file).is_none() {
            self.count += 1;
        }
    }

    /// Forgets all.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CWD: &str = "/w";

    fn file(path: &str) -> File {
        File::new(CWD.into(), path.to_owned())
    }

    #[test]
    fn targets_are_known_together_or_not_at_all() {
        let mut places = Places::default();
        places.put(CWD.into(), "a", Some(file("a")));
        places.put(CWD.into(), "/w/a", Some(file("a")));
        places.put(CWD.into(), "/b", None);
        let find = |targets: &[&str]| {
            places.find(CWD.into(), &targets.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(find(&["a", "/w/a", "/b"]), Some(vec![file("a")]));
        assert_eq!(find(&["a", "c"]), None);
        assert_eq!(places.find("/v".into(), &["a".to_owned()]), None);
    }

    #[test]
    fn there_are_never_more_than_so_many() {
        let mut places = Places::default();
        for n in 0..=MAX_CACHED_CHECKS {
            places.put(CWD.into(), &n.to_string(), None);
        }
        assert_eq!(places.files[Utf8Path::new(CWD)].len(), 1);
        assert!(places.find(CWD.into(), &[MAX_CACHED_CHECKS.to_string()]).is_some());
    }
}
