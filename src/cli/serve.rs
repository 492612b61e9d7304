//! `serve`: opens everything, publishes the demo when asked, listens, and stops in order.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::args::ServeArgs;
use super::error::{CliError, Exit};
use super::output;
use crate::catalog::Catalog;
use crate::config::{Config, Environment};
use crate::domain::Clock;
use crate::ops::{self, DemoReport, Opened};
use crate::web::{self, Answers, AppState, Site};

/// Bytes of answers kept in memory.
const ANSWER_CACHE_BYTES: u64 = 64 * 1024 * 1024;

/// Runs the server until SIGTERM or SIGINT; a second signal ends it at once.
pub(super) fn run(args: ServeArgs, environment: &Environment) -> Result<Exit, CliError> {
    let config = Config::load(&args.server, environment)?;
    let demo = args.demo.then_some(args.demo_dir);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| CliError::fault(format!("the asynchronous runtime cannot be started: {error}")))?;
    runtime.block_on(async {
        let clock = Clock::system();
        let mut signals = Signals::watch()?;
        // First, so that a taken address is said at once and nothing is made.
        let (listener, address) = listen(config.bind).await?;
        let opened = ops::open(&config, clock.clone()).await.map_err(|error| CliError::fault(error.to_string()))?;
        let demo = match demo {
            Some(dir) => Some(ops::publish_demo(&opened, &dir, &clock).await.map_err(|error| {
                CliError::fault(error.to_string()).hint("--demo-dir names the folder of the demo roles")
            })?),
            None => None,
        };
        let state = state(&config, &opened, address);
        output::data(&greeting(&state.site, address, demo.as_ref()))?;
        let follower = tokio::spawn(follow(Arc::clone(&opened.catalog)));
        let stop = async {
            signals.next().await;
            tracing::info!("stopping: no new connections, requests in flight may finish");
            tokio::spawn(async move {
                signals.next().await;
                std::process::exit(130);
            });
        };
        web::serve(listener, web::router(state), &config.server, stop).await;
        follower.abort();
        let _ = follower.await;
        opened.catalog.close().await;
        tracing::info!("stopped");
        Ok(Exit::Done)
    })
}

async fn listen(bind: SocketAddr) -> Result<(TcpListener, SocketAddr), CliError> {
    let fault = |error: std::io::Error| {
        CliError::fault(format!("cannot listen on {bind}: {error}")).hint("--bind names another address")
    };
    let listener = TcpListener::bind(bind).await.map_err(fault)?;
    let address = listener.local_addr().map_err(fault)?;
    Ok((listener, address))
}

fn greeting(site: &Site, address: SocketAddr, demo: Option<&DemoReport>) -> String {
    let listens = format!("role-catalog listens on http://{address}");
    let Some(DemoReport { created, unchanged, refused }) = demo else { return listens };
    let origin = &site.origin;
    format!(
        "{listens}\n  \
         demo roles   {created} published, {unchanged} there already, {refused} refused\n  \
         website      {origin}/en/  {origin}/zh-CN/\n  \
         interface    {origin}/api/v1/roles"
    )
}

fn state(config: &Config, opened: &Opened, address: SocketAddr) -> AppState {
    AppState {
        catalog: Arc::clone(&opened.catalog),
        store: Arc::clone(&opened.store),
        pipeline: Arc::clone(&opened.pipeline),
        answers: Answers::new(Arc::clone(&opened.catalog), ANSWER_CACHE_BYTES),
        site: Arc::new(Site::new(config.site.origin(address), config.site.clone())),
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
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn watch() -> Result<Self, CliError> {
        let watch = |kind| signal(kind).map_err(|error| CliError::fault(format!("cannot watch for signals: {error}")));
        Ok(Self { terminate: watch(SignalKind::terminate())?, interrupt: watch(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
