//! Keeps a panic where it happened.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use crate::error::{Error, Result};

/// Runs `work`; a panic becomes [`Error::Internal`].
pub(crate) async fn contained<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    let mut work = pin!(work);
    poll_fn(|cx| {
        catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(cx))).unwrap_or(Poll::Ready(Err(Error::Internal)))
    })
    .await
}

/// Runs `work`; a panic becomes [`Error::Internal`].
pub(crate) fn contained_now<T>(work: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| Error::Internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_at_any_point_is_an_internal_error() {
        let outcome = contained(async {
            tokio::task::yield_now().await;
            None::<()>.ok_or(Error::Aborted).map_err(|_| panic!("secret"))
        });
        assert_eq!(outcome.await, Err(Error::Internal));
        assert_eq!(contained(async { Ok(1) }).await, Ok(1));
        assert_eq!(
            contained_now(|| None::<()>.ok_or(Error::Aborted).map_err(|_| panic!("secret"))).map(drop),
            Err(Error::Internal)
        );
        assert_eq!(contained_now(|| 1), Ok(1));
    }
}
