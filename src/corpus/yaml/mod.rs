//! The YAML of front matter: the dialect of npm `yaml`, which the `adr` command reads records with.
//!
//! Which records are valid is decided by that package's reading of YAML, its leniencies included. The syntax is read by
//! `granit-parser`, strictly; [`repair`] mends the few places where the package reads on, and [`events`] refuses the
//! few where it stops. Types are given here, since they are the package's own: [`events`] makes a syntax tree,
//! [`resolve`] gives it types, and [`construct`] makes values of it.
//!
//! A document is read whole or not at all: the first error ends it.

mod construct;
mod events;
mod flow_text;
mod node;
mod repair;
mod resolve;
mod schema;
mod tags;
mod value;

pub use value::{Opaque, Value};

/// How deeply collections of a kind may be nested. Recursion follows the nesting, so this bounds the stack; the package
/// that is followed here gives up on deep nesting too, at a depth that depends on its own stack.
pub const MAX_DEPTH: usize = 200;

/// The text is not YAML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where it was noticed: a byte offset.
    pub at: usize,
    /// What is wrong.
    pub message: &'static str,
}

impl SyntaxError {
    fn new(at: usize, message: &'static str) -> Self {
        Self { at, message }
    }
}

/// The text is YAML, but no value can be made of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConvertError {
    /// No anchor of that name stands before the alias.
    #[error("no anchor &{0} stands before its alias *{0} (quote a value that begins with *)")]
    UnresolvedAlias(String),
    /// Aliases of aliases multiply beyond the limit.
    #[error("aliases are used too often")]
    TooManyAliases,
    /// A merge key's value is not a map, or merges itself.
    #[error("a merge key needs maps")]
    BadMerge,
}

/// Why there is no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoadError {
    /// See [`SyntaxError`].
    Syntax(SyntaxError),
    /// See [`ConvertError`].
    Convert(ConvertError),
}

