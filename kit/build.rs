//! Bundles the library: writes a table of all files `games/<language>/<name>.<language>`, in order of language and name.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../games");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut table = "[\n".to_owned();
    for folder in sorted(&root)?.iter().filter(|path| path.is_dir()) {
        println!("cargo::rerun-if-changed={}", folder.display());
        for file in sorted(folder)?.iter().filter(|file| file.extension() == folder.file_name()) {
            let language = folder.file_name().unwrap_or_default().to_string_lossy();
            let name = file.file_stem().unwrap_or_default().to_string_lossy();
            let path = fs::canonicalize(file)?;
            writeln!(table, "    ({language:?}, {name:?}, include_str!({path:?})),")?;
        }
    }
    table.push_str("]\n");
    Ok(fs::write(Path::new(&env::var("OUT_DIR")?).join("library.rs"), table)?)
}

fn sorted(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
