//! role-catalog: validate, publish, browse and serve Agotalk role packages.
//!
//! # Architecture
//!
//! One library and one thin binary. Modules form layers; a module imports only from rows below it, and siblings in a row
//! do not import each other. `tests/integration/architecture.rs` reads the `use crate::…` lines and fails on any other edge.
//!
//! | layer | modules | what they are |
//! | --- | --- | --- |
//! | 7 | [`cli`] | the commands, exit status, the only place that prints |
//! | 6 | [`web`], [`client`], [`ops`] | HTTP routes and pages; the publisher's HTTP; the operator's work |
//! | 5 | [`publish`] | the pipeline: the one writer of packages |
//! | 4 | [`catalog`] | SQLite: every query, migrations, the revision |
//! | 3 | [`storage`] | objects in files or in S3/R2 |
//! | 2 | [`projection`], [`folder`] | pictures to WebP; package directories on disk |
//! | 1 | [`package`], [`i18n`], [`config`], [`telemetry`] | the validator; languages; settings; logs |
//! | 0 | [`domain`] | ids, versions, paths, digests, codes, limits, the clock |
//!
//! Libraries stay behind fences: `axum` in `web`, `sqlx` in `catalog`, `aws_sdk_s3` in `storage::s3`, `zip` in `package`, no
//! `tokio` below layer 2, `println!` in `cli::output`.
//!
//! # Parse, don't validate
//!
//! What may be stored and listed is decided by types. Each step is the only input of the next, has private fields and
//! one producer:
//!
//! ```text
//! Bytes ──package::validate──▶ ValidatedPackage ──storage::store──▶ StoredPackage ──Catalog::publish──▶ row
//! ```
//!
//! [`storage::BlobStore::put`] takes an [`storage::Artifact`], which only a validated package or one of its projected
//! pictures can be. There is no way to put bytes under a key, and no unchecked constructor, not even for tests: they build
//! real zips.
//!
//! # A publication, step by step
//!
//! 1. `web::api::publishing` authorizes ([`publish::Pipeline::authorize`]) before it reads a byte of the body;
//! 2. the body is spooled to an unnamed temporary file, bounded in bytes, time and rate ([`publish::Spool`]);
//! 3. [`publish::Pipeline::publish`] asks whether these very bytes are published already (`unchanged`), validates on a blocking thread
//!    behind a permit, compares address and manifest, refuses other bytes for a published version, projects the pictures,
//!    stores the objects (put-if-absent, durable), and lists the version in one `IMMEDIATE` transaction that bumps the revision.
//!
//! Objects come before their row, so a listed version always has its objects; a crash leaves at worst an object that
//! nobody can reach, and the same upload succeeds again.
//!
//! # A read, step by step
//!
//! `web::finish` gives the request an id; `web::address` redirects to the one spelling of the address and takes the
//! locale off; `web::routes` names the handler; extractors parse the path and query into domain types; the handler
//! builds the canonical question, answers 304 when the client holds the answer of this revision, and otherwise
//! asks the catalog. Files stream from the store and must have the length that the catalog says.
//!
//! # What must hold, each with a test
//!
//! 1. A package that did not pass [`package::validate`] cannot be stored or listed, by type (`compile_fail` guards).
//! 2. `validate` is total: no panic, no unbounded memory or time, on any bytes.
//! 3. A listed version always has its objects; a crash at any step loses nothing and blocks no retry.
//! 4. Published bytes never change; different bytes for a version are refused.
//! 5. Every public error has a stable code, a page that explains it, and a test.
//! 6. Every GET has a cache policy, answers HEAD, and revalidates.
//! 7. Every template renders in every locale; every locale has every message.

pub mod catalog;
pub mod cli;
pub mod client;
pub mod config;
pub mod domain;
pub mod folder;
pub mod i18n;
pub mod ops;
pub mod package;
pub mod projection;
pub mod publish;
pub mod storage;
pub mod telemetry;
pub mod web;
