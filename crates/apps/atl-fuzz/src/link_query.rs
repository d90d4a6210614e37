//! Questions about links, and their answers.

use atl_wire::link_query::{
    Answer, Body, LONGEST_INTERVAL, MAX_ANSWER, MAX_REQUEST, Query, Request, SHORTEST_INTERVAL,
};

/// Decodes the bytes as a request and as an answer: an accepted message has one form and sane
/// values.
pub fn link_query(data: &[u8]) {
    if let Ok(request) = Request::decode(data) {
        assert!(data.len() <= MAX_REQUEST);
        assert_eq!(request.encode().as_ref(), data);
        if let Query::Subscribe { every, .. } = request.query {
            assert!(every >= SHORTEST_INTERVAL && every <= LONGEST_INTERVAL);
        }
    }
    if let Ok(answer) = Answer::decode(data) {
        assert!(data.len() <= MAX_ANSWER);
        if let Body::Report(link) = &answer.body {
            assert!((0.0..=1.0).contains(&link.report.link.loss.get()));
        }
        // Encoding keeps rates beyond 2^53 b/s and times beyond 584 years only approximately, but a
        // second encoding changes nothing.
        let again = answer.encode();
        assert_eq!(Answer::decode(again.as_ref()), Ok(answer));
    }
}
