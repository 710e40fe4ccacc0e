//! Tells what built addons are, as JSON, whichever platform they are for: what `scripts/release/inspect.mjs` judges.
//!
//! `cargo run --example inspect-addon -- FILE...` prints one array with an entry a file, in their order.

use std::error::Error;
use std::io::Write;

use object::elf::FileHeader64;
use object::read::elf::{FileHeader, SectionHeader};
use object::{Endianness, Object, ObjectKind};
use serde::Serialize;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What an addon is. Names are as the file has them, in byte order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Facts {
    /// `elf`, `mach-o` or `pe`.
    format: &'static str,
    /// As the `object` crate names it: `X86_64`, `Aarch64`.
    architecture: String,
    /// Whether it is a library that is loaded into a program.
    is_dynamic_library: bool,
    exports: Vec<String>,
    /// What must be there to load it.
    libraries: Vec<String>,
    /// The symbol versions that it asks of them; ELF alone has these.
    versions: Vec<String>,
}

fn main() -> Result<()> {
    let facts: Vec<Facts> = std::env::args_os()
        .skip(1)
        .map(|path| {
            let data = std::fs::read(&path)?;
            facts(&data).map_err(|error| format!("{}: {error}", path.display()).into())
        })
        .collect::<Result<_>>()?;
    let mut out = std::io::stdout().lock();
    serde_json::to_writer(&mut out, &facts)?;
    writeln!(out)?;
    Ok(())
}

fn facts(data: &[u8]) -> Result<Facts> {
    let file = object::File::parse(data)?;
    let (format, versions) = match &file {
        object::File::Elf64(_) => ("elf", versions(data)?),
        object::File::MachO64(_) => ("mach-o", Vec::new()),
        object::File::Pe64(_) => ("pe", Vec::new()),
        other => return Err(format!("{:?} is no format of an addon", other.format()).into()),
    };
    let mut exports = Vec::new();
    for export in file.exports()? {
        // An export by number alone has no name to look it up by.
        let name = export?.name().name().map(text);
        exports.push(name.unwrap_or_else(|| "(a number)".to_owned()));
    }
    let mut libraries = Vec::new();
    for library in file.import_libraries()? {
        libraries.push(text(library?.name()));
    }
    Ok(Facts {
        format,
        architecture: format!("{:?}", file.architecture()),
        is_dynamic_library: file.kind() == ObjectKind::Dynamic,
        exports: sorted(exports),
        libraries: sorted(libraries),
        versions,
    })
}

/// The symbol versions that an ELF file needs, such as `GLIBC_2.17`.
fn versions(data: &[u8]) -> Result<Vec<String>> {
    let header = FileHeader64::<Endianness>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let mut found = Vec::new();
    for section in sections.iter() {
        let Some((needed, strings)) = section.gnu_verneed(endian, data)? else {
            continue;
        };
        let strings = sections.strings(endian, data, strings)?;
        for library in needed {
            for version in library?.1 {
                found.push(text(version?.name(endian, strings)?));
            }
        }
    }
    Ok(sorted(found))
}

fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).into_owned()
}

fn sorted(mut names: Vec<String>) -> Vec<String> {
    names.sort();
    names.dedup();
    names
}
