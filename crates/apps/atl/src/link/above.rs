//! Output of programs on the terminal that also shows the links: it is printed above them, line by
//! line.

use std::io::{self, BufRead as _, BufReader, PipeReader, PipeWriter, Write};
use std::thread::{self, JoinHandle};

use indicatif::ProgressBar;

/// Copies the output of programs to the terminal above the links.
#[derive(Debug)]
pub(super) struct Above {
    bar: ProgressBar,
    readers: Vec<JoinHandle<()>>,
}

/// Destination of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Output,
    Error,
}

impl Above {
    /// Output goes above the lines of `bar`.
    pub(super) fn new(bar: ProgressBar) -> Above {
        Above { bar, readers: Vec::new() }
    }

    /// A pipe for a program's output, which is copied to `stream`.
    ///
    /// # Errors
    /// If the system has no pipe or thread left.
    pub(super) fn pipe(&mut self, stream: Stream) -> io::Result<PipeWriter> {
        let (reader, writer) = io::pipe()?;
        let bar = self.bar.clone();
        let pass_on = move || match stream {
            Stream::Output => copy(reader, &bar, &mut io::stdout()),
            Stream::Error => copy(reader, &bar, &mut io::stderr()),
        };
        self.readers.push(thread::Builder::new().name("output".to_owned()).spawn(pass_on)?);
        Ok(writer)
    }

    /// Waits until all output is shown. The programs must have ended.
    pub(super) fn finish(self) {
        for reader in self.readers {
            // A panic has been reported by the thread itself.
            let _ = reader.join();
        }
    }
}

fn copy(reader: PipeReader, bar: &ProgressBar, to: &mut impl Write) {
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    while matches!(reader.read_until(b'\n', &mut line), Ok(length) if length > 0) {
        let shown = shown(&line);
        // Output to a closed terminal is dropped.
        bar.suspend(|| _ = to.write_all(&shown).and_then(|()| to.flush()));
        line.clear();
    }
}

/// A line in its final form: text overwritten after a carriage return is left out. It ends with a
/// line feed, so that the links start on a line of their own.
fn shown(line: &[u8]) -> Vec<u8> {
    let text = line.strip_suffix(b"\n").unwrap_or(line);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let last = text.rsplit(|byte| *byte == b'\r').next().unwrap_or(text);
    [last, b"\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn a_line_is_shown_as_it_stands_in_the_end() {
        assert_eq!(shown(b"10 %\r50 %\r100 %\n"), b"100 %\n");
        assert_eq!(shown(b"a line\r\n"), b"a line\n");
        assert_eq!(shown(b"no end"), b"no end\n");
        assert_eq!(shown(b"\n"), b"\n");
    }
}
