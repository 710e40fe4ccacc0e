//! From the events of a YAML parser to the syntax tree.

use granit_parser::{Event, Parser, ScalarStyle, Span, StructureStyle};

use super::node::{Content, Node, Pair, Style};
use super::repair::Source;
use super::tags::Directives;
use super::{MAX_DEPTH, SyntaxError};

/// A document, before it has types.
#[derive(Debug)]
pub(super) struct Document {
    pub directives: Directives,
    pub root: Option<Node>,
}

/// Reads one document.
pub(super) fn parse(text: &str) -> Result<Document, SyntaxError> {
    let mut source = Source::new(text);
    let root = loop {
        match read(&source) {
            Ok(root) => break root,
            Err(Stop::Parser(error)) => source.repair(&error)?,
            Err(Stop::Dialect(error)) => return Err(error),
        }
    };
    Ok(Document { directives: directives(text)?, root })
}

fn directives(text: &str) -> Result<Directives, SyntaxError> {
    let mut directives = Directives::default();
    let head = text.lines().take_while(|line| !line.starts_with("---"));
    for line in head.filter(|line| line.starts_with('%')) {
        directives.add(line).map_err(|message| SyntaxError::new(0, message))?;
    }
    Ok(directives)
}

/// Why there is no tree.
enum Stop {
    /// The parser found an error, which can perhaps be mended.
    Parser(granit_parser::ScanError),
    /// The parser takes what npm `yaml` does not.
    Dialect(SyntaxError),
}

fn read(source: &Source) -> Result<Option<Node>, Stop> {
    let options = granit_parser::options! {
        strict_indentation: true,
        bom_inside_document_as_content: true,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH,
        block_nesting_limit: MAX_DEPTH,
    };
    let mut tree = Tree { source, open: Vec::new(), anchors: Vec::new(), root: None, documents: 0 };
    for event in Parser::new_from_str_with_options(&source.text, options) {
        let (event, span) = event.map_err(Stop::Parser)?;
        tree.take(event, span).map_err(Stop::Dialect)?;
    }
    Ok(tree.root)
}

/// A collection whose end has not come yet.
struct Open {
    node: Node,
    is_block: bool,
    /// The key that waits for its value.
    key: Option<Node>,
}

struct Tree<'s> {
    source: &'s Source,
    open: Vec<Open>,
    /// Number and name.
    anchors: Vec<(usize, String)>,
    root: Option<Node>,
    documents: usize,
}

impl Tree<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), SyntaxError> {
        let at = span.start.byte_offset().unwrap_or(0);
        let node = |tag, content| Node { at, anchor: None, tag, content };
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(SyntaxError::new(at, "front matter is one document"));
                }
            }
            Event::Scalar(text, style, ..) => {
                let content = Content::Scalar { text: self.source.restore(&text), style: style_of(style) };
                self.put(node(self.tag(span), content))?;
            }
            Event::Alias(id) => {
                let named = self.anchors.iter().find(|(number, _)| *number == id);
                let name = named.map(|(_, name)| name.clone()).unwrap_or_default();
                self.put(node(None, Content::Alias(name)))?;
            }
            Event::UnresolvedAlias(name) => {
                self.put(node(None, Content::Alias(self.source.restore(&name))))?;
            }
            Event::Anchor(id, name) => {
                let name = self.source.restore(&name);
                if let Some(node) = self.last() {
                    node.anchor = Some(name.clone());
                }
                self.anchors.push((id, name));
            }
            Event::SequenceStart(style, ..) => {
                let content = Content::Seq { items: Vec::new() };
                self.begin(node(self.tag(span), content), style == StructureStyle::Block)?;
            }
            Event::MappingStart(style, ..) => {
                let content = Content::Map { pairs: Vec::new() };
                self.begin(node(self.tag(span), content), style == StructureStyle::Block)?;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(open) = self.open.pop() {
                    self.put(open.node)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// The tag as it is written.
    fn tag(&self, span: Span) -> Option<String> {
        span.tag_span()?.slice(&self.source.text).map(str::to_owned)
    }

    fn begin(&mut self, node: Node, is_block: bool) -> Result<(), SyntaxError> {
        if is_block {
            self.judge_line_of_key(node.at)?;
        }
        self.open.push(Open { node, is_block, key: None });
        Ok(())
    }

    /// A block collection begins on another line than its key.
    fn judge_line_of_key(&self, at: usize) -> Result<(), SyntaxError> {
        let Some(key) = self.open.last().filter(|o| o.is_block).and_then(|o| o.key.as_ref()) else {
            return Ok(());
        };
        let between = self.source.text.get(key.at..at).unwrap_or_default();
        if between.contains(['\n', '\r']) {
            Ok(())
        } else {
            Err(SyntaxError::new(at, "a collection in block style cannot begin on the line of its key"))
        }
    }

    /// The node that the last event made or began.
    fn last(&mut self) -> Option<&mut Node> {
        let Some(open) = self.open.last_mut() else { return self.root.as_mut() };
        if open.key.is_some() {
            return open.key.as_mut();
        }
        let is_empty = match &open.node.content {
            Content::Seq { items } => items.is_empty(),
            Content::Map { pairs } => pairs.is_empty(),
            Content::Scalar { .. } | Content::Alias(_) => true,
        };
        if is_empty {
            return Some(&mut open.node);
        }
        match &mut open.node.content {
            Content::Seq { items } => items.last_mut(),
            Content::Map { pairs } => pairs.last_mut().and_then(|p| p.value.as_mut()),
            Content::Scalar { .. } | Content::Alias(_) => None,
        }
    }

    fn put(&mut self, node: Node) -> Result<(), SyntaxError> {
        let indented_by_tab = || is_indented_by_tab(&self.source.text, node.at);
        let tabs = SyntaxError::new(node.at, "tabs are not allowed as indentation");
        let Some(open) = self.open.last_mut() else {
            if matches!(node.content, Content::Scalar { .. }) && indented_by_tab() {
                return Err(tabs);
            }
            self.root = Some(node);
            return Ok(());
        };
        match &mut open.node.content {
            Content::Seq { items } => items.push(node),
            Content::Map { pairs } => {
                if let Some(key) = open.key.take() {
                    pairs.push(Pair { key, value: Some(node) });
                } else if open.is_block && indented_by_tab() {
                    return Err(tabs);
                } else {
                    open.key = Some(node);
                }
            }
            Content::Scalar { .. } | Content::Alias(_) => {}
        }
        Ok(())
    }
}

/// Only white space stands before `at` on its line, and a tab is among it.
fn is_indented_by_tab(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    line.contains('\t') && line.trim_matches([' ', '\t']).is_empty()
}

fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted => Style::SingleQuoted,
        ScalarStyle::DoubleQuoted => Style::DoubleQuoted,
        ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
    }
}
