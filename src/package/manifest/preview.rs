//! The `[preview]` table (rules P01 to P03).

use toml::de::DeValue;

use super::fields::{Field, Fields, issue};
use crate::domain::{Code, MAX_SCREENSHOTS, PackagePath, Preview, Rule};
use crate::package::archive::Archive;
use crate::package::issues::Issues;
use crate::package::paths::{Target, resolve};

/// What the table names and the package has, and whether no rule is broken.
pub(super) fn read(root: &Fields<'_>, archive: &Archive, issues: &mut Issues) -> (Preview, bool) {
    let Some(field) = root.get("preview") else { return (Preview::default(), true) };
    let mut reader = Reader { fields: root.section("preview"), archive, issues, sound: true };
    if field.value.as_table().is_none() {
        reader.invalid(&field, "preview must be a table", "[preview]\nintro_html = \"intro.html\"");
    }
    let preview = Preview {
        intro_html: reader.file("intro_html"),
        cover_image: reader.file("cover_image"),
        screenshots: reader.screenshots(),
    };
    (preview, reader.sound)
}

struct Reader<'d, 'a> {
    fields: Fields<'d>,
    archive: &'a Archive,
    issues: &'a mut Issues,
    sound: bool,
}

impl<'d> Reader<'d, '_> {
    fn file(&mut self, key: &str) -> Option<PackagePath> {
        let field = self.fields.get(key)?;
        self.path(&field)
    }

    fn screenshots(&mut self) -> Vec<PackagePath> {
        const HINT: &str = "screenshots = [\"assets/screenshots/1.png\"]";
        let Some(field) = self.fields.get("screenshots") else { return Vec::new() };
        let DeValue::Array(items) = field.value else {
            self.invalid(&field, "preview.screenshots must be a list of 1 to 3 paths", HINT);
            return Vec::new();
        };
        if items.is_empty() || items.len() > usize::from(MAX_SCREENSHOTS) {
            self.invalid(&field, "preview.screenshots must be a list of 1 to 3 paths", HINT);
        }
        // A longer list is refused already; its first paths are still worth a look.
        let items = items.iter().take(usize::from(MAX_SCREENSHOTS)).enumerate();
        items
            .filter_map(|(index, item)| {
                let name = format!("{}[{index}]", field.name);
                self.path(&Field { name, value: item.get_ref(), offset: item.span().start })
            })
            .collect()
    }

    /// The regular file that a field names.
    fn path(&mut self, field: &Field<'d>) -> Option<PackagePath> {
        let Some(text) = field.value.as_str().filter(|text| !text.is_empty()) else {
            self.invalid(field, &format!("{} must be a non-empty string", field.name), "");
            return None;
        };
        let name = &field.name;
        match resolve(self.archive, text) {
            Target::File(path) => return Some(path),
            Target::Outside => {
                let codes = (Code::RolePackagePathOutsideRoot, Code::RolePreviewOutsidePackage);
                let hint = "write the path relative to the package root";
                self.report(Rule::P02, codes, field, &format!("{name} must stay inside the package"), hint);
            }
            Target::Missing(similar) => {
                let codes = (Code::RolePreviewNotFound, Code::RolePreviewNotFound);
                let hint = similar.map_or(String::new(), |path| format!("write it as \"{path}\""));
                self.report(Rule::P03, codes, field, &format!("{name} names a file that is not in the package"), &hint);
            }
            Target::NotFile => {
                let codes = (Code::RolePreviewNotFile, Code::RolePreviewNotFile);
                self.report(Rule::P03, codes, field, &format!("{name} must be a regular file"), "");
            }
        }
        None
    }

    fn invalid(&mut self, field: &Field<'d>, message: &str, hint: &str) {
        self.report(Rule::P01, (Code::RolePreviewInvalid, Code::RolePreviewInvalid), field, message, hint);
    }

    fn report(&mut self, rule: Rule, codes: (Code, Code), field: &Field<'d>, message: &str, hint: &str) {
        self.sound = false;
        let issue = self.fields.at(issue(rule, codes, message), field);
        self.issues.push(if hint.is_empty() { issue } else { issue.hint(hint) });
    }
}
