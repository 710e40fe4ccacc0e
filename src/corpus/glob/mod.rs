//! The path patterns of `affects`: picomatch's dialect.
//!
//! The behaviour follows picomatch 4.0.5 (MIT, Jon Schlinkert) with `{ dot: false, nocase: false, nonegate: true }` on
//! POSIX, plus what the `adr` command does before it:
//!
//! - a path has each `\` made `/`, and one leading `./` dropped ([`Candidate`]);
//! - a path with a segment that begins with a dot needs a pattern that has one too;
//! - a path identical to the pattern's text matches, whatever the pattern means.
//!
//! picomatch makes a JavaScript regular expression of a pattern. So does this module (`translate`), then it reads that
//! (`jsregex`), compiles it (`compile`) and runs it in time linear in pattern x path (`search`, `sweep`).
//! Backreferences are the exception (`recall`): their work is bounded, not linear.
//!
//! On Windows picomatch writes its expressions for both separators. As no candidate holds a `\`, that makes no
//! difference to patterns that a person writes, and this module keeps to the POSIX form everywhere.

mod candidate;
mod candidates;
mod compile;
mod conditions;
mod jsregex;
mod limits;
mod literal;
mod program;
mod recall;
mod search;
mod sweep;
mod translate;

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

pub use candidate::Candidate;
pub use candidates::Candidates;

use candidate::has_hidden_segment;
use literal::Affixes;
use program::Program;
use translate::Failure;

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Glob {
    source: Box<str>,
    /// A segment of the pattern begins with a dot.
    hidden: bool,
    engine: Engine,
}

/// The pattern cannot be compiled, or not be run (`affects-bad-pattern`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadPattern {
    /// It begins with `/`.
    LeadingSlash,
    /// It is larger than the engine takes.
    Invalid,
}

/// What decides after the rules about the path.
#[derive(Debug, Clone)]
enum Engine {
    /// The expression is none, or too much work: only the pattern's own text matches.
    Never,
    /// The command compiles the pattern, and fails when it runs it.
    Fails,
    /// The usual case.
    Program(Box<Compiled>),
}

#[derive(Debug, Clone)]
struct Compiled {
    affixes: Affixes,
    /// Made for the first path that has the affixes: most patterns of a large corpus never meet one. None where it
    /// would be too large; then only the pattern's own text matches.
    program: OnceLock<Option<Program>>,
}

impl Engine {
    fn new(source: &str) -> Self {
        let Ok(ast) = jsregex::parse(source) else { return Self::Never };
        if source.len() > limits::ALWAYS_FINE && limits::exceeds(&ast) {
            return Self::Fails;
        }
        Self::Program(Box::new(Compiled { affixes: Affixes::new(&ast), program: OnceLock::new() }))
    }
}

impl Compiled {
    /// The program of `pattern`, which is that of these affixes.
    fn program(&self, pattern: &str) -> Option<&Program> {
        let compile = || {
            let ast = jsregex::parse(&translate::translate(pattern).ok()?).ok()?;
            compile::compile(&ast).ok()
        };
        self.program.get_or_init(compile).as_ref()
    }
}

impl Glob {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Where the command reports `affects-bad-pattern` for it, whatever the paths are.
    pub fn new(pattern: &str) -> Result<Self, BadPattern> {
        if pattern.starts_with('/') {
            return Err(BadPattern::LeadingSlash);
        }
        let engine = match translate::translate(pattern) {
            Err(Failure::Bad(bad)) => return Err(bad),
            Err(Failure::TooMuchWork) => Engine::Never,
            Ok(source) => Engine::new(&source),
        };
        Ok(Self { source: pattern.into(), hidden: has_hidden_segment(pattern), engine })
    }

    /// Does the pattern match the whole path? Not where [`Glob::check`] fails.
    #[must_use]
    pub fn is_match(&self, path: &str) -> bool {
        self.is_match_candidate(&Candidate::new(path))
    }

    /// The same as [`Glob::is_match`], for a path that meets many patterns.
    #[must_use]
    pub fn is_match_candidate(&self, candidate: &Candidate) -> bool {
        self.check(candidate) == Ok(true)
    }

    /// Does the pattern match the whole path?
    ///
    /// # Errors
    /// Where the command reports `affects-bad-pattern` only when it matches a path: the pattern is enormous (see
    /// `limits.rs`), and neither of the rules about paths has decided. It stops at the first match or error.
    pub fn check(&self, candidate: &Candidate) -> Result<bool, BadPattern> {
        self.run(candidate, &mut 0)
    }

    /// Does the pattern match one of the paths?
    ///
    /// # Errors
    /// As [`Glob::check`], of the paths in their order.
    pub fn check_any(&self, candidates: &Candidates) -> Result<bool, BadPattern> {
        let is_itself = || candidates.find(&self.source).is_some_and(|path| self.check(path) == Ok(true));
        match &self.engine {
            Engine::Never => Ok(is_itself()),
            Engine::Program(compiled) => {
                Ok(is_itself() || candidates.near(&compiled.affixes).any(|path| self.check(path) == Ok(true)))
            }
            Engine::Fails => {
                for path in candidates.iter() {
                    if self.check(path)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Counts the instructions that were run.
    fn run(&self, candidate: &Candidate, steps: &mut u64) -> Result<bool, BadPattern> {
        if candidate.is_hidden() && !self.hidden || candidate.as_str().is_empty() {
            return Ok(false);
        }
        if candidate.as_str() == &*self.source {
            return Ok(true);
        }
        let compiled = match &self.engine {
            Engine::Never => return Ok(false),
            Engine::Fails => return Err(BadPattern::Invalid),
            Engine::Program(compiled) => compiled,
        };
        let units = candidate.units();
        if !compiled.affixes.admit(units) {
            return Ok(false);
        }
        Ok(compiled.program(&self.source).is_some_and(|program| {
            if program.slots > 0 {
                recall::is_match(program, units, steps)
            } else {
                search::is_match(program, units, steps)
            }
        }))
    }
}
