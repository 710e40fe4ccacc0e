//! The notes on what a refresh did not find out: a fixed one for each kind of failure. None has the text of an error.

use super::{Cut, Trigger};
use crate::error::Error;
use crate::panel::NO_RECORDS;
use crate::snapshot::Missing;

/// How a refresh went wrong.
#[derive(Debug, Clone, Copy)]
pub(super) struct Failure {
    pub(super) trigger: Trigger,
    pub(super) cut: Option<Cut>,
    pub(super) no_corpus: bool,
}

/// The note on a part. `kept`: its last result is still shown.
pub(super) fn note(missing: &Missing, failure: Failure, kept: bool) -> String {
    let Failure { trigger, cut, no_corpus } = failure;
    let refresh = if trigger == Trigger::Edit { "Automatic refresh" } else { "Refresh" };
    // Whoever stops a refresh that follows an edit does so at its deadline.
    let timed_out = trigger == Trigger::Edit || cut == Some(Cut::TimedOut);
    let sentence = match missing.code {
        code if code == Error::TimedOut.code() => format!("{refresh} timed out"),
        code if code == Error::Aborted.code() && timed_out => format!("{refresh} timed out"),
        code if code == Error::Aborted.code() => format!("{refresh} was stopped"),
        code if no_corpus && code == (Error::Usage { message: String::new() }).code() => {
            NO_RECORDS.trim_end_matches('.').to_owned()
        }
        _ => {
            let separator = if kept { " Showing the previous result." } else { "" };
            return format!("{}{separator}", missing.note);
        }
    };
    format!("{sentence}{}", if kept { "; showing the previous result." } else { "." })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_words() {
        let usage = Error::Usage { message: "secret".into() };
        for (error, trigger, cut, no_corpus, kept, words) in [
            (
                &Error::Aborted,
                Trigger::Edit,
                Some(Cut::TimedOut),
                false,
                true,
                "Automatic refresh timed out; showing the previous result.",
            ),
            (
                &Error::Aborted,
                Trigger::Edit,
                Some(Cut::Stopped),
                false,
                true,
                "Automatic refresh timed out; showing the previous result.",
            ),
            (&Error::TimedOut, Trigger::Edit, None, false, false, "Automatic refresh timed out."),
            (
                &Error::Aborted,
                Trigger::Manual,
                Some(Cut::TimedOut),
                false,
                true,
                "Refresh timed out; showing the previous result.",
            ),
            (
                &Error::Aborted,
                Trigger::Open,
                Some(Cut::Stopped),
                false,
                true,
                "Refresh was stopped; showing the previous result.",
            ),
            (&Error::Aborted, Trigger::Manual, None, false, false, "Refresh was stopped."),
            (
                &Error::GitUnavailable,
                Trigger::Open,
                None,
                false,
                true,
                "Git is not available. Showing the previous result.",
            ),
            (
                &Error::NotWorkTree,
                Trigger::Open,
                None,
                false,
                false,
                "The directory is not inside a git work tree.",
            ),
            (&usage, Trigger::Open, None, true, false, NO_RECORDS),
            (
                &usage,
                Trigger::Open,
                None,
                true,
                true,
                "There are no decision records here; showing the previous result.",
            ),
            (
                &usage,
                Trigger::Open,
                None,
                false,
                false,
                "The adr command did not accept the question, or there are no records.",
            ),
        ] {
            let failure = Failure { trigger, cut, no_corpus };
            assert_eq!(note(&Missing::from(error), failure, kept), words);
        }
    }
}
