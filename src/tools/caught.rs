//! Panics of a future as values.

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

/// The output of `future`; none when it panicked. It is not polled again after that.
pub(super) async fn caught<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
        Ok(poll) => poll.map(Some),
        Err(_) => Poll::Ready(None),
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn panics_become_none_at_any_point() {
        assert_eq!(caught(async { 1 }).await, Some(1));
        assert_eq!(caught(async { panic!("at once") }).await, None::<()>);
        let later = async {
            tokio::task::yield_now().await;
            panic!("later")
        };
        assert_eq!(caught(later).await, None::<()>);
    }
}
