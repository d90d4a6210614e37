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

/// Serves the page to whoever connects. It has no end of its own.
///
/// # Errors
/// If no connections can be accepted.
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
            // A browser that goes away is no error.
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
    // Another version of the program may be at this address tomorrow.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    // To HEAD the library answers with the length alone.
    *answer.body_mut() = match bytes {
        std::borrow::Cow::Borrowed(bytes) => Bytes::from_static(bytes).into(),
        std::borrow::Cow::Owned(bytes) => Bytes::copy_from_slice(bytes).into(),
    };
    answer
}
