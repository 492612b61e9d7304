//! What looks like a real key (rule W03): by the shape that its vendor gives it, or by the name it is assigned to.
//!
//! Each shape has a literal prefix, an alphabet and a length; what is left after that must be as mixed as chance makes
//! it, so that placeholders do not count. Keys are never shown whole: [`masked`] hides them wherever they are quoted.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::key_shapes::{Alphabet, SHAPES};
use super::{Finding, Findings, TextFile, TextKind, extension};

pub(super) const HINT: &str =
    "remove it and revoke it with its issuer: a published package is public; read it from the environment instead";

static PREFIXES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let prefixes: Vec<String> = SHAPES.iter().map(|shape| regex::escape(shape.prefix)).collect();
    Regex::new(&format!("(?-u:{})", prefixes.join("|"))).ok()
});

/// Names that keys are assigned to.
static NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i-u:secret|token|password|passwd|api_?key|access_?key|private_?key|auth_?key)").ok()
});

const PRIVATE_KEY: &str = "PRIVATE KEY-----";

/// A key in a text.
#[derive(Debug)]
struct Secret {
    /// With its prefix.
    range: Range<usize>,
    /// What of it may be shown, in bytes.
    shown: usize,
    what: String,
}

pub(super) fn find(file: TextFile<'_>) -> Vec<Finding> {
    let mut secrets = by_shape(file.text, Reading::Strict, Findings::MAX);
    secrets.extend(private_keys(file.text));
    // The digests of a lockfile are assigned to all kinds of names.
    if !file.path.file_name().contains("lock") {
        let quoted_only = matches!(file.kind, TextKind::Script | TextKind::JavaScript | TextKind::Page)
            && extension(file.path) != "sh";
        secrets.extend(by_name(file.text, quoted_only, Findings::MAX));
    }
    secrets.sort_by_key(|secret| secret.range.start);
    secrets.dedup_by(|second, first| second.range.start < first.range.end);
    secrets.truncate(Findings::MAX);
    let finding = |secret: Secret| {
        let message = format!("this looks like a real key: {}", secret.what);
        Finding { offset: secret.range.start, message }
    };
    secrets.into_iter().map(finding).collect()
}

/// The text with every key in it cut to its prefix.
pub(in crate::package) fn masked(text: &str) -> Cow<'_, str> {
    let mut secrets = by_shape(text, Reading::Lenient, usize::MAX);
    secrets.extend(by_name(text, false, usize::MAX));
    secrets.extend(private_keys(text));
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    secrets.sort_by_key(|secret| secret.range.start);
    let (mut shown, mut position) = (String::new(), 0);
    for secret in secrets {
        let start = secret.range.start.saturating_add(secret.shown).max(position);
        shown.push_str(text.get(position..start).unwrap_or_default());
        if secret.range.end > position {
            shown.push('…');
        }
        position = secret.range.end.max(position);
    }
    shown.push_str(text.get(position..).unwrap_or_default());
    Cow::Owned(shown)
}

/// How sure one must be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Exactly a vendor's shape.
    Strict,
    /// Also the beginning of a key that was cut off.
    Lenient,
}

fn by_shape(text: &str, reading: Reading, max: usize) -> Vec<Secret> {
    let mut found = Vec::new();
    let Some(prefixes) = PREFIXES.as_ref() else { return found };
    let mut position = 0;
    while let Some(prefix) = prefixes.find_at(text, position) {
        position = prefix.end();
        if found.len() >= max {
            break;
        }
        let before = text.get(..prefix.start()).and_then(|before| before.chars().next_back());
        if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) {
            continue;
        }
        let rest = text.as_bytes().get(prefix.end()..).unwrap_or_default();
        let matching = SHAPES.iter().filter(|shape| prefix.as_str() == shape.prefix);
        for shape in matching {
            let run = rest.iter().take(shape.length.end() + 1).take_while(|byte| shape.alphabet.has(**byte)).count();
            let key = rest.get(..run).unwrap_or_default();
            let is_cut = reading == Reading::Lenient && run >= 6 && run == rest.len();
            let has_shape = shape.length.contains(&run) && is_random(key, shape.alphabet);
            if has_shape || is_cut {
                position = prefix.end() + run;
                let what = format!("it has the shape that {} gives its keys", shape.vendor);
                found.push(Secret { range: prefix.start()..position, shown: shape.prefix.len(), what });
                break;
            }
        }
    }
    found
}

