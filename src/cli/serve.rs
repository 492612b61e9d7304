//! `role-catalog serve`: opens everything, publishes the demo when asked, listens, and stops in order.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

use crate::catalog::Catalog;
use crate::config::Config;
use crate::domain::Clock;
use crate::ops::{self, DemoError, OpenError, Opened};
use crate::web::{self, AppState, Site};

/// Why the server did not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The data directory.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The demo roles.
    #[error(transparent)]
    Demo(#[from] DemoError),
    /// The address.
    #[error("cannot listen on {0}: {1}")]
    Bind(SocketAddr, #[source] io::Error),
    /// The signals.
    #[error("cannot watch for signals: {0}")]
    Signals(#[source] io::Error),
}

/// Runs the server until SIGTERM or SIGINT; a second signal ends it at once. `started` is told where it listens.
pub async fn run(
    config: Config,
    demo: Option<PathBuf>,
    started: impl FnOnce(SocketAddr, &Config),
) -> Result<(), ServeError> {
    let clock = Clock::system();
    let mut signals = Signals::watch().map_err(ServeError::Signals)?;
    let opened = ops::open(&config, clock.clone()).await?;
    // Bound before the demo is published: a taken address is said at once.
    let listener = TcpListener::bind(config.bind).await.map_err(|error| ServeError::Bind(config.bind, error))?;
    let address = listener.local_addr().map_err(|error| ServeError::Bind(config.bind, error))?;
    if let Some(dir) = demo {
        let report = ops::publish_demo(&opened, &dir, &clock).await?;
        tracing::info!(
            created = report.created,
            unchanged = report.unchanged,
            refused = report.refused,
            "demo roles published"
        );
    }
    let router = web::router(state(&config, &opened, address));
    let follower = tokio::spawn(follow(Arc::clone(&opened.catalog)));
    started(address, &config);
    let stop = async {
        signals.next().await;
        tracing::info!("stopping: no new connections, requests in flight may finish");
        tokio::spawn(async move {
            signals.next().await;
            std::process::exit(130);
        });
    };
    web::serve(listener, router, &config.server, stop).await;
    follower.abort();
    opened.catalog.close().await;
    tracing::info!("stopped");
    Ok(())
}

fn state(config: &Config, opened: &Opened, address: SocketAddr) -> AppState {
    AppState {
        catalog: Arc::clone(&opened.catalog),
        store: Arc::clone(&opened.store),
        pipeline: Arc::clone(&opened.pipeline),
        site: Arc::new(Site { origin: config.site.origin(address), settings: config.site.clone() }),
        limits: Arc::new(config.server.clone()),
        spool_dir: Arc::new(opened.spool_dir.clone()),
    }
}

/// Keeps the revision fresh while other processes write; a database that is away for a while is asked again.
async fn follow(catalog: Arc<Catalog>) {
    const PAUSE: Duration = Duration::from_secs(5);
    loop {
        if let Err(error) = catalog.follow_other_processes().await {
            tracing::warn!(%error, "changes of other processes are not seen just now");
        }
        tokio::time::sleep(PAUSE).await;
    }
}

struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

impl Signals {
    fn watch() -> io::Result<Self> {
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
