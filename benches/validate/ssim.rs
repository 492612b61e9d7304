//! The structural similarity of two pictures' luma (Wang et al. 2004), over windows of 8×8 pixels, one every 4 pixels.

use image::{DynamicImage, GrayImage};

pub(crate) fn ssim(a: &DynamicImage, b: &DynamicImage) -> f64 {
    let (a, b) = (over_white(a), over_white(b));
    assert_eq!(a.dimensions(), b.dimensions());
    let (width, height) = a.dimensions();
    let (mut sum, mut count) = (0.0, 0.0_f64);
    for top in (0..height.saturating_sub(7).max(1)).step_by(4) {
        for left in (0..width.saturating_sub(7).max(1)).step_by(4) {
            sum += window(&a, &b, left, top);
            count += 1.0;
        }
    }
    sum / count
}

fn window(a: &GrayImage, b: &GrayImage, left: u32, top: u32) -> f64 {
    const C1: f64 = (0.01 * 255.0) * (0.01 * 255.0);
    const C2: f64 = (0.03 * 255.0) * (0.03 * 255.0);
    let (right, bottom) = ((left + 8).min(a.width()), (top + 8).min(a.height()));
    let places = (top..bottom).flat_map(|y| (left..right).map(move |x| (x, y)));
    let levels: Vec<(f64, f64)> =
        places.map(|(x, y)| (a.get_pixel(x, y).0[0].into(), b.get_pixel(x, y).0[0].into())).collect();
    let mean = |value: fn(&(f64, f64)) -> f64| levels.iter().map(value).sum::<f64>() / levels.len() as f64;
    let (mean_a, mean_b) = (mean(|(a, _)| *a), mean(|(_, b)| *b));
    let var_a = mean(|(a, _)| a * a) - mean_a * mean_a;
    let var_b = mean(|(_, b)| b * b) - mean_b * mean_b;
    let covariance = mean(|(a, b)| a * b) - mean_a * mean_b;
    ((2.0 * mean_a * mean_b + C1) * (2.0 * covariance + C2))
        / ((mean_a * mean_a + mean_b * mean_b + C1) * (var_a + var_b + C2))
}

/// As a page with a white ground shows it.
fn over_white(image: &DynamicImage) -> GrayImage {
    let mut image = image.to_rgba8();
    for pixel in image.pixels_mut() {
        let alpha = u16::from(pixel.0[3]);
        for part in &mut pixel.0[..3] {
            *part = u8::try_from((u16::from(*part) * alpha + 255 * (255 - alpha)) / 255).unwrap();
        }
        pixel.0[3] = 255;
    }
    DynamicImage::ImageRgba8(image).to_luma8()
}
