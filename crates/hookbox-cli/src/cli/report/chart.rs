//! The plot of a report.

use super::figures::{DECISIONS, Figures};
use anyhow::anyhow;
use plotters::chart::ChartBuilder;
use plotters::drawing::IntoDrawingArea;
use plotters::element::PathElement;
use plotters::prelude::SVGBackend;
use plotters::series::LineSeries;
use plotters::style::{Color, RGBColor};

const SIZE: (u32, u32) = (900, 260);

/// The colors of the decisions, which can be told apart on a light and on a dark page.
pub(super) const COLORS: [(RGBColor, &str); DECISIONS.len()] = [
    (RGBColor(0x2e, 0x9e, 0x5b), "#2e9e5b"),
    (RGBColor(0xd6, 0x45, 0x45), "#d64545"),
    (RGBColor(0xc9, 0x8a, 0x1b), "#c98a1b"),
    (RGBColor(0x3a, 0x7b, 0xd5), "#3a7bd5"),
];

/// Returns the decisions over time, as SVG in the colors of the page.
///
/// # Errors
/// Returns an error if the plot cannot be drawn.
pub(super) fn over_time(figures: &Figures) -> anyhow::Result<String> {
    let points = &figures.over_time;
    let highest = points.iter().flat_map(|(_, counts)| counts).max().copied().unwrap_or_default();
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        let failed = |error: &dyn std::fmt::Display| anyhow!("{error}");
        let mut chart = ChartBuilder::on(&area)
            .margin(10)
            .x_label_area_size(28)
            .y_label_area_size(48)
            .build_cartesian_2d(0..points.len().max(2) - 1, 0..highest + highest / 10 + 1)
            .map_err(|error| failed(&error))?;
        let label = |index: &usize| {
            let time = points.get(*index).map(|(time, _)| humantime::format_rfc3339_seconds(*time).to_string());
            time.and_then(|time| Some(time.get(5..16)?.replace('T', " "))).unwrap_or_default()
        };
        chart
            .configure_mesh()
            .disable_x_mesh()
            .x_labels(7)
            .y_labels(5)
            .x_label_formatter(&label)
            .draw()
            .map_err(|error| failed(&error))?;
        for (line, (color, _)) in COLORS.iter().enumerate() {
            let counts = points.iter().enumerate().map(|(x, (_, counts))| (x, counts.get(line).copied().unwrap_or(0)));
            // A single point makes no line, so it is drawn as a flat line.
            let counts: Vec<_> = counts.collect();
            let style = color.stroke_width(2);
            match counts.as_slice() {
                [(_, count)] => {
                    let flat = PathElement::new(vec![(0, *count), (1, *count)], style);
                    chart.draw_series([flat]).map_err(|error| failed(&error))?;
                }
                _ => {
                    chart.draw_series(LineSeries::new(counts, style)).map_err(|error| failed(&error))?;
                }
            }
        }
        area.present().map_err(|error| failed(&error))?;
    }
    // The page determines the plot's text color and name.
    let svg = svg.replace("#000000", "currentColor");
    Ok(svg.replacen("<svg ", r#"<svg role="img" aria-labelledby="plot-title" "#, 1))
}
