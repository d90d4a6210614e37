//! An error that ends a connection.

/// See [the module](self).
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;