fn private_keys(text: &str) -> Option<Secret> {
    const MIN_BASE64: usize = 60;
    const MAX_HEADER: usize = 60;
    let mut position = 0;
    while let Some(found) = text.get(position..)?.find(PRIVATE_KEY) {
        let end = position + found + PRIVATE_KEY.len();
        let header = text.floor_char_boundary(end.saturating_sub(MAX_HEADER));
        let start = text.get(header..end)?.rfind("-----BEGIN ").map(|start| header + start);
        position = end;
        let Some(start) = start else { continue };
        // In a program's text, the line breaks are written out.
        let body = text.get(end..)?.bytes().take(400).filter(|byte| !matches!(byte, b'\n' | b'\r' | b'\\' | b' '));
        let base64: Vec<u8> =
            body.take_while(|byte| Alphabet::Url.has(*byte) || matches!(byte, b'+' | b'/' | b'=')).collect();
        if base64.len() >= MIN_BASE64 && entropy(&base64) > 4.0 {
            let line = text.get(end..)?;
            let line_end = end + line.find('\n').unwrap_or(line.len());
            let what = "it is a private key".to_owned();
            return Some(Secret { range: start..line_end, shown: end - start, what });
        }
    }
    None
}

/// Keys without a shape of their own, assigned to a name that gives them away: `API_SECRET=…`, `"token": "…"`.
fn by_name(text: &str, quoted_only: bool, max: usize) -> Vec<Secret> {
    let mut found = Vec::new();
    let Some(names) = NAMES.as_ref() else { return found };
    let mut looked_at_until = 0;
    for name in names.find_iter(text) {
        if found.len() >= max {
            break;
        }
        if name.start() < looked_at_until {
            continue;
        }
        let Some((value, is_whole)) = assigned_value(text, name.end(), quoted_only) else { continue };
        looked_at_until = value.end;
        if !is_whole {
            continue;
        }
        if !is_random_value(text.as_bytes().get(value.clone()).unwrap_or_default()) {
            continue;
        }
        let (before, _) = super::surroundings(text, name.start());
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        let full_name = before.rsplit(|c| !is_name(c)).next().unwrap_or_default().to_ascii_lowercase();
        if ["hash", "sha", "digest", "public", "checksum", "fingerprint", "example"]
            .into_iter()
            .any(|word| full_name.contains(word))
        {
            continue;
        }
        let what = format!("{} is assigned a random value", name.as_str());
        found.push(Secret { range: value, shown: 0, what });
    }
    found
}

/// The value that is assigned to a name which ends at `offset`, and whether it ends as a value ends.
fn assigned_value(text: &str, offset: usize, quoted_only: bool) -> Option<(Range<usize>, bool)> {
    const MAX_BYTES: usize = 200;
    let bytes = text.as_bytes();
    let mut position = offset;
    let mut skip = |wanted: &[u8], at_most: usize| {
        let rest = bytes.get(position..).unwrap_or_default();
        let len = rest.iter().take(at_most).take_while(|byte| wanted.contains(byte)).count();
        position += len;
        rest.get(..len).unwrap_or_default()
    };
    skip(b"\"'", 1);
    skip(b" \t", 4);
    let sign = skip(b":=", 2);
    if sign.len() != 1 {
        return None;
    }
    skip(b" \t", 4);
    let quote = skip(b"\"'`", 1).first().copied();
    let rest = bytes.get(position..)?;
    let is_value = |byte: u8| Alphabet::Url.has(byte) || matches!(byte, b'+' | b'/' | b'=');
    let len = rest.iter().take(MAX_BYTES).take_while(|byte| is_value(**byte)).count();
    let next = rest.get(len).copied();
    let is_whole = match quote {
        Some(_) => next == quote,
        None => {
            !quoted_only && next.is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b'}'))
        }
    };
    Some((position..position + len, is_whole))
}

