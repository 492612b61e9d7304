//! The `[entry]` table (rules E01 to E08).

use super::fields::{Demand, Field, FieldCodes, Fields, issue};
use super::{KindName, one_of, string};
use crate::domain::{AddressBar, Code, Entry, Kind, PackagePath, Rule};
use crate::package::archive::Archive;
use crate::package::issues::Issues;
use crate::package::paths::{Target, resolve};

const ENTRY_HINT: &str =
    "[entry]\nkind = \"static_browser\"\ntarget = \"agapps/<app>/index.html\"\naddress_bar = \"hidden\"";

/// The kind with its entry, when the entry is as the kind demands.
pub(super) fn kind(name: KindName, root: &Fields<'_>, archive: &Archive, issues: &mut Issues) -> Option<Kind> {
    let field = root.get("entry");
    match (name, field) {
        (KindName::Role, None) => Some(Kind::Role),
        (KindName::Role, Some(field)) => {
            let codes = (Code::RolePackageEntryForbidden, Code::RoleContractFieldInvalid);
            let issue = issue(Rule::E01, codes, "kind = \"role\" must have no [entry]");
            issues.push(root.at(issue, &field).hint("remove [entry], or write kind = \"application\""));
            None
        }
        (KindName::Application, field) => application(field, root, archive, issues).map(Kind::Application),
    }
}

fn application(field: Option<Field<'_>>, root: &Fields<'_>, archive: &Archive, issues: &mut Issues) -> Option<Entry> {
    let required =
        |guide, message: &str| issue(Rule::E02, (Code::RolePackageEntryRequired, guide), message).hint(ENTRY_HINT);
    let Some(field) = field else {
        let issue = required(Code::RoleContractFieldMissing, "kind = \"application\" requires [entry]");
        issues.push(issue.about("entry"));
        return None;
    };
    match field.value.as_table() {
        None => {
            let issue = required(Code::RoleContractFieldMissing, "entry must be one [entry] table");
            issues.push(root.at(issue, &field));
            return None;
        }
        Some(table) if table.is_empty() => {
            // A reader that dispatches by entry.kind finds none.
            let issue = required(Code::RoleEntryKindUnsupported, "[entry] must not be empty");
            issues.push(root.at(issue, &field));
            return None;
        }
        Some(_) => {}
    }
    let entry = root.section("entry");
    let kind = entry.required(
        issues,
        "kind",
        Demand {
            rule: Rule::E03,
            codes: FieldCodes::always(Code::RoleEntryKindUnsupported),
            message: "entry.kind must equal \"static_browser\"",
            hint: "kind = \"static_browser\"",
        },
        |value| one_of(value, &[("static_browser", ())]),
    );
    let address_bar = entry.required(
        issues,
        "address_bar",
        Demand {
            rule: Rule::E04,
            codes: FieldCodes::always(Code::RoleEntryAddressBarInvalid),
            message: "entry.address_bar must be \"visible\" or \"hidden\"",
            hint: "address_bar = \"hidden\"",
        },
        |value| one_of(value, &[("visible", AddressBar::Visible), ("hidden", AddressBar::Hidden)]),
    );
    let target = target(&entry, archive, issues);
    kind?;
    Some(Entry { target: target?, address_bar: address_bar? })
}

fn target(entry: &Fields<'_>, archive: &Archive, issues: &mut Issues) -> Option<PackagePath> {
    let demand = Demand {
        rule: Rule::E05,
        codes: FieldCodes::CONTRACT,
        message: "entry.target must be the package-relative path of an .html file",
        hint: "target = \"agapps/<app>/index.html\"",
    };
    let text = entry.required(issues, "target", demand, |value| {
        string(value).and_then(|text| if text.is_empty() { Err(None) } else { Ok(text) })
    })?;
    let field = entry.get("target")?;
    let mut report = |rule, codes, message: &str, hint: Option<String>| {
        let issue = entry.at(issue(rule, codes, message), &field);
        issues.push(match hint {
            Some(hint) => issue.hint(hint),
            None => issue,
        });
    };
    let is_html = text.to_ascii_lowercase().ends_with(".html");
    let found = resolve(archive, text);
    if !is_html && matches!(found, Target::File(_) | Target::Missing(_)) {
        report(Rule::E05, FieldCodes::CONTRACT.invalid, demand.message, Some(demand.hint.to_owned()));
    }
    match found {
        Target::File(path) => return is_html.then_some(path),
        Target::Outside => {
            let codes = (Code::RolePackagePathOutsideRoot, Code::RoleEntryTargetOutsidePackage);
            report(Rule::E06, codes, "entry.target must stay inside the package", Some(demand.hint.to_owned()));
        }
        Target::Missing(similar) => {
            let code = Code::RoleEntryTargetNotFound;
            let hint = similar.map(|path| format!("target = \"{path}\""));
            report(Rule::E07, (code, code), "entry.target names a file that is not in the package", hint);
        }
        Target::NotFile => {
            let code = Code::RoleEntryTargetNotFile;
            report(Rule::E08, (code, code), "entry.target must be a regular file", None);
        }
    }
    None
}
