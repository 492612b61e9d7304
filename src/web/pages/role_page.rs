//! A role at one version: what it is, what it looks like, what it does, what is in it.

use askama::Template;
use serde_json::json;

use super::RenderError;
use super::behaviour::{Trait, traits};
use super::catalog_page::kind_message;
use super::json_ld::JsonLd;
use super::links::{Href, Location};
use super::markdown::{Narrative, narrative};
use super::pattern::Pattern;
use super::pictures::{Avatar, Picture, avatar, gallery};
use super::shell::{Shell, SiteContext, SocialPicture, TextLanguage};
use crate::catalog::{RoleRecord, VersionRecord, VersionStatus};
use crate::domain::{AssetName, AvatarSize, Kind, LocaleTag, LocalizedText, RoleVersion, Timestamp};
use crate::i18n::{ShownText, native_language_name, pick_text};
use crate::package::PackageFile;

/// A role's page, `/roles/{roleId}` and `/roles/{roleId}/versions/{version}`, in any language.
#[derive(Debug, Clone)]
pub struct RolePage<'a> {
    /// The site and the request's language.
    pub site: SiteContext<'a>,
    /// The role at the version that is shown.
    pub role: &'a RoleRecord,
    /// Every version, newest first; the page lists ten.
    pub versions: &'a [VersionRecord],
    /// `role.md` after its front matter, as Markdown.
    pub role_md: &'a str,
    /// The files of the version that is shown.
    pub files: &'a [PackageFile],
    /// Whether the URL names the version, rather than the role.
    pub exact_version: bool,
}

#[derive(Template)]
#[template(path = "role.html")]
struct RoleTemplate {
    page: Shell,
    title: String,
    summary: String,
    language: TextLanguage,
    canonical_language: TextLanguage,
    kind: String,
    version: String,
    publisher: String,
    published: Day,
    requires: String,
    is_application: bool,
    notice: Option<Notice>,
    avatar: Avatar,
    open_in_app: Option<Href>,
    download: Option<Download>,
    gallery: Vec<Picture>,
    pattern: Option<Pattern>,
    narrative: Narrative,
    traits: Vec<Trait>,
    facts: Vec<Fact>,
    coverage: Vec<Coverage>,
    versions: Vec<VersionLine>,
    more_versions: Option<String>,
    verify_command: String,
}

/// A word on top of the page: that the version is not for installing, or that there is a newer one.
struct Notice {
    is_warning: bool,
    title: String,
    text: String,
    reason: Option<String>,
    latest: Option<(Href, String)>,
}

struct Download {
    href: Href,
    size: String,
}

/// A moment for machines and for people.
struct Day {
    machine: String,
    shown: String,
}

struct Fact {
    label: String,
    value: String,
    /// Whether the value is a name or number in letters of its own.
    is_code: bool,
}

struct Coverage {
    tag: String,
    name: String,
    is_shown: bool,
}

struct VersionLine {
    href: Href,
    version: String,
    published: Day,
    size: String,
    status: Option<String>,
    is_this: bool,
}

const SHOWN_VERSIONS: usize = 10;

