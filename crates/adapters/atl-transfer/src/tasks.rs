//! Tasks of the runtime, and their results.

use std::panic::resume_unwind;

use tokio::task::{JoinError, spawn_blocking};

/// The result of a task. Its panic continues here. A task that the ending runtime has dropped gives
/// no result: this waits until it is dropped too.
pub(crate) async fn outcome<T>(ended: Result<T, JoinError>) -> T {
    match ended.map_err(JoinError::try_into_panic) {
        Ok(value) => value,
        Err(Ok(panic)) => resume_unwind(panic),
        Err(Err(_dropped)) => std::future::pending().await,
    }
}

/// Runs `work`, which may wait for the disk, on a thread for blocking calls.
pub(crate) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    outcome(spawn_blocking(work).await).await
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::runtime::Builder;
    use tokio::time::timeout;

    use super::*;

    #[test]
    fn a_value_comes_a_panic_goes_on_and_a_dropped_task_gives_nothing() {
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime");
        assert_eq!(runtime.block_on(blocking(|| 7)), 7);
        let panics = runtime.spawn(blocking(|| panic!("on purpose")));
        assert!(runtime.block_on(panics).expect_err("it panics").is_panic());
        let dropped = runtime.block_on(async {
            let task = tokio::spawn(std::future::pending::<()>());
            task.abort();
            timeout(Duration::from_millis(20), outcome(task.await)).await
        });
        assert!(dropped.is_err(), "nobody goes on without a value");
    }
}