/// Whether the part after a prefix is as mixed as a generator makes it.
fn is_random(key: &[u8], alphabet: Alphabet) -> bool {
    let least = match alphabet {
        Alphabet::Hexadecimal | Alphabet::UpperAndDigits => 2.8,
        Alphabet::Alphanumeric | Alphabet::Url | Alphabet::Dotted => 3.0,
    };
    let has_digit = key.iter().any(u8::is_ascii_digit)
        || alphabet == Alphabet::UpperAndDigits
        || key.len() < 40 && has_both_cases(key);
    has_digit && key.iter().any(u8::is_ascii_alphabetic) && entropy(key) >= least && !is_placeholder(key)
}

/// Whether a value without a prefix is a key: long, mixed, and neither a UUID nor a word.
fn is_random_value(key: &[u8]) -> bool {
    const MIN_BYTES: usize = 24;
    const MIN_HEXADECIMAL: usize = 32;
    let is_hexadecimal = key.iter().all(u8::is_ascii_hexdigit);
    let is_uuid = key.len() == 36 && key.split(|byte| *byte == b'-').count() == 5;
    let has_all = key.iter().any(u8::is_ascii_digit) && key.iter().any(u8::is_ascii_alphabetic);
    let is_mixed = if is_hexadecimal {
        key.len() >= MIN_HEXADECIMAL && entropy(key) >= 3.0
    } else {
        key.len() >= MIN_BYTES && has_both_cases(key) && entropy(key) >= 3.8
    };
    has_all && is_mixed && !is_uuid && !is_placeholder(key)
}

fn has_both_cases(key: &[u8]) -> bool {
    key.iter().any(u8::is_ascii_lowercase) && key.iter().any(u8::is_ascii_uppercase)
}

/// Whether it is what documentation puts in a key's place.
fn is_placeholder(key: &[u8]) -> bool {
    const WORDS: [&str; 16] = [
        "example",
        "your",
        "placeholder",
        "changeme",
        "change-me",
        "redacted",
        "dummy",
        "sample",
        "xxxx",
        "insert",
        "replace",
        "1234567890",
        "0123456789",
        "abcdefgh",
        "aaaa",
        "0000",
    ];
    let lower = String::from_utf8_lossy(key).to_ascii_lowercase();
    WORDS.into_iter().any(|word| lower.contains(word))
}

