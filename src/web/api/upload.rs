//! Receiving a body: bounded in bytes and in time, or read no further than kindness asks.

use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, header};
use futures_util::StreamExt as _;
use tokio::time::{Instant, timeout, timeout_at};

use crate::publish::{Spool, SpoolError, Upload};
use crate::web::problem::Problem;
use crate::web::state::AppState;

/// Over any such window a body must keep up the least rate.
const WINDOW: Duration = Duration::from_secs(30);

/// Receives the body into a spool.
///
/// # Errors
/// 413 above the limit, 408 when it comes too slowly, 400 when it breaks off.
pub(super) async fn receive(state: &AppState, headers: &HeaderMap, body: Body) -> Result<Upload, Problem> {
    let limit = state.pipeline.limits().zip_bytes;
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|len| len > limit) {
        drain(headers, body, limit.saturating_mul(2), Duration::from_secs(20)).await;
        return Err(Problem::too_large(limit));
    }
    let mut spool = Spool::create(&state.spool_dir, limit).await?;
    let mut chunks = body.into_data_stream();
    let end = Instant::now() + state.limits.upload_timeout;
    let least = state.limits.upload_min_rate.saturating_mul(WINDOW.as_secs());
    let mut window = Window::open();
    loop {
        let chunk = match timeout_at(end.min(window.end), chunks.next()).await {
            Ok(Some(Ok(chunk))) => chunk,
            Ok(Some(Err(_))) => return Err(Problem::upload_broken()),
            Ok(None) => break,
            Err(_) if window.bytes < least || Instant::now() >= end => return Err(Problem::upload_timed_out()),
            Err(_) => {
                window = Window::open();
                continue;
            }
        };
        window.bytes += chunk.len() as u64;
        match spool.write(&chunk).await {
            Err(SpoolError::TooLarge(limit)) => {
                drop(spool);
                drain_stream(&mut chunks, limit, Duration::from_secs(20)).await;
                return Err(Problem::too_large(limit));
            }
            written => written?,
        }
    }
    Ok(spool.finish().await?)
}

struct Window {
    end: Instant,
    bytes: u64,
}

impl Window {
    fn open() -> Self {
        Self { end: Instant::now() + WINDOW, bytes: 0 }
    }
}

/// Reads on a little after a refusal, so that a client that sends before it listens gets to hear the answer: closing at
/// once would reset the connection under it. A client that waits for `100 Continue` is answered without.
pub(super) async fn drain(headers: &HeaderMap, body: Body, at_most: u64, within: Duration) {
    if !headers.contains_key(header::EXPECT) {
        drain_stream(&mut body.into_data_stream(), at_most, within).await;
    }
}

async fn drain_stream(chunks: &mut axum::body::BodyDataStream, at_most: u64, within: Duration) {
    let mut read = 0;
    let _ = timeout(within, async {
        while let Some(Ok(chunk)) = chunks.next().await {
            read += chunk.len() as u64;
            if read > at_most {
                break;
            }
        }
    })
    .await;
}