/// Reads one document. Empty text is null.
///
/// # Errors
/// As [`LoadError`] says. An error of syntax anywhere comes before one of conversion.
pub fn load(source: &str) -> Result<Value, LoadError> {
    let document = events::parse(source).map_err(LoadError::Syntax)?;
    let Some(root) = document.root else { return Ok(Value::Null) };
    let typed = resolve::resolve(root, &document.directives).map_err(LoadError::Syntax)?;
    construct::construct(&typed).map_err(LoadError::Convert)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        match load(text) {
            Ok(value) => show(&value),
            Err(LoadError::Syntax(_)) => "syntax".to_owned(),
            Err(LoadError::Convert(_)) => "convert".to_owned(),
        }
    }

    fn show(value: &Value) -> String {
        match value {
            Value::Null => "null".to_owned(),
            Value::Bool(b) => b.to_string(),
            Value::Number(n) => crate::corpus::js_number::to_text(*n),
            Value::String(text) => format!("{text:?}"),
            Value::Seq(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(",")),
            Value::Map(entries) => {
                let entries = entries.iter().map(|(k, v)| format!("{k}={}", show(v)));
                format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
            }
            Value::Opaque(opaque) => format!("{opaque:?}"),
        }
    }

    fn check(cases: &[(&str, &str)]) {
        for (text, expected) in cases {
            assert_eq!(json(text), *expected, "{text:?}");
        }
    }

    #[test]
    fn plain_scalars_follow_the_core_schema() {
        check(&[
            ("", "null"),
            (
                "a: [~, Null, nULL, true, TRUE, tRUE, yes]\n",
                r#"{a=[null,null,"nULL",true,true,"tRUE","yes"]}"#,
            ),
            ("a: [0012, 0o17, 0x1F, -0x1, +1, 1_0, 0b1]\n", r#"{a=[12,15,31,"-0x1",1,"1_0","0b1"]}"#),
            ("a: [1., .5, 1e3, ., 1e, -.inf, .NaN]\n", r#"{a=[1,0.5,1000,".","1e",-Infinity,NaN]}"#),
            (
                "a: [0x20000000000001, 0xffffffffffffffffffff]\n",
                "{a=[9007199254740992,1.2089258196146292e+24]}",
            ),
            ("a: 2026-01-01\n", r#"{a="2026-01-01"}"#),
            ("%YAML 1.1\n--- \na: [2026-01-01, yes, 0b11, 017, 1_0, 1:30]\n", "{a=[Date,true,3,15,10,90]}"),
            ("%YAML 1.1\n--- \na: &a {x: 1}\nb: {<<: *a, z: 2}\n", "{a={x=1},b={x=1,z=2}}"),
            ("%YAML 1.1\n--- \n&a {<<: *a}\n", "convert"),
        ]);
    }

    #[test]
    fn tags_are_resolved() {
        check(&[
            ("a: [!!str 1, !!int \"1\", !!int x, !x 1, ! 1]\n", r#"{a=["1",1,"x","1","1"]}"#),
            ("a: !!set {x}\nb: !!omap [x: 1]\nc: !!binary eA==\n", "{a=Set,b=OrderedMap,c=Bytes}"),
            ("a: !!pairs [x: 1, x: 2]\n", "{a=[{x=1},{x=2}]}"),
            ("a: [!!timestamp 2026-01-01, !!seq [], !!str []]\n", "{a=[Date,[],[]]}"),
            ("a: !!timestamp x\n", "syntax"),
            ("a: !!set {x: 1}\n", "syntax"),
            ("a: !y!x 1\n", "syntax"),
            ("%TAG !y! tag:yaml.org,2002:\n--- \na: !y!str 1\n", r#"{a="1"}"#),
            ("%TAG !y!\n--- \na: 1\n", "syntax"),
        ]);
    }

    #[test]
    fn keys_are_unique_by_value_and_become_text() {
        check(&[
            ("a: 1\n\"a\": 2\n", "syntax"),
            ("1: a\n1.0: b\n", "syntax"),
            ("1: a\n\"1\": b\n", r#"{1="b"}"#),
            ("{a: 1, a: 2}\n", "syntax"),
            ("~: 1\ntrue: 2\n1e30: 3\n", "{=1,true=2,1e+30=3}"),
            ("? [a, {b: c}]\n: 1\n", "{[ a, { b: c } ]=1}"),
            (".nan: 1\n.NaN: 2\n", "{NaN=2}"),
        ]);
    }

    #[test]
    fn aliases_have_limits() {
        check(&[
            ("a: *x\n", "convert"),
            ("a: *x\nb: [\n", "syntax"),
            ("a: &x 1\nb: &x 2\nc: *x\n", "{a=1,b=2,c=2}"),
            ("a: &x [*x]\n", "{a=[EnclosingSeq]}"),
            ("*\n", "syntax"),
            ("a: &x 1\nb: &y *x\n", "syntax"),
        ]);
        let aliases = |n| json(&format!("a: &x [1]\nb: [{}]\n", vec!["*x"; n].join(",")));
        assert!(aliases(99).starts_with('{'));
        assert_eq!(aliases(100), "convert");
        let lines = (1..8).map(|i| format!("x{i}: &x{i} [*x{0}, *x{0}]\n", i - 1));
        let text: Vec<String> = std::iter::once("x0: &x0 [1]\n".to_owned()).chain(lines).collect();
        assert_eq!(json(&text.concat()), "convert");
    }

    #[test]
    fn indentation_and_tabs_are_those_of_npm_yaml() {
        check(&[
            ("\ta: 1\n", "syntax"),
            ("a:\n\tb: 1\n", "syntax"),
            ("a:\t1\n", "{a=1}"),
            ("a: [\n1\n]\n", "syntax"),
            ("a: [\n 1\n]\n", "{a=[1]}"),
            ("a: [x\n,y]\n", "syntax"),
            ("a:\n- 1\n- 2\nb: 3\n", "{a=[1,2],b=3}"),
            ("a: 1\n b: 2\n", "syntax"),
            ("a: b: c\n", "syntax"),
            ("a: - b\n", "syntax"),
            // A line that is indented too little ends a quoted scalar.
            ("a: 'x''\nb: '1'\n", r#"{a="x'",b="1"}"#),
            ("a: \"x\nb: 1\n", "syntax"),
            ("a: |\n  x\n   y\n\nb: >-\n  x\n  y\n\n  z\n", r#"{a="x\n y\n",b="x y\nz"}"#),
            ("a: |2-\n   x\nb: |+\n  x\n\n", r#"{a=" x",b="x\n\n"}"#),
            ("a: |x\n  y\n", "syntax"),
        ]);
    }

    #[test]
    fn quoted_scalars_are_unescaped_and_folded() {
        check(&[
            ("\"\\x41\\u00e9\\U0001F600\\ud83d\\ude00\\t\"\n", "\"Aé\u{1F600}\u{1F600}\\t\""),
            ("\"\\ud800\"\n", "\"\u{fffd}\""),
            ("\"\\q\"\n", "syntax"),
            ("\"\\U00110000\"\n", "syntax"),
            ("'a\n\n b\n  c'\n", r#""a\nb c""#),
            ("\"a \\\n  b\"\n", r#""a b""#),
            ("a\n b\n", r#""a b""#),
            ("@a\n", "syntax"),
        ]);
    }

    #[test]
    fn there_is_one_document() {
        check(&[
            ("--- x\n...\n# c\n", r#""x""#),
            ("--- a: 1\n", "syntax"),
            ("a\n...\nb\n", "syntax"),
            ("a: 1\n--- \nb: 1\n", "syntax"),
            ("%YAML 1.2\na: 1\n", "syntax"),
            ("\u{feff}a: 1\n", "{a=1}"),
            ("...\n", "null"),
        ]);
    }

    #[test]
    fn long_keys_are_refused() {
        let key = |n| json(&format!("{}: 1\n", "é".repeat(n)));
        assert!(key(1024).starts_with('{'));
        assert_eq!(key(1025), "syntax");
    }

    #[test]
    fn nesting_is_bounded_on_a_small_stack() {
        let deep = |n: usize| {
            let block: Vec<String> = (0..n).map(|i| format!("{}a:\n", " ".repeat(i))).collect();
            let texts = ["[".repeat(n), "{a: ".repeat(n), "- ".repeat(n), "? ".repeat(n), block.concat()];
            texts.map(|text| load(&text).is_ok())
        };
        let check = move || {
            assert_eq!(deep(MAX_DEPTH), [false, false, true, true, true]);
            assert_eq!(deep(MAX_DEPTH + 1), [false; 5]);
            let closed = format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH));
            assert!(load(&closed).is_ok());
            assert_eq!(deep(1_000).len(), 5);
        };
        let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(check);
        thread.unwrap().join().unwrap();
    }

    #[test]
    fn reads_on_where_npm_yaml_does() {
        for (source, same_as) in [
            ("a: {\n b: 1\n}\n", "a: {b: 1}"),
            ("k:\n  a: [\n    1\n  ]\n", "k: {a: [1]}"),
            ("a: \"\\ud800\"\n", "a: \"\\ufffd\""),
            ("a: \"\\ud83d\\ude00 \\udc00\"\n", "a: \"\u{1F600} \\ufffd\""),
            ("a: '0002''\nb: 'c'\n", "a: \"0002'\"\nb: c"),
            ("a: \u{FEFF}x\n", "a: \"\\ufeffx\""),
            ("a: x\u{1}y\u{7F}\n", "a: \"x\\x01y\\x7f\""),
            ("a: x\ry\r\n", "a: \"x\\ry\""),
            ("", "~"),
        ] {
            assert_eq!(json(source), json(same_as), "{source:?}");
            assert_ne!(json(source), "syntax", "{source:?}");
        }
    }

    #[test]
    fn stops_where_npm_yaml_does() {
        for source in [
            "\ta: 1\n",
            "a:\n\tb: 1\n",
            "a:\n  b: 1\n: c: 2\n",
            "a: [\n1\n]\n",
            "k:\n  a: [\n 1 ]\n",
            "k:\n  a: [\n ]\n",
            "a: \"x\n",
            "a: 1\n---\nb: 2\n",
            "a: 1\n'a': 2\n",
            "1: a\n1.0: b\n",
        ] {
            assert_eq!(json(source), "syntax", "{source:?}");
        }
        assert_eq!(json("a: *b\n"), "convert");
    }

    #[test]
    fn deep_nesting_is_an_error_not_the_end() {
        for source in
            ["[".repeat(100_000), "- ".repeat(100_000), "a: {".repeat(100_000), "? ".repeat(100_000)]
        {
            assert_eq!(json(&source), "syntax");
        }
    }
}
