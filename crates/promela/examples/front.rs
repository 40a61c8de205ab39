use isospin_promela::{diagnostics, parse, source::SourceMap, Options};
use std::path::Path;
fn main() {
    for path in std::env::args().skip(1) {
        let mut sources = SourceMap::new();
        let t = std::time::Instant::now();
        let parsed = parse(
            &mut sources,
            Path::new(&path),
            &Options::default(),
            &mut |p| std::fs::read(p),
        );
        let d = parsed.diagnostics;
        eprintln!("{path}: {:?}", t.elapsed());
        print!(
            "{}",
            diagnostics::render(&sources, &d, diagnostics::Style::Plain)
        );
    }
}
