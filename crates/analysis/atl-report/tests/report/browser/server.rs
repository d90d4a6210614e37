//! A local server for one report in several views, which waits until the browser has posted its
//! findings for each.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

/// Posts to the server what the frames find.
const RELAY: &str = "<script>addEventListener('message', ({ data }) => \
                     fetch('/seen/' + data.view, { method: 'POST', body: JSON.stringify(data.seen) }));</script>";

/// Findings of the browser by view.
type Seen = BTreeMap<String, serde_json::Value>;

#[derive(Debug)]
struct Shared {
    report: String,
    views: String,
    expected: usize,
    seen: Mutex<Seen>,
    told: Condvar,
}

/// The server. Its threads end with the process.
#[derive(Debug)]
pub(super) struct Server {
    pub(super) port: u16,
    shared: Arc<Shared>,
}

impl Server {
    /// Serves `report` at `/report`, and at `/` a page with a frame for each view: width in pixels,
    /// and true for dark.
    pub(super) fn of(report: String, views: &[(u32, bool)]) -> Server {
        let frame = |(width, dark): &(u32, bool)| {
            let scheme = if *dark { "dark" } else { "light" };
            format!(
                "<iframe src=\"/report#{width}-{scheme}\" style=\"border:0;width:{width}px;height:900px;color-scheme:{scheme}\"></iframe>"
            )
        };
        let frames: String = views.iter().map(frame).collect();
        // The image is served only when all findings are in, so the browser waits that long for the
        // page to load.
        let views_page =
            format!("<!doctype html><body>{RELAY}{frames}<img src=\"/told.svg\" alt=\"\">");
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared {
            report,
            views: views_page,
            expected: views.len(),
            seen: Mutex::default(),
            told: Condvar::new(),
        });
        let ours = Arc::clone(&shared);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let shared = Arc::clone(&ours);
                std::thread::spawn(move || shared.answer(stream));
            }
        });
        Server { port, shared }
    }

    pub(super) fn seen(&self) -> Seen {
        self.shared.seen.lock().expect("no thread panics with it").clone()
    }
}

impl Shared {
    fn answer(&self, stream: TcpStream) -> Option<()> {
        let mut reader = BufReader::new(stream.try_clone().ok()?);
        let mut request = String::new();
        reader.read_line(&mut request).ok()?;
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let line = line.trim().to_ascii_lowercase();
            if line.is_empty() {
                break;
            }
            if let Some(value) = line.strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let path = request.split(' ').nth(1)?;
        let (kind, text) = match path {
            "/" => ("text/html", self.views.as_str()),
            "/report" => ("text/html; charset=utf-8", self.report.as_str()),
            "/told.svg" => {
                self.wait();
                ("image/svg+xml", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>")
            }
            _ => {
                if let Some(view) = path.strip_prefix("/seen/") {
                    let told = serde_json::from_slice(&body).ok()?;
                    self.seen.lock().ok()?.insert(view.to_owned(), told);
                    self.told.notify_all();
                }
                ("text/plain", "")
            }
        };
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            text.len()
        );
        let mut stream = stream;
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(text.as_bytes())).ok()
    }

    /// Returns when all views have reported, or after 90 seconds.
    fn wait(&self) {
        if let Ok(seen) = self.seen.lock() {
            let open = |seen: &mut Seen| seen.len() < self.expected;
            drop(self.told.wait_timeout_while(seen, Duration::from_secs(90), open));
        }
    }
}
