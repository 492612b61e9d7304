//! Environment markers (PEP 508): `python_version < '3.13' and sys_platform == 'win32'`.
//!
//! uv writes markers in a form of its own, so two markers are compared by what they say about machines that exist, not
//! as text. Nothing here can grow: parsing is bounded by depth, comparing by a budget.

use std::str::FromStr as _;

use pep440_rs::{Version, VersionSpecifier};

use super::document::normalized_name;
use super::python::RequiresPython;

/// When a requirement applies.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Marker {
    All(Vec<Marker>),
    Any(Vec<Marker>),
    Version(VersionSpecifier),
    Text {
        variable: Variable,
        comparison: Comparison,
        literal: String,
    },
    /// Something that is not judged here, such as a kernel's release.
    Unjudged,
}

/// A variable whose value is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Variable {
    PythonVersion,
    SysPlatform,
    PlatformSystem,
    OsName,
    PlatformMachine,
    Implementation,
    ImplementationName,
    Extra,
}

/// How a variable is compared to its literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    NotEqual,
    /// The variable's value is part of the literal.
    In,
    NotIn,
    /// The literal is part of the variable's value.
    Contains,
    NotContains,
}

impl Marker {
    pub(super) fn always() -> Self {
        Self::All(Vec::new())
    }

    /// The same, and only when this extra is asked for.
    pub(super) fn and_extra(self, extra: &str) -> Self {
        let variable = Variable::Extra;
        let extra = Self::Text { variable, comparison: Comparison::Equal, literal: extra.to_owned() };
        Self::All(vec![self, extra])
    }

    /// Parses a marker; nothing when it is none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        const MAX_BYTES: usize = 4000;
        if text.len() > MAX_BYTES {
            return None;
        }
        let mut parser = Parser { rest: text.trim(), depth_left: Parser::MAX_DEPTH };
        let marker = parser.any()?;
        parser.rest.is_empty().then_some(marker)
    }

    fn holds(&self, machine: &Machine<'_>) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(machine)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(machine)),
            Self::Version(specifier) => specifier.contains(machine.python),
            Self::Unjudged => true,
            Self::Text { variable, comparison, literal } => {
                let value = machine.value(*variable);
                match comparison {
                    Comparison::Equal => value == *literal,
                    Comparison::NotEqual => value != *literal,
                    Comparison::In => literal.contains(&value),
                    Comparison::NotIn => !literal.contains(&value),
                    Comparison::Contains => value.contains(literal.as_str()),
                    Comparison::NotContains => !value.contains(literal.as_str()),
                }
            }
        }
    }

    /// Its atoms: what has no parts.
    fn atoms<'m>(&'m self, found: &mut Vec<&'m Self>) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.atoms(found)),
            atom => found.push(atom),
        }
    }
}

/// A machine that a package may be installed on.
#[derive(Debug)]
struct Machine<'m> {
    python: &'m Version,
    platform: (&'m str, &'m str, &'m str),
    architecture: &'m str,
    implementation: (&'m str, &'m str),
    extra: &'m str,
}

impl Machine<'_> {
    fn value(&self, variable: Variable) -> String {
        match variable {
            Variable::PythonVersion => {
                let minor = self.python.release().iter().take(2).map(u64::to_string);
                minor.collect::<Vec<_>>().join(".")
            }
            Variable::SysPlatform => self.platform.0.to_owned(),
            Variable::PlatformSystem => self.platform.1.to_owned(),
            Variable::OsName => self.platform.2.to_owned(),
            Variable::PlatformMachine => self.architecture.to_owned(),
            Variable::Implementation => self.implementation.0.to_owned(),
            Variable::ImplementationName => self.implementation.1.to_owned(),
            Variable::Extra => self.extra.to_owned(),
        }
    }
}

/// Compares markers, for the Python versions that the project admits and as long as its budget lasts.
#[derive(Debug)]
pub(super) struct Comparer<'a> {
    pub(super) python: Option<&'a RequiresPython>,
    /// Atoms that may still be evaluated.
    pub(super) budget: usize,
}

