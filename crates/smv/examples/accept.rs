use std::path::Path;
fn main() {
    for p in std::env::args().skip(1) {
        let r = isospin_smv::read(Path::new(&p), std::fs::read(&p).unwrap(), &Default::default());
        println!(
            "{}\t{}\t{}",
            p,
            r.relation.is_some(),
            r.diagnostics
                .iter()
                .find(|d| d.is_error())
                .map(|d| format!("{} {}", r.sources.location(d.span), d.message))
                .unwrap_or_default()
        );
    }
}
