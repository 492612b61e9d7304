//! The JSON interface below `/api/v1/`: thin handlers that parse, ask the catalog, and write down.

mod cursor;
mod dto;
pub mod files;
pub mod health;
pub mod publishing;
pub mod roles;
mod upload;
