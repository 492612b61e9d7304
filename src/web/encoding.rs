//! Content codings: which one the client takes (RFC 9110 § 12.5.3), and how bytes get it.

use std::io::Write as _;

use axum::http::{HeaderMap, header};
use bytes::Bytes;

use super::problem::Problem;

/// A content coding that we write, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Encoding {
    /// `zstd`
    Zstd,
    /// `br`
    Brotli,
    /// `gzip`
    Gzip,
    /// As it is; also for a client that takes nothing we have, since an answer serves it better than a 406.
    Identity,
}

impl Encoding {
    const CHOICES: [Self; 3] = [Self::Brotli, Self::Zstd, Self::Gzip];

    /// The `Content-Encoding` value; none for identity.
    #[must_use]
    pub(super) const fn content_coding(self) -> Option<&'static str> {
        match self {
            Self::Zstd => Some("zstd"),
            Self::Brotli => Some("br"),
            Self::Gzip => Some("gzip"),
            Self::Identity => None,
        }
    }

    /// The coding that the client weighs highest; among equals the one that packs best.
    #[must_use]
    pub(super) fn negotiate(request: &HeaderMap) -> Self {
        let values = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
        let accepted: Vec<(&str, u16)> = values.flat_map(|value| value.split(',')).filter_map(weighted).collect();
        let weight = |name: &str| {
            let named = accepted.iter().find(|(coding, _)| coding.eq_ignore_ascii_case(name));
            named.or_else(|| accepted.iter().find(|(coding, _)| *coding == "*")).map_or(0, |(_, weight)| *weight)
        };
        let identity = accepted.iter().find(|(coding, _)| coding.eq_ignore_ascii_case("identity"));
        let floor = identity.map_or(0, |(_, weight)| *weight);
        let mut best = (Self::Identity, floor);
        for choice in Self::CHOICES {
            let weight = choice.content_coding().map_or(0, weight);
            // A coding wins over identity at the same weight, and over a later coding too.
            if weight > 0 && (weight > best.1 || (weight == best.1 && best.0 == Self::Identity)) {
                best = (choice, weight);
            }
        }
        best.0
    }

    /// Compresses on a blocking thread.
    pub(super) async fn compress(self, plain: Bytes) -> Result<Bytes, Problem> {
        let work = tokio::task::spawn_blocking(move || self.compress_now(&plain));
        let compressed = work.await.map_err(|error| Problem::internal(&error))?;
        compressed.map(Bytes::from).map_err(|error| Problem::internal(&error))
    }

    fn compress_now(self, plain: &[u8]) -> std::io::Result<Vec<u8>> {
        const BROTLI_QUALITY: u32 = 7;
        const BROTLI_WINDOW: u32 = 20;
        const BUFFER: usize = 16 * 1024;
        match self {
            Self::Zstd => zstd::encode_all(plain, zstd::DEFAULT_COMPRESSION_LEVEL),
            Self::Brotli => {
                let mut writer = brotli::CompressorWriter::new(Vec::new(), BUFFER, BROTLI_QUALITY, BROTLI_WINDOW);
                writer.write_all(plain)?;
                Ok(writer.into_inner())
            }
            Self::Gzip => {
                let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
                writer.write_all(plain)?;
                writer.finish()
            }
            Self::Identity => Ok(plain.to_vec()),
        }
    }
}

/// `br;q=0.8` as its name and weight in thousandths; no weight is 1, a bad one makes the member count for nothing.
fn weighted(member: &str) -> Option<(&str, u16)> {
    let (name, parameters) = member.split_once(';').unwrap_or((member, ""));
    let name = name.trim();
    if name.is_empty() {
        return None;
    }
    let weight = match parameters.trim().strip_prefix("q=").or_else(|| parameters.trim().strip_prefix("Q=")) {
        None if parameters.trim().is_empty() => 1000,
        None => return None,
        Some(text) => {
            let value: f32 = text.trim().parse().ok().filter(|value| (0.0..=1.0).contains(value))?;
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "the value is between 0 and 1000"
            )]
            let thousandths = (value * 1000.0).round() as u16;
            thousandths
        }
    };
    Some((name, weight))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn negotiated(value: &str) -> Encoding {
        Encoding::negotiate(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_str(value).unwrap())]))
    }

    #[test]
    fn the_clients_weights_decide_and_ours_break_ties() {
        assert_eq!(Encoding::negotiate(&HeaderMap::new()), Encoding::Identity);
        for (value, coding) in [
            ("gzip, deflate, br, zstd", Encoding::Brotli),
            ("gzip, zstd", Encoding::Zstd),
            ("gzip;q=1, br;q=0.5", Encoding::Gzip),
            ("GZIP", Encoding::Gzip),
            ("br;q=0, gzip", Encoding::Gzip),
            ("*", Encoding::Brotli),
            ("*;q=0", Encoding::Identity),
            ("identity", Encoding::Identity),
            ("identity, gzip;q=0.5", Encoding::Identity),
            ("identity;q=0, gzip;q=0.1", Encoding::Gzip),
            ("identity;q=0", Encoding::Identity),
            ("br;q=2, gzip;q=x, ;,", Encoding::Identity),
            ("", Encoding::Identity),
        ] {
            assert_eq!(negotiated(value), coding, "{value}");
        }
    }

    #[test]
    fn compressed_bytes_read_back() {
        use std::io::Read as _;
        let plain = b"roles ".repeat(1000);
        let mut read = Vec::new();
        flate2::read::GzDecoder::new(&*Encoding::Gzip.compress_now(&plain).unwrap()).read_to_end(&mut read).unwrap();
        assert_eq!(read, plain);
        assert_eq!(zstd::decode_all(&*Encoding::Zstd.compress_now(&plain).unwrap()).unwrap(), plain);
        let mut read = Vec::new();
        brotli::Decompressor::new(&*Encoding::Brotli.compress_now(&plain).unwrap(), 4096)
            .read_to_end(&mut read)
            .unwrap();
        assert_eq!(read, plain);
    }
}
