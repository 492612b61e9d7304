//! The manifest `agotalk.role.toml` (rules M02 to M15, E01 to E08, P01 to P03, W08 to W10).

mod entry;
mod fields;
mod json;
mod preview;
mod toml_1_1;
mod unknown;
mod untranslated;

use toml::de::{DeTable, DeValue};

use self::fields::{Demand, FieldCodes, Fields, Unfit, issue};
use super::archive::{Archive, limit_issue};
use super::issues::Issues;
use super::toml_cost;
use crate::domain::{
    AppVersion, Code, DependencyMode, DisplayText, LocaleTag, LocalizedText, Manifest, Preview, RoleId, RoleVersion,
    Rule,
};

pub(super) use self::fields::MANIFEST;

/// What could be read of a manifest.
#[derive(Debug)]
pub(super) struct Draft {
    /// The id as written, for the report.
    pub(super) id: Option<String>,
    /// The version as written, for the report.
    pub(super) version: Option<String>,
    /// Whether it says `kind = "role"`.
    pub(super) is_role: bool,
    /// The dependency mode, as far as rule M11 is satisfied.
    pub(super) dependency_mode: Option<DependencyMode>,
    /// Every picture that the manifest names and the package has.
    pub(super) preview: Preview,
    /// The manifest, when no rule about it is broken.
    pub(super) manifest: Option<Manifest>,
    /// The whole file as JSON.
    pub(super) json: serde_json::Value,
    /// Whether rule M13 is to be asked: no minimum app version is given, and none that is wrong either.
    pub(super) lacks_min_app_version: bool,
}

/// Reads the manifest and reports every fault; nothing when it is not TOML (rule M02).
pub(super) fn read(bytes: &[u8], archive: &Archive, issues: &mut Issues) -> Option<Draft> {
    const MAX_COST: usize = 100_000;
    let invalid = |message: String| issue(Rule::M02, (Code::RoleContractInvalid, Code::RoleContractInvalid), message);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{FEFF}').unwrap_or(text),
        Err(fault) => {
            let sound = bytes.get(..fault.valid_up_to()).and_then(|sound| std::str::from_utf8(sound).ok());
            let sound = sound.unwrap_or_default();
            let issue = invalid("the manifest is not UTF-8".to_owned()).at_offset(sound, sound.len());
            issues.push(issue.hint("save the file as UTF-8"));
            return None;
        }
    };
    if !toml_cost::is_within(text, MAX_COST) {
        issues.push(limit_issue("the manifest holds too many values".to_owned()).in_file(MANIFEST));
        return None;
    }
    let document = match DeTable::parse(text) {
        Ok(document) => document,
        Err(fault) => {
            let issue = invalid(format!("the manifest is not TOML 1.0: {}", fault.message()));
            issues.push(match fault.span() {
                Some(span) => issue.at_offset(text, span.start),
                None => issue,
            });
            return None;
        }
    };
    match json::from_table(document.get_ref()) {
        Ok(json) => {
            let root = Fields::root(text, document.get_ref());
            toml_1_1::check(text, document.get_ref(), issues);
            unknown::check(&root, issues);
            untranslated::check(&root, issues);
            Some(rules(&root, json, archive, issues))
        }
        Err(fault) => {
            issues.push(invalid(format!("the manifest cannot be used: {fault}")));
            None
        }
    }
}

