//! Everything that is tested through a public boundary, in one binary so that it links once.
mod storage;