const PLATFORMS: [(&str, &str, &str); 6] = [
    ("linux", "Linux", "posix"),
    ("darwin", "Darwin", "posix"),
    ("win32", "Windows", "nt"),
    ("cygwin", "CYGWIN_NT", "posix"),
    ("freebsd14", "FreeBSD", "posix"),
    ("emscripten", "Emscripten", "posix"),
];
const ARCHITECTURES: [&str; 6] = ["x86_64", "aarch64", "arm64", "AMD64", "i686", "s390x"];
const IMPLEMENTATIONS: [(&str, &str); 2] = [("CPython", "cpython"), ("PyPy", "pypy")];

impl Comparer<'_> {
    /// Whether both hold on the same machines, as far as that was looked at.
    pub(super) fn agree(&mut self, a: &Marker, b: &Marker) -> bool {
        if a == b {
            return true;
        }
        let mut atoms = Vec::new();
        a.atoms(&mut atoms);
        b.atoms(&mut atoms);
        // The part of the platforms, architectures … that no atom speaks of makes no difference.
        let speaks_of = |asked: &[Variable]| {
            atoms.iter().any(|atom| matches!(atom, Marker::Text { variable, .. } if asked.contains(variable)))
        };
        let some = |asked: &[Variable], all: usize| if speaks_of(asked) { all } else { 1 };
        let platforms = some(&[Variable::SysPlatform, Variable::PlatformSystem, Variable::OsName], PLATFORMS.len());
        let implementations = some(&[Variable::Implementation, Variable::ImplementationName], IMPLEMENTATIONS.len());
        let architectures = values(&atoms, Variable::PlatformMachine, &ARCHITECTURES);
        let extras = values(&atoms, Variable::Extra, &[""]);
        for python in &self.pythons(&atoms) {
            for platform in PLATFORMS.into_iter().take(platforms) {
                for implementation in IMPLEMENTATIONS.into_iter().take(implementations) {
                    for architecture in &architectures {
                        for extra in &extras {
                            let Some(budget) = self.budget.checked_sub(atoms.len()) else { return true };
                            self.budget = budget;
                            let machine = Machine { python, platform, architecture, implementation, extra };
                            if a.holds(&machine) != b.holds(&machine) {
                                return false;
                            }
                        }
                    }
                }
            }
        }
        true
    }

    /// The Python versions to look at: each minor one, and those that the markers name.
    fn pythons(&self, atoms: &[&Marker]) -> Vec<Version> {
        const MINORS: std::ops::RangeInclusive<u64> = 7..=16;
        const MAX_NAMED: usize = 20;
        let named = atoms.iter().filter_map(|atom| match atom {
            Marker::Version(specifier) => Some(Version::new(specifier.version().release().iter().copied())),
            _ => None,
        });
        let minors = MINORS.flat_map(|minor| [Version::new([3, minor, 0]), Version::new([3, minor, 7])]);
        let mut pythons: Vec<Version> = minors.chain(named.take(MAX_NAMED)).collect();
        pythons.retain(|python| self.python.is_none_or(|admitted| admitted.admits(python)));
        pythons
    }
}

/// The values to try for a variable: those given, and those that the markers name.
fn values<'m>(atoms: &[&'m Marker], asked: Variable, given: &[&'m str]) -> Vec<&'m str> {
    const MAX_NAMED: usize = 20;
    let named = atoms.iter().filter_map(|atom| match atom {
        Marker::Text { variable, literal, .. } if *variable == asked => Some(literal.as_str()),
        _ => None,
    });
    let mut named: Vec<&str> = named.take(MAX_NAMED).collect();
    named.sort_unstable();
    named.dedup();
    let given = if named.is_empty() { given.get(..1).unwrap_or_default() } else { given };
    given.iter().copied().chain(named).collect()
}

struct Parser<'t> {
    rest: &'t str,
    depth_left: usize,
}

