//! The names of signals.

/// The name of a signal number on this system, such as `SIGTERM`; none for real-time and unknown signals, and always
/// none on Windows, which has no signals.
#[must_use]
#[cfg(unix)]
pub fn signal_name(number: i32) -> Option<&'static str> {
    use rustix::process::Signal;
    const NAMES: &[(Signal, &str)] = &[
        (Signal::HUP, "SIGHUP"),
        (Signal::INT, "SIGINT"),
        (Signal::QUIT, "SIGQUIT"),
        (Signal::ILL, "SIGILL"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::USR1, "SIGUSR1"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::USR2, "SIGUSR2"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::ALARM, "SIGALRM"),
        (Signal::TERM, "SIGTERM"),
        (Signal::CHILD, "SIGCHLD"),
        (Signal::CONT, "SIGCONT"),
        (Signal::STOP, "SIGSTOP"),
        (Signal::TSTP, "SIGTSTP"),
        (Signal::TTIN, "SIGTTIN"),
        (Signal::TTOU, "SIGTTOU"),
        (Signal::URG, "SIGURG"),
        (Signal::XCPU, "SIGXCPU"),
        (Signal::XFSZ, "SIGXFSZ"),
        (Signal::VTALARM, "SIGVTALRM"),
        (Signal::PROF, "SIGPROF"),
        (Signal::WINCH, "SIGWINCH"),
        (Signal::IO, "SIGIO"),
        (Signal::SYS, "SIGSYS"),
        #[cfg(target_os = "linux")]
        (Signal::POWER, "SIGPWR"),
    ];
    NAMES.iter().find(|(signal, _)| signal.as_raw() == number).map(|(_, name)| *name)
}

/// The name of a signal number; always none on Windows, which has no signals.
#[must_use]
#[cfg(windows)]
pub fn signal_name(_number: i32) -> Option<&'static str> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_that_posix_fixes_have_their_names() {
        for (number, name) in [(1, "SIGHUP"), (2, "SIGINT"), (6, "SIGABRT"), (9, "SIGKILL"), (15, "SIGTERM")]
        {
            assert_eq!(signal_name(number), Some(name));
        }
        for number in [i32::MIN, -9, 0, 64, 4096, i32::MAX] {
            assert_eq!(signal_name(number), None, "{number}");
        }
    }
}
