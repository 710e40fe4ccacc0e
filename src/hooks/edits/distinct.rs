//! The list of files, each once, that stops growing at its cap.

use std::ops::ControlFlow;

use super::lexical::{Absolute, Style};
use super::{Edit, MAX_PATH_BYTES, MAX_TARGETS};

/// Files that were named, told apart by what their names collapse to.
pub(super) struct Distinct {
    style: Style,
    base: Absolute,
    paths: Vec<String>,
    places: Vec<Absolute>,
    truncated: bool,
}

impl Distinct {
    /// An empty list. Without a usable directory relative names are compared with each other all the same.
    pub(super) fn new(style: Style, directory: Option<&str>) -> Self {
        let base = directory.filter(|d| d.len() <= MAX_PATH_BYTES).and_then(|d| style.absolute(d));
        let base = base.unwrap_or_else(|| style.root());
        Self { style, base, paths: Vec::new(), places: Vec::new(), truncated: false }
    }

    /// Takes in one more name. Breaks when there is no room for another file: nothing needs to be read after that.
    pub(super) fn add(&mut self, path: &str) -> ControlFlow<()> {
        // The second test spares a patch that repeats itself the work of the third.
        if path.len() > MAX_PATH_BYTES || self.paths.iter().any(|known| known == path) {
            return ControlFlow::Continue(());
        }
        let Some(place) = self.style.resolve(&self.base, path) else { return ControlFlow::Continue(()) };
        if self.places.contains(&place) {
            return ControlFlow::Continue(());
        }
        if self.paths.len() == MAX_TARGETS {
            self.truncated = true;
            return ControlFlow::Break(());
        }
        self.places.push(place);
        self.paths.push(path.to_owned());
        ControlFlow::Continue(())
    }

    pub(super) fn into_edit(self) -> Edit {
        Edit::Targets { paths: self.paths, truncated: self.truncated }
    }
}