impl RolePage<'_> {
    /// The page as HTML.
    ///
    /// # Errors
    /// [`RenderError`], which nothing in the data can cause.
    pub fn render(&self) -> Result<String, RenderError> {
        let (role, locale) = (self.role, self.site.locale);
        let shown = pick_text(&locale.to_locale_tag(), &role.text, &role.i18n);
        let canonical_tag = role.i18n.iter().find(|(_, text)| *text == role.text).map(|(tag, _)| tag);
        let gallery = gallery(role);
        let more = self.versions.len().saturating_sub(SHOWN_VERSIONS);
        let file_name = format!("{}-{}.zip", role.role_id, role.version);
        RoleTemplate {
            page: self.shell(shown, &gallery),
            title: shown.text.title.to_string(),
            summary: shown.text.summary.to_string(),
            language: TextLanguage::new(shown.locale),
            canonical_language: TextLanguage::new(canonical_tag),
            kind: locale.text(kind_message(&role.kind)).into_owned(),
            version: role.version.to_string(),
            publisher: role.publisher.clone(),
            published: self.day(role.published_at),
            requires: locale.text_with("role-requires", [("version", role.min_app_version.to_string().into())]),
            is_application: matches!(role.kind, Kind::Application(_)),
            notice: self.notice(),
            avatar: avatar(role, AvatarSize::Px128),
            open_in_app: self
                .site
                .app_link
                .filter(|_| role.status == VersionStatus::Active)
                .map(|template| Href::app(template, &role.role_id, &role.version)),
            download: (role.status != VersionStatus::Withdrawn).then(|| Download {
                href: Href::download(&role.role_id, &role.version),
                size: locale.size(role.size_bytes),
            }),
            pattern: gallery.is_empty().then(|| Pattern::banner(&role.role_id)),
            gallery,
            narrative: narrative(self.role_md),
            traits: traits(locale, &role.kind, role.dependency_mode, role.remembers_progress, self.files),
            facts: self.facts(),
            coverage: self.coverage(shown, canonical_tag),
            versions: self.versions.iter().take(SHOWN_VERSIONS).map(|version| self.version_line(version)).collect(),
            more_versions: (more > 0).then(|| locale.count("more-versions", u64::try_from(more).unwrap_or(u64::MAX))),
            verify_command: format!("echo \"{}  {file_name}\" | shasum -a 256 -c", role.sha256),
        }
        .render()
    }

    fn location(&self) -> Location<'_> {
        if self.exact_version {
            Location::Version(&self.role.role_id, &self.role.version)
        } else {
            Location::Role(&self.role.role_id)
        }
    }

    fn shell(&self, shown: ShownText<'_>, gallery: &[Picture]) -> Shell {
        let (role, origin) = (self.role, self.site.public_origin);
        let title = if self.exact_version {
            format!("{} {}", shown.text.title, role.version)
        } else {
            shown.text.title.to_string()
        };
        let social = gallery.first().map(|picture| SocialPicture {
            href: picture.full.on(origin),
            width: picture.width,
            height: picture.height,
            is_wide: true,
        });
        let social = social.or_else(|| {
            let asset = role.asset(AssetName::Avatar(AvatarSize::Full))?;
            let href = Href::asset(&role.role_id, &role.version, asset.name).on(origin);
            Some(SocialPicture { href, width: asset.width, height: asset.height, is_wide: false })
        });
        let json_ld = self.json_ld(shown, gallery, social.as_ref());
        let shell = Shell::at(&self.site, self.location(), title, shown.text.summary.to_string());
        Shell { social, json_ld: Some(json_ld), ..shell }
    }

    fn json_ld(&self, shown: ShownText<'_>, gallery: &[Picture], social: Option<&SocialPicture>) -> JsonLd {
        let (role, origin) = (self.role, self.site.public_origin);
        let mut value = json!({
            "@context": "https://schema.org",
            "@type": "SoftwareApplication",
            "name": shown.text.title.as_str(),
            "description": shown.text.summary.as_str(),
            "url": self.location().href(self.site.locale).on(origin).as_str(),
            "applicationCategory": "UtilitiesApplication",
            "softwareRequirements": format!("Agotalk {}", role.min_app_version),
            "softwareVersion": role.version.to_string(),
            "datePublished": role.published_at.to_string(),
            "dateModified": role.updated_at.to_string(),
            "fileSize": format!("{} B", role.size_bytes),
            "isAccessibleForFree": true,
            "offers": { "@type": "Offer", "price": 0, "priceCurrency": "USD" },
            "publisher": { "@type": "Organization", "name": role.publisher },
        });
        let languages: Vec<&str> = role.i18n.iter().map(|(tag, _)| tag.as_str()).collect();
        let screenshots: Vec<String> = gallery
            .iter()
            .filter(|picture| !picture.is_cover)
            .map(|picture| picture.full.on(origin).to_string())
            .collect();
        let download = Href::download(&role.role_id, &role.version).on(origin);
        let optional = [
            ("downloadUrl", (role.status != VersionStatus::Withdrawn).then(|| json!(download.as_str()))),
            ("image", social.map(|picture| json!(picture.href.as_str()))),
            ("screenshot", (!screenshots.is_empty()).then(|| json!(screenshots))),
            ("inLanguage", (!languages.is_empty()).then(|| json!(languages))),
        ];
        if let Some(object) = value.as_object_mut() {
            object.extend(optional.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
        }
        JsonLd::new(&value)
    }

    fn notice(&self) -> Option<Notice> {
        let (role, locale) = (self.role, self.site.locale);
        let latest = self.latest().filter(|latest| **latest != role.version);
        let (is_warning, title, text) = match role.status {
            VersionStatus::Withdrawn => (true, "withdrawn-title", "withdrawn-text"),
            VersionStatus::Yanked => (true, "yanked-title", "yanked-text"),
            VersionStatus::Active if self.exact_version => {
                latest?;
                (false, "older-title", "older-text")
            }
            VersionStatus::Active => return None,
        };
        Some(Notice {
            is_warning,
            title: locale.text(title).into_owned(),
            text: locale.text(text).into_owned(),
            reason: role.status_reason.clone().filter(|_| is_warning),
            latest: latest.map(|latest| (Location::Role(&role.role_id).href(locale), latest.to_string())),
        })
    }

    /// What the role's own page shows: the highest active release, or prerelease where there is nothing else.
    fn latest(&self) -> Option<&RoleVersion> {
        let active = || self.versions.iter().filter(|version| version.status == VersionStatus::Active);
        active()
            .filter(|version| !version.version.is_prerelease())
            .map(|version| &version.version)
            .max()
            .or_else(|| active().map(|version| &version.version).max())
    }

    fn facts(&self) -> Vec<Fact> {
        let (role, locale) = (self.role, self.site.locale);
        let fact = |label: &str, value: String| Fact { label: locale.text(label).into_owned(), value, is_code: false };
        let files = u64::try_from(self.files.len()).unwrap_or(u64::MAX);
        let mut facts = vec![
            Fact { is_code: true, ..fact("fact-id", role.role_id.to_string()) },
            Fact { is_code: true, ..fact("fact-version", role.version.to_string()) },
            fact("fact-requires", format!("Agotalk {}", role.min_app_version)),
            fact("fact-license", locale.text("license-free").into_owned()),
            fact("fact-size", locale.size(role.size_bytes)),
            fact("fact-unpacked", locale.size(role.unpacked_bytes)),
            fact("fact-files", locale.number(files)),
            fact("fact-downloads", locale.number(role.downloads)),
            fact("fact-published", locale.date(role.published_at)),
        ];
        if locale.date(role.updated_at) != locale.date(role.published_at) {
            facts.push(fact("fact-updated", locale.date(role.updated_at)));
        }
        facts
    }

    fn version_line(&self, version: &VersionRecord) -> VersionLine {
        let locale = self.site.locale;
        let status = match version.status {
            VersionStatus::Active => None,
            VersionStatus::Yanked => Some("status-yanked"),
            VersionStatus::Withdrawn => Some("status-withdrawn"),
        };
        VersionLine {
            href: Location::Version(&self.role.role_id, &version.version).href(locale),
            version: version.version.to_string(),
            published: self.day(version.published_at),
            size: locale.size(version.size_bytes),
            status: status.map(|id| locale.text(id).into_owned()),
            is_this: version.version == self.role.version,
        }
    }

    fn day(&self, time: Timestamp) -> Day {
        Day { machine: time.to_string(), shown: self.site.locale.date(time) }
    }

    /// The languages of title and summary; the canonical text is among them also when nothing says what it is in.
    fn coverage(&self, shown: ShownText<'_>, canonical_tag: Option<&LocaleTag>) -> Vec<Coverage> {
        let locale = self.site.locale;
        let original = Coverage {
            tag: locale.tag().to_owned(),
            name: locale.text("coverage-original").into_owned(),
            is_shown: shown.locale.is_none(),
        };
        let translation = |(tag, _): &(LocaleTag, LocalizedText)| Coverage {
            tag: tag.to_string(),
            name: native_language_name(tag).map_or_else(|| tag.to_string(), str::to_owned),
            is_shown: shown.locale == Some(tag),
        };
        canonical_tag.is_none().then_some(original).into_iter().chain(self.role.i18n.iter().map(translation)).collect()
    }
}
