//! The path patterns of `affects`: picomatch's dialect.
//!
//! The behaviour follows picomatch 4.0.5 (MIT, Jon Schlinkert) with `{ dot: false, nocase: false, nonegate: true }` on
//! POSIX, plus what the `adr` command does before it:
//!
//! - a path has each `\` made `/`, and one leading `./` dropped ([`Candidate`]);
//! - a path with a segment that begins with a dot needs a pattern that has one too;
//! - a path identical to the pattern's text matches, whatever the pattern means.
//!
//! picomatch makes a JavaScript regular expression of a pattern. So does this module ([`translate`]), then it reads that
//! ([`jsregex`]), compiles it ([`program`]) and runs it in time linear in pattern x path ([`search`], [`sweep`]).
//! Backreferences are the exception ([`recall`]): their work is bounded, not linear.

mod candidate;
mod conditions;
mod jsregex;
mod program;
mod recall;
mod search;
mod sweep;
mod translate;

pub use candidate::Candidate;

use candidate::has_hidden_segment;
use program::Program;
use translate::Failure;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Glob {
    source: String,
    /// A segment of the pattern begins with a dot.
    hidden: bool,
    engine: Engine,
}

/// The pattern cannot be compiled (`affects-bad-pattern`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadPattern {
    /// It begins with `/`.
    LeadingSlash,
    /// It is longer than the engine takes.
    Invalid,
}

/// What decides after the rules about the path.
#[derive(Debug, Clone)]
enum Engine {
    /// The expression is none, or has no match: only the pattern's own text matches.
    Never,
    Program(Box<Program>),
}

impl Glob {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Where the command reports `affects-bad-pattern` for it.
    pub fn new(pattern: &str) -> Result<Self, BadPattern> {
        if pattern.starts_with('/') {
            return Err(BadPattern::LeadingSlash);
        }
        let engine = match translate::translate(pattern) {
            Err(Failure::Bad(bad)) => return Err(bad),
            Err(Failure::TooMuchWork) => Engine::Never,
            Ok(source) => match jsregex::parse(&source).map(|ast| Program::new(&ast)) {
                Ok(Ok(program)) => Engine::Program(Box::new(program)),
                Ok(Err(program::TooLarge)) | Err(jsregex::SyntaxError) => Engine::Never,
            },
        };
        Ok(Self { source: pattern.to_owned(), hidden: has_hidden_segment(pattern), engine })
    }

    /// Does the pattern match the whole path?
    #[must_use]
    pub fn is_match(&self, path: &str) -> bool {
        self.is_match_candidate(&Candidate::new(path))
    }

    /// Does the pattern match the whole path? The same as [`Glob::is_match`], for many patterns.
    #[must_use]
    pub fn is_match_candidate(&self, candidate: &Candidate) -> bool {
        let mut steps = 0;
        self.run(candidate, &mut steps)
    }

    fn run(&self, candidate: &Candidate, steps: &mut u64) -> bool {
        if candidate.is_hidden() && !self.hidden || candidate.as_str().is_empty() {
            return false;
        }
        if candidate.as_str() == self.source {
            return true;
        }
        match &self.engine {
            Engine::Never => false,
            Engine::Program(program) if program.slots > 0 => {
                recall::is_match(program, candidate.units(), steps)
            }
            Engine::Program(program) => search::is_match(program, candidate.units(), steps),
        }
    }
}
