//! A server of the page's files, for browsers on this machine.

use std::convert::Infallible;
use std::sync::Arc;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;

use super::page::Page;
use crate::failure::Failure;
use crate::status::Status;

type Answer = Response<Full<Bytes>>;

/// Serves the page on all connections, without end.
///
/// # Errors
/// If connections cannot be accepted.
pub(super) async fn serve(listener: TcpListener, page: Arc<Page>) -> Result<Status, Failure> {
    loop {
        let (stream, _) = listener
            .accept()
            .await
            .map_err(|e| Failure::Runtime(format!("cannot accept a connection: {e}")))?;
        let page = Arc::clone(&page);
        tokio::spawn(async move {
            let answer = service_fn(|request| {
                let answer = answer(&request, &page);
                async { Ok::<_, Infallible>(answer) }
            });
            // A browser that closes the connection is no error.
            let _ = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
    }
}

fn answer<T>(request: &Request<T>, page: &Page) -> Answer {
    let mut answer = Answer::default();
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        *answer.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
        answer.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return answer;
    }
    let Some((kind, bytes)) = page.file(request.uri().path()) else {
        *answer.status_mut() = StatusCode::NOT_FOUND;
        return answer;
    };
    let headers = answer.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    // A later version of the program may serve another page at the same address.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // The library sends only the length in answer to HEAD.
    *answer.body_mut() = match bytes {
        std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes).into(),
        std::borrow::Cow::Owned(bytes) => Bytes::copy_from_slice(bytes).into(),
    };
    answer
}
