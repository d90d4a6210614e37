//! `atl playground` serves the page's files and nothing else. The page itself is tested in a
//! browser: `playground/test`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

use crate::{command, refused, with_tiny};

/// A server, which ends when this is dropped.
struct Server {
    child: Child,
    host: String,
    fragment: String,
}

impl Server {
    /// Serves the folder `page` of this directory at any free port.
    fn start(dir: &Path, args: &[&str]) -> Server {
        let args = [&["playground", "--folder", "page", "--port", "0"], args].concat();
        let child = command(dir, &args).stdout(Stdio::piped()).spawn();
        let mut child = child.expect("the program starts");
        let mut line = String::new();
        let out = child.stdout.take().expect("piped");
        BufReader::new(out).read_line(&mut line).expect("it says where it is");
        let address = line.strip_prefix("Playground  http://").expect("an address").trim();
        let (host, fragment) = address.split_once('/').expect("a path");
        Server { child, host: host.to_owned(), fragment: fragment.to_owned() }
    }

    /// Response to a request: status line and headers, and body.
    fn ask(&self, request: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        let text =
            format!("{request} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.host);
        stream.write_all(text.as_bytes()).expect("written");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("headers");
        (String::from_utf8_lossy(&answer[..end]).to_lowercase(), answer[end + 4..].to_vec())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A directory with a scenario, a page, and a file outside the page.
fn with_page() -> tempfile::TempDir {
    let dir = with_tiny();
    let page = dir.path().join("page");
    std::fs::create_dir(&page).expect("writable");
    std::fs::write(page.join("index.html"), "<!doctype html>").expect("writable");
    std::fs::write(page.join("atl_web.wasm"), b"\0asm\r\n\r\n").expect("writable");
    dir
}

#[test]
fn the_files_of_the_page_are_served_with_their_types() {
    let dir = with_page();
    let server = Server::start(dir.path(), &[]);
    assert!(server.host.starts_with("127.0.0.1:"), "only this machine: {}", server.host);
    let (head, body) = server.ask("GET /");
    assert!(head.starts_with("http/1.1 200") && head.contains("content-type: text/html"), "{head}");
    assert_eq!(body, b"<!doctype html>");
    let (head, body) = server.ask("GET /atl_web.wasm?version=1");
    assert!(head.contains("content-type: application/wasm"), "{head}");
    assert_eq!(body, b"\0asm\r\n\r\n");
    let (head, body) = server.ask("HEAD /index.html");
    assert!(head.contains("content-length: 15") && body.is_empty(), "{head}");
}

#[test]
fn nothing_else_is_served() {
    let dir = with_page();
    let server = Server::start(dir.path(), &[]);
    for path in
        ["/tiny.toml", "/../tiny.toml", "/%2e%2e/tiny.toml", "/page/index.html", "//index.html"]
    {
        let (head, body) = server.ask(&format!("GET {path}"));
        assert!(head.starts_with("http/1.1 404") && body.is_empty(), "{path}: {head}");
    }
    let (head, _) = server.ask("POST /");
    assert!(head.starts_with("http/1.1 405") && head.contains("allow: get, head"), "{head}");
    let mut noise = TcpStream::connect(&server.host).expect("it listens");
    noise.write_all(&[0xff; 100_000]).ok();
    drop(noise);
    assert!(
        server.ask("GET /").0.starts_with("http/1.1 200"),
        "noise ends its own connection only"
    );
}

#[test]
fn the_address_holds_the_scenario() {
    let dir = with_page();
    assert_eq!(Server::start(dir.path(), &[]).fragment, "");
    assert_eq!(Server::start(dir.path(), &["roaming"]).fragment, "#showcase/roaming");
    let own = Server::start(dir.path(), &["tiny.toml"]).fragment.clone();
    assert!(own.starts_with("#t=") && own.len() < 1200, "{own}");
}

#[test]
fn what_is_missing_is_named() {
    let dir = with_page();
    let said = refused(dir.path(), &["playground", "--folder", "nowhere"], 1);
    assert!(said.contains("cannot read nowhere"), "{said}");
    std::fs::create_dir(dir.path().join("empty")).expect("writable");
    let said = refused(dir.path(), &["playground", "--folder", "empty"], 1);
    assert!(said.contains("it has no index.html") && said.contains("make playground"), "{said}");
    let said = refused(dir.path(), &["playground", "roamign", "--folder", "page"], 2);
    assert!(said.contains("did you mean"), "{said}");
    let server = Server::start(dir.path(), &[]);
    let port = server.host.rsplit(':').next().expect("a port");
    let said = refused(dir.path(), &["playground", "--folder", "page", "--port", port], 1);
    assert!(said.contains(&format!("port {port}")) && said.contains("--port 0"), "{said}");
}
