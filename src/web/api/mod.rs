//! The JSON interface below `/api/v1/`: thin handlers that parse, ask the catalog, and write down.

mod cursor;
mod dto;
pub(super) mod files;
pub(super) mod health;
pub(super) mod publishing;
pub(super) mod roles;
mod upload;
