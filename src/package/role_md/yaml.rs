//! Just enough YAML for a front matter block: a bounded tree whose aliases are followed, never expanded.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use saphyr_parser::{Event, Parser, ScalarStyle};

/// Why a text was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum YamlFault {
    /// Not YAML, by a strict reader.
    Refused,
    /// YAML that would grow beyond the limits.
    TooMuch,
}

/// The parsed documents.
#[derive(Debug, Default)]
pub(super) struct Yaml {
    nodes: Vec<Node>,
    anchors: BTreeMap<usize, NodeId>,
    roots: Vec<NodeId>,
}

/// One key of a top-level mapping.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: String,
    /// The value, when it is a scalar; null is the empty text.
    pub(super) value: Option<String>,
    /// Where the key begins, in characters.
    pub(super) char_index: usize,
}

type NodeId = usize;

#[derive(Debug)]
struct Node {
    content: Content,
    char_index: usize,
}

#[derive(Debug)]
enum Content {
    Scalar(String),
    Sequence(Vec<NodeId>),
    /// Keys and values in turn.
    Mapping(Vec<NodeId>),
    Alias(usize),
}

const MAX_NODES: usize = 10_000;
const MAX_DEPTH: usize = 64;

impl Yaml {
    pub(super) fn parse(text: &str) -> Result<Self, YamlFault> {
        let mut yaml = Self::default();
        let mut open: Vec<NodeId> = Vec::new();
        for event in Parser::new_from_str(text) {
            let (event, span) = event.map_err(|_| YamlFault::Refused)?;
            let (content, anchor, opens) = match event {
                Event::Scalar(text, style, anchor, _) => (Content::Scalar(scalar(text, style)), anchor, false),
                Event::Alias(anchor) => (Content::Alias(anchor), 0, false),
                Event::SequenceStart(anchor, _) => (Content::Sequence(Vec::new()), anchor, true),
                Event::MappingStart(anchor, _) => (Content::Mapping(Vec::new()), anchor, true),
                Event::SequenceEnd | Event::MappingEnd => {
                    open.pop();
                    continue;
                }
                _ => continue,
            };
            let id = yaml.nodes.len();
            yaml.nodes.push(Node { content, char_index: span.start.index() });
            match open.last().and_then(|parent| yaml.nodes.get_mut(*parent)).map(|parent| &mut parent.content) {
                Some(Content::Sequence(children) | Content::Mapping(children)) => children.push(id),
                _ => yaml.roots.push(id),
            }
            // The parser counts anchors from 1.
            if anchor > 0 {
                yaml.anchors.insert(anchor, id);
            }
            if opens {
                open.push(id);
            }
            if yaml.nodes.len() > MAX_NODES || open.len() > MAX_DEPTH {
                return Err(YamlFault::TooMuch);
            }
        }
        if yaml.expands_too_far() { Err(YamlFault::TooMuch) } else { Ok(yaml) }
    }

    /// The keys of the top-level mappings of all documents, merged ones (`<<`) included.
    pub(super) fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut seen = BTreeSet::new();
        for root in &self.roots {
            self.collect(*root, &mut seen, &mut entries);
        }
        entries
    }

    fn collect(&self, id: NodeId, seen: &mut BTreeSet<NodeId>, entries: &mut Vec<Entry>) {
        let Some(id) = self.target(id).filter(|id| seen.insert(*id)) else { return };
        let Some(Content::Mapping(children)) = self.content(id) else { return };
        for pair in children.chunks_exact(2) {
            let [key, value] = pair else { continue };
            let char_index = self.nodes.get(*key).map_or(0, |node| node.char_index);
            let Some(key) = self.scalar(*key) else { continue };
            if key == "<<" {
                match self.target(*value).and_then(|value| self.content(value)) {
                    Some(Content::Sequence(merged)) => merged.iter().for_each(|id| self.collect(*id, seen, entries)),
                    _ => self.collect(*value, seen, entries),
                }
            }
            entries.push(Entry { key: key.to_owned(), value: self.scalar(*value).map(str::to_owned), char_index });
        }
    }

    fn scalar(&self, id: NodeId) -> Option<&str> {
        match self.content(self.target(id)?)? {
            Content::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// The node itself, or the one that an alias stands for.
    fn target(&self, id: NodeId) -> Option<NodeId> {
        match self.content(id)? {
            Content::Alias(anchor) => self.anchors.get(anchor).copied(),
            _ => Some(id),
        }
    }

    fn content(&self, id: NodeId) -> Option<&Content> {
        self.nodes.get(id).map(|node| &node.content)
    }

    /// Whether a reader that copies what aliases stand for would need more than [`MAX_NODES`], or never end.
    fn expands_too_far(&self) -> bool {
        // A node comes after its parent and an alias after its anchor, so sizes are known from the last node on,
        // except that of an alias: its target comes first. One pass from the front settles those.
        let mut sizes = vec![0_usize; self.nodes.len()];
        let ends = self.subtree_ends();
        for id in 0..self.nodes.len() {
            if let Some(Content::Alias(anchor)) = self.content(id) {
                let Some(target) = self.anchors.get(anchor).copied() else { continue };
                let end = ends.get(target).copied().unwrap_or(id);
                if target >= id || end > id {
                    return true;
                }
                let expanded = sizes.get(target..end).unwrap_or_default();
                let size = expanded.iter().fold(0_usize, |sum, size| sum.saturating_add(*size));
                if let Some(slot) = sizes.get_mut(id) {
                    *slot = size;
                }
                if size > MAX_NODES {
                    return true;
                }
            } else if let Some(slot) = sizes.get_mut(id) {
                *slot = 1;
            }
        }
        sizes.iter().fold(0_usize, |sum, size| sum.saturating_add(*size)) > MAX_NODES
    }

    /// For each node, the id after its last descendant.
    fn subtree_ends(&self) -> Vec<NodeId> {
        let mut ends: Vec<NodeId> = (1..=self.nodes.len()).collect();
        for id in (0..self.nodes.len()).rev() {
            if let Some(Content::Sequence(children) | Content::Mapping(children)) = self.content(id) {
                let end = children.last().and_then(|child| ends.get(*child)).copied();
                if let (Some(end), Some(slot)) = (end, ends.get_mut(id)) {
                    *slot = end;
                }
            }
        }
        ends
    }
}

fn scalar(text: Cow<'_, str>, style: ScalarStyle) -> String {
    match (style, text.as_ref()) {
        (ScalarStyle::Plain, "~" | "null" | "Null" | "NULL") => String::new(),
        _ => text.into_owned(),
    }
}