enum Operand<'t> {
    Literal(&'t str),
    Variable(&'t str),
}

impl<'t> Parser<'t> {
    const MAX_DEPTH: usize = 32;

    fn any(&mut self) -> Option<Marker> {
        let mut parts = vec![self.all()?];
        while self.word("or") {
            parts.push(self.all()?);
        }
        Some(if parts.len() == 1 { parts.pop()? } else { Marker::Any(parts) })
    }

    fn all(&mut self) -> Option<Marker> {
        let mut parts = vec![self.atom()?];
        while self.word("and") {
            parts.push(self.atom()?);
        }
        Some(if parts.len() == 1 { parts.pop()? } else { Marker::All(parts) })
    }

    fn atom(&mut self) -> Option<Marker> {
        if self.sign("(") {
            self.depth_left = self.depth_left.checked_sub(1)?;
            let marker = self.any()?;
            self.depth_left += 1;
            return self.sign(")").then_some(marker);
        }
        let left = self.operand()?;
        let operator = self.operator()?;
        match (left, self.operand()?) {
            (Operand::Variable(variable), Operand::Literal(literal)) => atom(variable, operator, literal, false),
            (Operand::Literal(literal), Operand::Variable(variable)) => atom(variable, operator, literal, true),
            _ => None,
        }
    }

    fn operand(&mut self) -> Option<Operand<'t>> {
        let quote = self.rest.chars().next()?;
        if matches!(quote, '\'' | '"') {
            let (literal, rest) = self.rest.get(1..)?.split_once(quote)?;
            self.rest = rest.trim_start();
            return Some(Operand::Literal(literal));
        }
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let len = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at_checked(len).filter(|(name, _)| !name.is_empty())?;
        self.rest = rest.trim_start();
        Some(Operand::Variable(name))
    }

    fn operator(&mut self) -> Option<&'static str> {
        for sign in ["===", "==", "!=", "<=", ">=", "~=", "<", ">"] {
            if self.sign(sign) {
                return Some(sign);
            }
        }
        if self.word("in") {
            return Some("in");
        }
        (self.word("not") && self.word("in")).then_some("not in")
    }

    fn sign(&mut self, sign: &str) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.map_or(self.rest, str::trim_start);
        rest.is_some()
    }

    fn word(&mut self, word: &str) -> bool {
        let rest = self.rest.strip_prefix(word);
        let rest = rest.filter(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
        self.rest = rest.map_or(self.rest, str::trim_start);
        rest.is_some()
    }
}

fn atom(variable: &str, operator: &str, literal: &str, reversed: bool) -> Option<Marker> {
    if let "python_full_version" | "python_version" = variable {
        let operator = if reversed { mirrored(operator) } else { operator };
        if let Some(marker) = version_atom(variable == "python_version", operator, literal) {
            return Some(marker);
        }
    }
    let comparison = match (operator, reversed) {
        ("==" | "===", _) => Comparison::Equal,
        ("!=", _) => Comparison::NotEqual,
        ("in", false) => Comparison::In,
        ("not in", false) => Comparison::NotIn,
        ("in", true) => Comparison::Contains,
        ("not in", true) => Comparison::NotContains,
        // Text has no order that a package should depend on.
        _ => return Some(Marker::Unjudged),
    };
    let mut literal = literal.to_owned();
    let variable = match variable {
        "python_version" => Variable::PythonVersion,
        "sys_platform" | "sys.platform" => Variable::SysPlatform,
        "platform_system" => Variable::PlatformSystem,
        "os_name" | "os.name" => Variable::OsName,
        "platform_machine" | "platform.machine" => Variable::PlatformMachine,
        "platform_python_implementation" | "platform.python_implementation" | "python_implementation" => {
            Variable::Implementation
        }
        "implementation_name" => Variable::ImplementationName,
        "extra" => {
            literal = normalized_name(&literal)?;
            Variable::Extra
        }
        "python_full_version"
        | "implementation_version"
        | "platform_release"
        | "platform_version"
        | "platform.version"
        | "extras"
        | "dependency_groups" => return Some(Marker::Unjudged),
        _ => return None,
    };
    Some(Marker::Text { variable, comparison, literal })
}

