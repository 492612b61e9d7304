//! The shapes that vendors give their keys (rule W03), as they document them or as scanners know them.

/// How a vendor writes its keys.
pub(super) struct Shape {
    pub(super) prefix: &'static str,
    /// Bytes after the prefix.
    pub(super) length: std::ops::RangeInclusive<usize>,
    pub(super) alphabet: Alphabet,
    pub(super) vendor: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Alphabet {
    Hexadecimal,
    UpperAndDigits,
    Alphanumeric,
    /// Letters, digits, `-` and `_`.
    Url,
    /// The same with dots.
    Dotted,
}

const fn shape(
    prefix: &'static str,
    length: std::ops::RangeInclusive<usize>,
    alphabet: Alphabet,
    vendor: &'static str,
) -> Shape {
    Shape { prefix, length, alphabet, vendor }
}

/// A longer prefix stands before a shorter one that it begins with: the first that matches counts.
pub(super) const SHAPES: [Shape; 62] = {
    use Alphabet::{Alphanumeric, Dotted, Hexadecimal, UpperAndDigits, Url};
    [
        shape("sk-ant-", 40..=200, Url, "Anthropic"),
        shape("sk-proj-", 40..=300, Url, "OpenAI"),
        shape("sk-svcacct-", 40..=300, Url, "OpenAI"),
        shape("sk-admin-", 40..=300, Url, "OpenAI"),
        shape("sk-or-v1-", 64..=64, Hexadecimal, "OpenRouter"),
        shape("sk-", 32..=64, Alphanumeric, "OpenAI or DeepSeek"),
        shape("sk_live_", 20..=250, Alphanumeric, "Stripe"),
        shape("rk_live_", 20..=250, Alphanumeric, "Stripe"),
        shape("whsec_", 32..=100, Alphanumeric, "Stripe"),
        shape("ghp_", 36..=36, Alphanumeric, "GitHub"),
        shape("gho_", 36..=36, Alphanumeric, "GitHub"),
        shape("ghu_", 36..=36, Alphanumeric, "GitHub"),
        shape("ghs_", 36..=36, Alphanumeric, "GitHub"),
        shape("ghr_", 36..=76, Alphanumeric, "GitHub"),
        shape("github_pat_", 60..=100, Url, "GitHub"),
        shape("glpat-", 20..=300, Dotted, "GitLab"),
        shape("gldt-", 20..=60, Url, "GitLab"),
        shape("glrt-", 20..=60, Url, "GitLab"),
        shape("AKIA", 16..=16, UpperAndDigits, "AWS"),
        shape("ASIA", 16..=16, UpperAndDigits, "AWS"),
        shape("ABIA", 16..=16, UpperAndDigits, "AWS"),
        shape("ACCA", 16..=16, UpperAndDigits, "AWS"),
        shape("AIza", 35..=35, Url, "Google"),
        shape("GOCSPX-", 28..=28, Url, "Google"),
        shape("ya29.", 40..=300, Url, "Google"),
        shape("xoxb-", 30..=200, Url, "Slack"),
        shape("xoxp-", 30..=200, Url, "Slack"),
        shape("xoxa-", 30..=200, Url, "Slack"),
        shape("xoxr-", 30..=200, Url, "Slack"),
        shape("xoxs-", 30..=200, Url, "Slack"),
        shape("xapp-", 30..=200, Url, "Slack"),
        shape("npm_", 36..=36, Alphanumeric, "npm"),
        shape("pypi-", 60..=300, Url, "PyPI"),
        shape("hf_", 34..=40, Alphanumeric, "Hugging Face"),
        shape("gsk_", 40..=60, Alphanumeric, "Groq"),
        shape("xai-", 60..=100, Alphanumeric, "xAI"),
        shape("pplx-", 40..=60, Alphanumeric, "Perplexity"),
        shape("r8_", 37..=40, Alphanumeric, "Replicate"),
        shape("tvly-", 30..=60, Url, "Tavily"),
        shape("sk_", 48..=48, Hexadecimal, "ElevenLabs"),
        shape("SG.", 60..=70, Dotted, "SendGrid"),
        shape("key-", 32..=32, Hexadecimal, "Mailgun"),
        shape("dop_v1_", 64..=64, Hexadecimal, "DigitalOcean"),
        shape("dapi", 32..=32, Hexadecimal, "Databricks"),
        shape("shpat_", 32..=32, Hexadecimal, "Shopify"),
        shape("shpca_", 32..=32, Hexadecimal, "Shopify"),
        shape("shppa_", 32..=32, Hexadecimal, "Shopify"),
        shape("shpss_", 32..=32, Hexadecimal, "Shopify"),
        shape("hvs.", 24..=200, Url, "Vault"),
        shape("lin_api_", 40..=40, Alphanumeric, "Linear"),
        shape("ntn_", 40..=50, Alphanumeric, "Notion"),
        shape("secret_", 43..=43, Alphanumeric, "Notion"),
        shape("figd_", 40..=60, Url, "Figma"),
        shape("sbp_", 40..=40, Hexadecimal, "Supabase"),
        shape("sntrys_", 40..=300, Url, "Sentry"),
        shape("dp.pt.", 40..=44, Alphanumeric, "Doppler"),
        shape("PMAK-", 50..=64, Url, "Postman"),
        shape("ATATT3", 60..=250, Url, "Atlassian"),
        shape("sq0atp-", 22..=22, Url, "Square"),
        shape("sq0csp-", 43..=43, Url, "Square"),
        shape("EAAAE", 59..=59, Url, "Square"),
        shape("AGE-SECRET-KEY-1", 58..=58, UpperAndDigits, "age"),
    ]
};

impl Alphabet {
    /// Whether it has this byte.
    pub(super) fn has(self, byte: u8) -> bool {
        match self {
            Self::Hexadecimal => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
            Self::UpperAndDigits => byte.is_ascii_digit() || byte.is_ascii_uppercase(),
            Self::Alphanumeric => byte.is_ascii_alphanumeric(),
            Self::Url => byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'),
            Self::Dotted => Self::Url.has(byte) || byte == b'.',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_shape_hides_behind_another_that_it_begins_with() {
        for (index, shape) in SHAPES.iter().enumerate() {
            let hidden = SHAPES.iter().take(index).find(|earlier| shape.prefix.starts_with(earlier.prefix));
            assert!(hidden.is_none(), "{}", shape.prefix);
        }
    }
}
