//! What every handler can reach.

use std::path::PathBuf;
use std::sync::Arc;

use super::answers::Answers;
use crate::catalog::Catalog;
use crate::config::{Origin, ServerLimits, SiteSettings};
use crate::publish::Pipeline;
use crate::storage::BlobStore;

/// The parts of a running server; cloned per request, all of it shared.
#[derive(Debug, Clone)]
pub struct AppState {
    /// The catalog.
    pub catalog: Arc<Catalog>,
    /// The objects.
    pub store: Arc<dyn BlobStore>,
    /// The way in.
    pub pipeline: Arc<Pipeline>,
    /// The response cache in front of the catalog.
    pub answers: Answers,
    /// What the site says about itself.
    pub site: Arc<Site>,
    /// The limits on requests.
    pub limits: Arc<ServerLimits>,
    /// Where uploads are spooled.
    pub spool_dir: Arc<PathBuf>,
}

/// What pages say about the site; from configuration, never from a request.
#[derive(Debug, Clone)]
pub struct Site {
    /// The origin of canonical URLs.
    pub origin: Origin,
    /// The same as text, as pages need it.
    pub origin_text: String,
    /// Everything else.
    pub settings: SiteSettings,
}

impl Site {
    /// A site at this origin.
    #[must_use]
    pub fn new(origin: Origin, settings: SiteSettings) -> Self {
        Self { origin_text: origin.to_string(), origin, settings }
    }
}