/// The specifier of full Python versions that says the same.
fn version_atom(minor_only: bool, operator: &str, literal: &str) -> Option<Marker> {
    const MAX_BYTES: usize = 100;
    if literal.len() > MAX_BYTES {
        return None;
    }
    let specifier = |text: String| VersionSpecifier::from_str(&text).ok().map(Marker::Version);
    if !minor_only {
        return specifier(format!("{operator}{literal}"));
    }
    // python_version is a full version cut after its minor part: 3.11.4 is 3.11.
    let version = Version::from_str(literal.trim().trim_end_matches(".*")).ok()?;
    let [major, minor] = [0, 1].map(|part| version.release().get(part).copied().unwrap_or(0));
    if version.release().iter().skip(2).any(|part| *part > 0) {
        return Some(Marker::Unjudged);
    }
    let (this, next) = (format!("{major}.{minor}"), format!("{major}.{}", minor.checked_add(1)?));
    match operator {
        "==" | "===" => specifier(format!("=={this}.*")),
        "!=" => specifier(format!("!={this}.*")),
        "<" => specifier(format!("<{this}")),
        "<=" => specifier(format!("<{next}")),
        ">" => specifier(format!(">={next}")),
        ">=" => specifier(format!(">={this}")),
        "~=" => specifier(format!("~={this}")),
        _ => None,
    }
}

fn mirrored(operator: &str) -> &str {
    match operator {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agree(a: &str, b: &str) -> bool {
        let python = RequiresPython::parse(">=3.11").unwrap();
        let mut comparer = Comparer { python: Some(&python), budget: 1_000_000 };
        let parse = |text: &str| Marker::parse(text).unwrap_or_else(|| panic!("{text}"));
        comparer.agree(&parse(a), &parse(b))
    }

    #[test]
    fn markers_agree_when_they_hold_on_the_same_machines() {
        for (a, b) in [
            ("python_version < '3.13'", "python_full_version < '3.13'"),
            ("python_version>'3.12'", "python_full_version >= \"3.13\""),
            ("'3.12' <= python_version", "python_full_version >= '3.12'"),
            ("platform_system == 'Windows'", "sys_platform == 'win32'"),
            (
                "sys_platform == 'win32' or python_version < '3.13'",
                "python_full_version < '3.13' or sys_platform == 'win32'",
            ),
            ("(os_name == 'posix')", "os_name != 'nt'"),
            // Nothing below 3.11 is admitted.
            ("python_version < '3.10'", "python_version < '3.9'"),
            ("python_version in '3.11 3.12'", "python_full_version < '3.13'"),
            ("extra == 'Extra_One' and os_name == 'nt'", "os_name == 'nt' and extra == 'extra-one'"),
        ] {
            assert!(agree(a, b), "{a} | {b}");
        }
        for (a, b) in [
            ("python_version < '3.13'", "python_full_version < '3.12'"),
            ("python_full_version < '3.11.4'", "python_full_version < '3.11.5'"),
            ("sys_platform == 'linux'", "sys_platform == 'darwin'"),
            ("platform_machine == 'riscv64'", "platform_machine == 'ppc64le'"),
            ("extra == 'a'", "extra == 'b'"),
            ("implementation_name == 'cpython'", "implementation_name == 'pypy'"),
        ] {
            assert!(!agree(a, b), "{a} | {b}");
        }
    }

    #[test]
    fn what_is_no_marker_is_refused() {
        let deep = format!("{}os_name == 'nt'{}", "(".repeat(40), ")".repeat(40));
        for text in [
            "",
            "os_name",
            "os_name ==",
            "os_name == nt",
            "'a' == 'b'",
            "x == '1'",
            "os_name == 'nt' and",
            "(os_name == 'nt'",
            &deep,
        ] {
            assert_eq!(Marker::parse(text), None, "{text}");
        }
    }

    #[test]
    fn comparing_ends_with_its_budget() {
        let long = |n: usize| vec![format!("platform_machine == 'm{n}'"); 100].join(" or ");
        let mut comparer = Comparer { python: None, budget: 1000 };
        assert!(comparer.agree(&Marker::parse(&long(1)).unwrap(), &Marker::parse(&long(2)).unwrap()));
    }
}
