//! What an S3 store is made from.

use std::fmt;

/// Where the bucket is and how to sign for it.
#[derive(Debug, Clone)]
pub struct S3Config {
    /// The service.
    pub endpoint: S3Endpoint,
    /// The bucket's name.
    pub bucket: String,
    /// The public half of the key.
    pub access_key_id: String,
    /// The secret half of the key.
    pub secret_access_key: S3Secret,
}

/// The root URL of an S3 service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct S3Endpoint(String);

/// A secret key; its `Debug` form does not show it.
#[derive(Clone)]
pub struct S3Secret(String);

/// Why settings do not lead to an object store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidS3Config {
    /// Not a URL of the form `https://host[:port]`.
    #[error("an S3 endpoint is an http or https URL without path, user or query, such as \"https://s3.example.com\"")]
    Endpoint,
    /// Not a Cloudflare account id.
    #[error("a Cloudflare account id is 32 lowercase hexadecimal digits")]
    Account,
}

impl S3Endpoint {
    /// The R2 service of a Cloudflare account.
    pub fn of_account(account_id: &str) -> Result<Self, InvalidS3Config> {
        let is_id = account_id.len() == 32 && account_id.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if is_id {
            Ok(Self(format!("https://{account_id}.r2.cloudflarestorage.com")))
        } else {
            Err(InvalidS3Config::Account)
        }
    }

    /// Any S3 service, by its root URL.
    pub fn at(url: &str) -> Result<Self, InvalidS3Config> {
        let uri: http::Uri = url.parse().map_err(|_| InvalidS3Config::Endpoint)?;
        let scheme = uri.scheme_str().is_some_and(|scheme| ["http", "https"].contains(&scheme));
        let host = uri.authority().is_some_and(|authority| !authority.as_str().contains('@'));
        if scheme && host && uri.path() == "/" && uri.query().is_none() {
            Ok(Self(url.trim_end_matches('/').to_owned()))
        } else {
            Err(InvalidS3Config::Endpoint)
        }
    }

    /// The URL, without a slash at the end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl S3Secret {
    /// Takes the secret in.
    #[must_use]
    pub fn new(secret: String) -> Self {
        Self(secret)
    }

    pub(super) fn reveal(self) -> String {
        self.0
    }
}

impl fmt::Debug for S3Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("S3Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_are_root_urls() {
        for good in ["https://s3.example.com", "https://s3.example.com/", "http://127.0.0.1:9000"] {
            assert_eq!(S3Endpoint::at(good).unwrap().as_str(), good.trim_end_matches('/'));
        }
        for bad in [
            "",
            "s3.example.com",
            "ftp://s3.example.com",
            "https://s3.example.com/bucket",
            "https://u:p@host",
            "https:///",
        ] {
            assert_eq!(S3Endpoint::at(bad), Err(InvalidS3Config::Endpoint), "{bad}");
        }
    }

    #[test]
    fn an_account_id_names_its_r2_endpoint() {
        let id = "0123456789abcdef0123456789abcdef";
        assert_eq!(S3Endpoint::of_account(id).unwrap().as_str(), format!("https://{id}.r2.cloudflarestorage.com"));
        for bad in ["", "evil.example.com/", &id[1..], &id.to_uppercase()] {
            assert_eq!(S3Endpoint::of_account(bad), Err(InvalidS3Config::Account), "{bad}");
        }
    }

    #[test]
    fn debug_output_does_not_show_the_secret() {
        let config = S3Config {
            endpoint: S3Endpoint::at("https://s3.example.com").unwrap(),
            bucket: "roles".to_owned(),
            access_key_id: "id".to_owned(),
            secret_access_key: S3Secret::new("hunter2".to_owned()),
        };
        assert!(!format!("{config:?}{:?}", super::super::S3Store::new(config.clone())).contains("hunter2"));
    }
}
