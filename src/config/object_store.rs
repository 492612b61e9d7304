//! The settings of the object store: all of them, or none.

use super::{ConfigFault, InvalidValue, Origin, Reader, Secret, Variable};

/// What it takes to reach a bucket of R2 or of another S3 service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct S3Settings {
    /// The service: `https://<account>.r2.cloudflarestorage.com`, or the endpoint that was given instead.
    pub endpoint: Origin,
    /// The bucket.
    pub bucket: String,
    /// The public half of the key.
    pub access_key_id: String,
    /// The secret half of the key.
    pub secret_access_key: Secret,
}

/// Reads the settings; when a part of them is missing, the fault names what is.
///
/// An endpoint stands instead of the account id, so with both the endpoint counts.
pub(super) fn read(reader: &mut Reader<'_>) -> Option<S3Settings> {
    let faults_before = reader.faults.len();
    let bucket: Option<String> = reader.value(None, Variable::Bucket);
    let access_key_id: Option<String> = reader.value(None, Variable::AccessKeyId);
    let secret_access_key: Option<Secret> = reader.value(None, Variable::SecretAccessKey);
    let endpoint: Option<Origin> = reader.value(None, Variable::S3Endpoint);
    let account: Option<AccountId> = reader.value(None, Variable::AccountId);
    if reader.faults.len() > faults_before {
        return None;
    }

    let service = endpoint.or(account.map(|account| account.0));
    let missing: Vec<_> = [
        (bucket.is_none(), Variable::Bucket.name()),
        (access_key_id.is_none(), Variable::AccessKeyId.name()),
        (secret_access_key.is_none(), Variable::SecretAccessKey.name()),
        (service.is_none(), "CLOUDFLARE_ACCOUNT_ID (or AGOTALK_ROLE_S3_ENDPOINT)"),
    ]
    .into_iter()
    .filter_map(|(is_missing, name)| is_missing.then_some(name))
    .collect();

    match (service, bucket, access_key_id, secret_access_key) {
        (Some(endpoint), Some(bucket), Some(access_key_id), Some(secret_access_key)) => {
            Some(S3Settings { endpoint, bucket, access_key_id, secret_access_key })
        }
        (None, None, None, None) => None,
        _ => {
            reader.faults.push(ConfigFault::ObjectStoreIncomplete { missing });
            None
        }
    }
}

/// The endpoint of an R2 account.
struct AccountId(Origin);

impl std::str::FromStr for AccountId {
    type Err = InvalidValue;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: InvalidValue = InvalidValue("an account id: letters and digits only");
        if !text.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(EXPECTED);
        }
        format!("https://{text}.r2.cloudflarestorage.com").parse().map(Self).map_err(|_| EXPECTED)
    }
}
