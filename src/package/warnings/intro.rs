//! The presentation page is static HTML only (rule W12).

use super::html::tags;
use super::{Finding, Findings, TextFile};

pub(super) const HINT: &str = "intro.html is shown as static HTML; an application's page belongs into agapps/";

pub(super) fn find(file: TextFile<'_>) -> Vec<Finding> {
    let mut findings = Findings::default();
    for tag in tags(file.text) {
        if findings.is_full() {
            break;
        }
        if matches!(tag.name.as_str(), "script" | "form") {
            findings.push(tag.offset, format!("the presentation page holds a <{}>", tag.name));
        }
        for attribute in &tag.attributes {
            let is_handler = attribute
                .name
                .strip_prefix("on")
                .is_some_and(|event| event.starts_with(|c: char| c.is_ascii_alphabetic()));
            let value = attribute.value.trim_start();
            let runs =
                value.get(.."javascript:".len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case("javascript:"));
            if is_handler || runs {
                findings.push(attribute.offset, "the presentation page holds an event handler");
            }
        }
    }
    findings.found.truncate(Findings::MAX);
    findings.found
}

#[cfg(test)]
mod tests {
    use super::super::tests::lines;
    use super::*;

    #[test]
    fn w12_scripts_forms_and_handlers_are_found() {
        let html = "<h1>Hello</h1>\n<script>x</script>\n<FORM action=a>\n<img\nonerror = x()>\n<a href=' JavaScript:x'>\n<svg/onload=x>";
        assert_eq!(lines(find, "intro.html", html), [2, 3, 5, 6, 7]);
    }

    #[test]
    fn static_pages_are_left_alone() {
        let html = "<!-- <script> --><p class=once>The <b>form</b> onclick=\"x\"</p><title><script></title><a href=\"x.html\">x</a>";
        assert_eq!(lines(find, "intro.html", html), [0; 0]);
    }
}