/// Shannon's entropy in bits per byte.
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in bytes {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let total = bytes.iter().map(|_| 1.0).sum::<f64>();
    let shares = counts.into_iter().filter(|count| *count > 0).map(|count| f64::from(count) / total);
    shares.map(|share| -share * share.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::super::tests::lines;
    use super::*;

    /// A key of the right shape that was never anybody's.
    fn key(prefix: &str, length: usize) -> String {
        let digits = "q7Rz2Kd9XwBf4TgHm6YpLs3VnJc8E5aUt1";
        prefix.chars().chain(digits.chars().cycle().take(length)).collect()
    }

    fn hexadecimal(prefix: &str, length: usize) -> String {
        prefix.chars().chain("984404b3eca3c90eef1f017647e76696".chars().cycle().take(length)).collect()
    }

    #[test]
    fn w03_keys_of_known_shapes_are_found_and_masked() {
        for secret in [
            key("sk-ant-api03-", 90),
            key("sk-proj-", 100),
            key("sk-", 48),
            hexadecimal("sk-", 32),
            key("ghp_", 36),
            key("github_pat_", 82),
            "AKIALVTHMGTIWO4PVGPF".to_owned(),
            key("AIza", 35),
            key("xoxb-123456789-", 40),
            key("sk_live_", 24),
            key("npm_", 36),
            key("hf_", 34),
            hexadecimal("dop_v1_", 64),
        ] {
            for (path, line) in [
                ("contents/a.py", format!("client = Client(api_key=\"{secret}\")")),
                ("contents/.env.example", format!("KEY={secret}")),
                ("skills/a.md", format!("git clone https://x:{secret}@git.example.org/a.git")),
                ("contents/a.json", format!("{{\"k\": \"{secret}\"}}")),
            ] {
                assert_eq!(lines(find, path, &format!("a\n{line}\n")), [2], "{line}");
                let shown = masked(&line);
                assert!(!shown.contains(&secret[secret.len() - 8..]) && shown.contains('…'), "{shown}");
                // An excerpt is cut somewhere.
                let cut = &line[..line.find(&secret).unwrap() + secret.len() - 4];
                assert!(!masked(cut).contains(&secret[12..secret.len() - 4]), "{cut}");
            }
        }
        let pem = format!("-----BEGIN RSA PRIVATE KEY-----\n{}\n", key("", 200));
        assert_eq!(lines(find, "contents/id", &pem), [1]);
    }

    #[test]
    fn w03_a_random_value_is_a_key_by_the_name_it_is_assigned_to() {
        let value = hexadecimal("", 64);
        let mixed = key("", 40);
        for line in [
            format!("CLOUDFLARE_R2_SECRET_ACCESS_KEY={value}"),
            format!("\"auth_token\": \"{mixed}\","),
            format!("db_password: '{mixed}'"),
        ] {
            assert_eq!(lines(find, "contents/a.sh", &line), [1], "{line}");
            assert!(!masked(&line).contains(&line[line.len() - 12..]), "{line}");
        }
        for line in [
            format!("TOKEN_SHA256={value}"),
            format!("public_key_token = \"{mixed}\""),
            "token = \"123e4567-e89b-42d3-a456-426614174000\"".to_owned(),
            "API_KEY=your-key-here-please-replace-it-1A".to_owned(),
            "password = \"correct horse battery staple\"".to_owned(),
            "token == \"x\"".to_owned(),
            format!("commit = {value}"),
        ] {
            assert_eq!(lines(find, "contents/a.sh", &line), [0; 0], "{line}");
        }
        assert_eq!(lines(find, "contents/a.js", "token = someFunctionName42WithManyWords;"), [0; 0]);
    }

    #[test]
    fn w03_placeholders_and_prose_about_keys_are_left_alone() {
        for line in [
            "OPENAI_API_KEY=",
            "ANTHROPIC_API_KEY=your-key-here",
            "SLACK_TOKEN=xoxb-your-token",
            "GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
            "AKIAIOSFODNN7EXAMPLE",
            "OpenAI keys start with `sk-`, GitHub tokens with `ghp_`, AWS ids with `AKIA`, Google keys with `AIza`.",
            "AKIAK AKIA1234 sk-short ghp_abc AIzaShort",
            "sk-loading-spinner-container-with-a-long-name",
            "task-984404b3eca3c90eef1f017647e76696",
            "sha256:946d195a0d259cbba61165e88e65941f16e9b36ea6ddb97f00452bae8b1287d3",
            "api_key = os.environ.get(\"ANTHROPIC_API_KEY\", \"\")",
            "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAu1SU1LfVLPHCozMxH2Mo",
            "-----BEGIN PRIVATE KEY-----\n...\n",
        ] {
            assert_eq!(lines(find, "contents/.env.example", line), [0; 0], "{line}");
        }
        assert_eq!(masked("nothing to hide"), "nothing to hide");
    }
}
