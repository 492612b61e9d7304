//! Reading the manifest's fields so that each rule is one line: a value, or an issue at the right place.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::domain::{Code, Issue, Rule};
use crate::package::issues::Issues;

/// The manifest's name.
pub(in crate::package) const MANIFEST: &str = "agotalk.role.toml";

/// A code of the contract and the guide's code for the same fault.
pub(super) type CodePair = (Code, Code);

/// The codes of a field that is missing and of one that is there but wrong.
#[derive(Debug, Clone, Copy)]
pub(super) struct FieldCodes {
    pub(super) missing: CodePair,
    pub(super) invalid: CodePair,
}

impl FieldCodes {
    /// The codes of most fields.
    pub(super) const CONTRACT: Self = Self {
        missing: (Code::RoleContractFieldMissing, Code::RoleContractFieldMissing),
        invalid: (Code::RoleContractFieldInvalid, Code::RoleContractFieldInvalid),
    };

    /// One code, whether the field is missing or wrong.
    pub(super) const fn always(code: Code) -> Self {
        Self { missing: (code, code), invalid: (code, code) }
    }
}

/// What a field must be.
#[derive(Debug, Clone, Copy)]
pub(super) struct Demand<'m> {
    pub(super) rule: Rule,
    pub(super) codes: FieldCodes,
    /// What is said when the field is missing, and when it is wrong and its parser has nothing more precise to say.
    pub(super) message: &'m str,
    /// A line that can be pasted.
    pub(super) hint: &'m str,
}

/// Why a value is not what its rule demands: in words of its own, or in those of the [`Demand`].
pub(super) type Unfit = Option<String>;

/// One table of the manifest, perhaps an absent one.
#[derive(Debug, Clone)]
pub(super) struct Fields<'d> {
    text: &'d str,
    table: Option<&'d DeTable<'d>>,
    /// The table's dotted name with a dot at the end; empty for the root.
    prefix: String,
    /// Where the table, or what stands in its place, begins.
    offset: Option<usize>,
}

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Field<'d> {
    pub(super) name: String,
    pub(super) value: &'d DeValue<'d>,
    pub(super) offset: usize,
}

impl<'d> Fields<'d> {
    pub(super) fn root(text: &'d str, table: &'d DeTable<'d>) -> Self {
        Self { text, table: Some(table), prefix: String::new(), offset: None }
    }

    /// The sub-table of this name; one without fields when it is absent or no table.
    pub(super) fn section(&self, key: &str) -> Self {
        let field = self.get(key);
        Self {
            text: self.text,
            table: field.as_ref().and_then(|field| field.value.as_table()),
            prefix: format!("{}{key}.", self.prefix),
            offset: field.map(|field| field.offset).or(self.offset),
        }
    }

    pub(super) fn get(&self, key: &str) -> Option<Field<'d>> {
        let value = self.table?.get(key)?;
        Some(self.field(key, value))
    }

    /// The table's fields in the order of the file.
    pub(super) fn in_order(&self) -> Vec<(&'d str, Field<'d>)> {
        let fields = self.table.into_iter().flat_map(DeTable::iter);
        let mut fields: Vec<_> =
            fields.map(|(key, value)| (key.get_ref().as_ref(), self.field(key.get_ref(), value))).collect();
        fields.sort_by_key(|(_, field)| field.offset);
        fields
    }

    fn field(&self, key: &str, value: &'d Spanned<DeValue<'d>>) -> Field<'d> {
        Field { name: format!("{}{key}", self.prefix), value: value.get_ref(), offset: value.span().start }
    }

    /// The parsed field; reports one that is missing or unfit.
    pub(super) fn required<T>(
        &self,
        issues: &mut Issues,
        key: &str,
        demand: Demand<'_>,
        parse: impl FnOnce(&'d DeValue<'d>) -> Result<T, Unfit>,
    ) -> Option<T> {
        if self.get(key).is_some() {
            return self.optional(issues, key, demand, parse).flatten();
        }
        let issue = issue(demand.rule, demand.codes.missing, demand.message).about(format!("{}{key}", self.prefix));
        let issue = match self.offset {
            Some(offset) => issue.at_offset(self.text, offset),
            None => issue,
        };
        issues.push(hinted(issue, demand.hint));
        None
    }

    /// The parsed field, or that it is absent; nothing, and an issue, when it is unfit.
    #[expect(clippy::option_option, reason = "unfit, absent and present are three things")]
    pub(super) fn optional<T>(
        &self,
        issues: &mut Issues,
        key: &str,
        demand: Demand<'_>,
        parse: impl FnOnce(&'d DeValue<'d>) -> Result<T, Unfit>,
    ) -> Option<Option<T>> {
        let Some(field) = self.get(key) else { return Some(None) };
        match parse(field.value) {
            Ok(value) => Some(Some(value)),
            Err(reason) => {
                let message = reason.unwrap_or_else(|| demand.message.to_owned());
                let issue = issue(demand.rule, demand.codes.invalid, message);
                issues.push(hinted(self.at(issue, &field), demand.hint));
                None
            }
        }
    }

    /// Whether the table is there.
    pub(super) fn is_there(&self) -> bool {
        self.table.is_some()
    }

    /// The keys of the table with their places, in the order of the file.
    pub(super) fn keys(&self) -> Vec<(&'d str, usize)> {
        let keys = self.table.into_iter().flat_map(DeTable::keys);
        let mut keys: Vec<_> = keys.map(|key| (key.get_ref().as_ref(), key.span().start)).collect();
        keys.sort_by_key(|(_, offset)| *offset);
        keys
    }

    /// The issue, placed at this offset.
    pub(super) fn at_offset(&self, issue: Issue, offset: usize) -> Issue {
        issue.at_offset(self.text, offset)
    }

    /// The dotted name of a key of this table.
    pub(super) fn full_name(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// The issue, placed at this field.
    pub(super) fn at(&self, issue: Issue, field: &Field<'d>) -> Issue {
        issue.about(field.name.clone()).at_offset(self.text, field.offset)
    }
}

/// An error in the manifest.
pub(super) fn issue(rule: Rule, (code, guide): CodePair, message: impl Into<String>) -> Issue {
    Issue::error(rule, code, message).guide(guide).in_file(MANIFEST)
}

/// A warning about the manifest.
pub(super) fn warning(rule: Rule, code: Code, message: impl Into<String>) -> Issue {
    Issue::warning(rule, code, message).in_file(MANIFEST)
}

fn hinted(issue: Issue, hint: &str) -> Issue {
    if hint.is_empty() { issue } else { issue.hint(hint) }
}