fn rules(root: &Fields<'_>, json: serde_json::Value, archive: &Archive, issues: &mut Issues) -> Draft {
    let written = |key: &str| root.get(key).and_then(|field| field.value.as_str()).map(shortened);
    let schema = schema_version(root, issues);
    let id = id(root, archive, issues);
    let version = root.required(issues, "version", VERSION, |value| {
        RoleVersion::parse(string(value)?).map_err(|fault| Some(fault.to_string()))
    });
    let text = localized_text(root, Rule::M07, issues);
    let kind_name = kind(root, issues);
    let license = root.required(issues, "license", LICENSE, |value| one_of(value, &[("free", ())]));
    let state = root.section("state");
    let remembers_progress =
        state.required(issues, "remembers_progress", REMEMBERS_PROGRESS, |value| value.as_bool().ok_or(None));
    let environment = root.section("environment");
    let manager = environment.required(issues, "manager", MANAGER, |value| one_of(value, &[("agotalk", ())]));
    let dependency_mode = environment.required(issues, "dependency_mode", DEPENDENCY_MODE, |value| {
        one_of(value, &[("none", DependencyMode::None), ("locked", DependencyMode::Locked)])
    });
    let min_app_version = root.optional(issues, "min_app_version", MIN_APP_VERSION, |value| {
        AppVersion::parse(string(value)?).map_err(|fault| Some(fault.to_string()))
    });
    let i18n = i18n(root, issues);
    let kind = kind_name.and_then(|name| entry::kind(name, root, archive, issues));
    let (preview, preview_sound) = preview::read(root, archive, issues);

    let manifest = (|| {
        let ((), (), ()) = (schema?, license?, manager?);
        preview_sound.then_some(())?;
        Some(Manifest {
            id: id?,
            version: version?,
            text: text?,
            kind: kind?,
            min_app_version: min_app_version?,
            preview: preview.clone(),
            remembers_progress: remembers_progress?,
            dependency_mode: dependency_mode?,
            i18n: i18n?,
        })
    })();
    Draft {
        id: written("id"),
        version: written("version"),
        is_role: kind_name == Some(KindName::Role),
        dependency_mode,
        preview,
        manifest,
        json,
        lacks_min_app_version: min_app_version == Some(None),
    }
}

/// The two kinds, before an application's entry is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KindName {
    Role,
    Application,
}

const VERSION: Demand<'_> = Demand {
    rule: Rule::M06,
    codes: FieldCodes::CONTRACT,
    message: "version must be a SemVer 2.0.0 string",
    hint: "version = \"0.1.0\"",
};
const LICENSE: Demand<'_> = Demand {
    rule: Rule::M09,
    codes: FieldCodes::CONTRACT,
    message: "license must equal \"free\"",
    hint: "license = \"free\"",
};
const REMEMBERS_PROGRESS: Demand<'_> = Demand {
    rule: Rule::M10,
    codes: FieldCodes::always(Code::RoleStateRemembersProgressInvalid),
    message: "state.remembers_progress must be boolean",
    hint: "[state]\nremembers_progress = false",
};
const MANAGER: Demand<'_> = Demand {
    rule: Rule::M11,
    codes: FieldCodes::always(Code::RoleEnvironmentInvalid),
    message: "environment.manager must equal \"agotalk\"",
    hint: "[environment]\nmanager = \"agotalk\"",
};
const DEPENDENCY_MODE: Demand<'_> = Demand {
    rule: Rule::M11,
    codes: FieldCodes::always(Code::RoleEnvironmentInvalid),
    message: "environment.dependency_mode must be \"none\" or \"locked\"",
    hint: "[environment]\ndependency_mode = \"none\"",
};
const MIN_APP_VERSION: Demand<'_> = Demand {
    rule: Rule::M12,
    codes: FieldCodes::CONTRACT,
    message: "min_app_version must be a plain \"x.y.z\" version",
    hint: "min_app_version = \"0.1.57\"",
};

fn schema_version(root: &Fields<'_>, issues: &mut Issues) -> Option<()> {
    let demand = Demand {
        rule: Rule::M03,
        codes: FieldCodes::CONTRACT,
        message: "schema_version must equal 1",
        hint: "schema_version = 1",
    };
    root.required(issues, "schema_version", demand, |value| {
        let is_one = value.as_integer().and_then(json::integer) == Some(1);
        is_one.then_some(()).ok_or(None)
    })
}

/// Rules M04 and M05.
fn id(root: &Fields<'_>, archive: &Archive, issues: &mut Issues) -> Option<RoleId> {
    let directory = archive.root();
    let hint = RoleId::parse(directory).map_or(String::new(), |id| format!("id = \"{id}\""));
    let demand = Demand {
        rule: Rule::M04,
        codes: FieldCodes::CONTRACT,
        message: "id must be a non-empty trimmed string",
        hint: &hint,
    };
    let id = root.required(issues, "id", demand, |value| {
        let text = value.as_str().filter(|text| !text.is_empty() && text.trim() == *text).ok_or(None)?;
        RoleId::parse(text).map_err(|fault| Some(fault.to_string()))
    });
    let written = root.get("id").filter(|field| field.value.as_str().is_some_and(|text| text.trim() != directory));
    if let Some(field) = written {
        let message = format!("id must equal the top-level directory's name, {:?}", shortened(directory));
        let codes = (Code::RolePackageIdMismatch, Code::RoleIdDirMismatch);
        issues.push(root.at(issue(Rule::M05, codes, message), &field).hint("rename the directory or the id"));
        return None;
    }
    id
}

