//! Reads models and says what is wrong with them.
use isospin_promela::{check, diagnostics, parse, source::SourceMap, Options};
use std::path::Path;
fn main() {
    for path in std::env::args().skip(1) {
        let mut sources = SourceMap::new();
        let t = std::time::Instant::now();
        let parsed = parse(&mut sources, Path::new(&path), &Options::default(), &mut |p| std::fs::read(p));
        let mut d = parsed.diagnostics;
        if !d.iter().any(|d| d.is_error()) { d.extend(check::check(&sources, &parsed.tree)); }
        eprintln!("{path}: {:?}", t.elapsed());
        print!("{}", diagnostics::render(&sources, &d, diagnostics::Style::Plain));
    }
}
