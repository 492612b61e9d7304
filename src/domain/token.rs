//! Publishing tokens: a secret that can be recognised, checked for typing errors, and stored only as a digest.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use rand::Rng as _;

use super::Sha256Digest;

const PREFIX: &str = "agr_";
const RANDOM_BYTES: usize = 32;
const CHECKSUM_BYTES: usize = 4;

/// A token as its owner holds it: `agr_` and 48 characters that encode 256 random bits and their CRC-32.
///
/// It is shown once, when it is made; [`fmt::Debug`] does not print it.
#[derive(Clone)]
pub struct TokenSecret(String);

/// The SHA-256 of a token: all that the catalog keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenHash(Sha256Digest);

/// A text that cannot be a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a publishing token: it starts with agr_ and has 48 characters more")]
pub struct MalformedToken;

impl TokenSecret {
    /// A new random token.
    #[must_use]
    pub fn generate() -> Self {
        let mut bytes = [0_u8; RANDOM_BYTES + CHECKSUM_BYTES];
        let (random, checksum) = bytes.split_at_mut(RANDOM_BYTES);
        rand::rng().fill_bytes(random);
        checksum.copy_from_slice(&crc32fast::hash(random).to_be_bytes());
        Self(format!("{PREFIX}{}", BASE64.encode(bytes)))
    }

    /// Reads a token and verifies its checksum.
    ///
    /// # Errors
    /// [`MalformedToken`] for anything that [`TokenSecret::generate`] cannot have made.
    pub fn parse(text: &str) -> Result<Self, MalformedToken> {
        let encoded = text.strip_prefix(PREFIX).ok_or(MalformedToken)?;
        let bytes = BASE64.decode(encoded).map_err(|_| MalformedToken)?;
        match bytes.split_at_checked(RANDOM_BYTES) {
            Some((random, checksum)) if checksum == crc32fast::hash(random).to_be_bytes() => Ok(Self(text.to_owned())),
            _ => Err(MalformedToken),
        }
    }

    /// The digest that the catalog stores and looks up.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash(Sha256Digest::of(self.0.as_bytes()))
    }

    /// The token itself, to hand to its owner.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for TokenSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenSecret(…)")
    }
}

impl TokenHash {
    /// The digest.
    #[must_use]
    pub const fn digest(&self) -> Sha256Digest {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_read_back_and_notice_a_typing_error() {
        let token = TokenSecret::generate();
        assert_eq!(TokenSecret::parse(token.reveal()).unwrap().hash(), token.hash());
        assert_eq!(token.reveal().len(), 52);
        assert_eq!(format!("{token:?}"), "TokenSecret(…)");
        let mut wrong = token.reveal().to_owned();
        let last = wrong.pop().unwrap();
        wrong.push(if last == 'A' { 'B' } else { 'A' });
        for bad in [wrong.as_str(), "", "agr_", "agr_x", &token.reveal()[4..], &format!("{} ", token.reveal())] {
            assert!(TokenSecret::parse(bad).is_err(), "{bad}");
        }
    }
}