fn kind(root: &Fields<'_>, issues: &mut Issues) -> Option<KindName> {
    let demand = Demand {
        rule: Rule::M08,
        codes: FieldCodes {
            missing: (Code::RolePackageKindInvalid, Code::RoleContractFieldMissing),
            invalid: (Code::RolePackageKindInvalid, Code::RoleContractFieldInvalid),
        },
        message: "kind must be \"role\" or \"application\"",
        hint: "kind = \"role\"",
    };
    root.required(issues, "kind", demand, |value| {
        one_of(value, &[("role", KindName::Role), ("application", KindName::Application)])
    })
}

/// `title` and `summary` of a table (rule M07).
fn localized_text(fields: &Fields<'_>, rule: Rule, issues: &mut Issues) -> Option<LocalizedText> {
    let mut text = |key: &str, max: usize| {
        let message = format!("{key} must be a non-empty trimmed string");
        let demand = Demand { rule, codes: FieldCodes::CONTRACT, message: &message, hint: "" };
        fields.required(issues, key, demand, |value| {
            DisplayText::parse(string(value)?, max).map_err(|fault| Some(format!("{key} {fault}")))
        })
    };
    let (title, summary) = (text("title", DisplayText::MAX_TITLE), text("summary", DisplayText::MAX_SUMMARY));
    Some(LocalizedText { title: title?, summary: summary? })
}

/// The `[i18n]` tables (rule M14).
fn i18n(root: &Fields<'_>, issues: &mut Issues) -> Option<Vec<(LocaleTag, LocalizedText)>> {
    const MAX_LOCALES: usize = 8;
    let Some(field) = root.get("i18n") else { return Some(Vec::new()) };
    let invalid = |message: String| issue(Rule::M14, FieldCodes::CONTRACT.invalid, message);
    if field.value.as_table().is_none() {
        let hint = "[i18n.\"zh-CN\"]\ntitle = \"…\"\nsummary = \"…\"";
        issues.push(root.at(invalid("i18n must hold a table for each language".to_owned()), &field).hint(hint));
        return None;
    }
    let section = root.section("i18n");
    let locales = section.in_order();
    let mut sound = true;
    if locales.len() > MAX_LOCALES {
        issues.push(root.at(invalid(format!("i18n must have at most {MAX_LOCALES} languages")), &field));
        sound = false;
    }
    let mut texts = Vec::new();
    // More are refused already; the first ones are still worth a look.
    for (key, field) in locales.into_iter().take(MAX_LOCALES) {
        let tag = LocaleTag::parse(key);
        if let Err(fault) = &tag {
            issues.push(section.at(invalid(format!("{:?} is no language here: {fault}", shortened(key))), &field));
        }
        if field.value.as_table().is_none() {
            issues.push(section.at(invalid("a language must be a table with title and summary".to_owned()), &field));
        }
        let text = field.value.as_table().and_then(|_| localized_text(&section.section(key), Rule::M14, issues));
        match (tag, text) {
            (Ok(tag), Some(text)) => texts.push((tag, text)),
            _ => sound = false,
        }
    }
    sound.then_some(texts)
}

/// The string, or that the demand's own words say enough.
fn string<'d>(value: &'d DeValue<'d>) -> Result<&'d str, Unfit> {
    value.as_str().ok_or(None)
}

/// What the string stands for, when it is one of these.
fn one_of<T: Copy>(value: &DeValue<'_>, choices: &[(&str, T)]) -> Result<T, Unfit> {
    let text = value.as_str().ok_or(None)?;
    choices.iter().find(|(name, _)| *name == text).map(|(_, meaning)| *meaning).ok_or(None)
}

/// A text from the package in a message or report: not all of a megabyte.
fn shortened(text: &str) -> String {
    const MAX_CHARS: usize = 200;
    text.chars().take(MAX_CHARS).collect()
}
