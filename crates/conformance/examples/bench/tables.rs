//! Tables, and the mean of ratios.

use std::fmt::Write as _;

/// A table in Markdown whose columns are aligned in the text as well.
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these headings.
    pub fn new(headings: &[&str]) -> Table {
        Table { rows: vec![headings.iter().map(|h| h.to_string()).collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table as text.
    pub fn text(&self) -> String {
        let width = |k: usize| self.rows.iter().filter_map(|r| r.get(k)).map(String::len).max();
        let mut out = String::new();
        for (n, row) in self.rows.iter().enumerate() {
            for (k, cell) in row.iter().enumerate() {
                let width = width(k).unwrap_or(0);
                // Names to the left, figures to the right.
                let _ = match k {
                    0 => write!(out, "| {cell:width$} "),
                    _ => write!(out, "| {cell:>width$} "),
                };
            }
            out.push_str("|\n");
            if n == 0 {
                for k in 0..row.len() {
                    out.push_str(if k == 0 { "| --- " } else { "| ---: " });
                }
                out.push_str("|\n");
            }
        }
        out
    }
}

/// Ratios, one from each model.
#[derive(Default)]
pub struct Ratios(Vec<(f64, String)>);

impl Ratios {
    /// Adds `above / below` for a model, and gives it as text. What is too short to be measured is
    /// left out.
    pub fn add(&mut self, name: &str, above: f64, below: f64) -> String {
        if above <= 0.0 || below <= 0.0 {
            return "-".to_owned();
        }
        self.0.push((above / below, name.to_owned()));
        format!("{:.2}", above / below)
    }

    /// The geometric mean, and where the ratio is lowest and highest.
    pub fn summary(&self) -> String {
        let (Some(low), Some(high)) = (
            self.0.iter().min_by(|a, b| a.0.total_cmp(&b.0)),
            self.0.iter().max_by(|a, b| a.0.total_cmp(&b.0)),
        ) else {
            return "nothing measured".to_owned();
        };
        let logarithms: f64 = self.0.iter().map(|(ratio, _)| ratio.ln()).sum();
        let mean = (logarithms / self.0.len() as f64).exp();
        format!(
            "{mean:.2} (geometric mean of {}; lowest {:.2}, {}; highest {:.2}, {})",
            self.0.len(),
            low.0,
            low.1,
            high.0,
            high.1
        )
    }
}

/// Seconds.
pub fn seconds(value: f64) -> String {
    match value {
        v if v < 0.1 => format!("{v:.3}"),
        v => format!("{v:.2}"),
    }
}

/// Bytes in MiB.
pub fn mebibytes(bytes: u64) -> String {
    format!("{:.0}", bytes as f64 / f64::from(1 << 20))
}
