"""Filters of images."""

import numpy as np


def picture(n):
    """Grey levels."""
    return (np.arange(n * n) * 37 % 256).astype(np.uint8).reshape(n, n)


def box(image):
    """The mean of nine neighbours."""
    n, m = image.shape
    out = np.zeros((n, m))
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            out[i, j] = np.mean(image[i - 1:i + 2, j - 1:j + 2])
    return out


def case_box():
    return box(picture(24))


def sobel(image):
    """Gradients by a kernel of nine."""
    gx = np.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]])
    gy = gx.T
    h, w = image.shape
    out = np.zeros((h, w))
    for i in range(1, h - 1):
        for j in range(1, w - 1):
            patch = image[i - 1:i + 2, j - 1:j + 2].astype(float)
            a = np.sum(gx * patch)
            b = np.sum(gy * patch)
            out[i, j] = np.sqrt(a * a + b * b)
    return out


def case_sobel():
    return sobel(picture(20))


def convolve(image, kernel):
    """A two-dimensional filter with four loops."""
    h, w = image.shape
    kh, kw = kernel.shape
    out = np.zeros((h - kh + 1, w - kw + 1))
    for i in range(out.shape[0]):
        for j in range(out.shape[1]):
            total = 0.0
            for di in range(kh):
                for dj in range(kw):
                    total += image[i + di, j + dj] * kernel[di, dj]
            out[i, j] = total
    return out


def case_convolve():
    return convolve(picture(20).astype(float), np.ones((3, 3)) / 9)


def median(image):
    """The median of nine neighbours."""
    out = image.copy()
    for i in range(1, image.shape[0] - 1):
        for j in range(1, image.shape[1] - 1):
            window = image[i - 1:i + 2, j - 1:j + 2].flatten()
            window.sort()
            out[i, j] = window[4]
    return out


def case_median():
    return median(picture(22))


def floyd_steinberg(image):
    """Dithering with the error carried on."""
    g = image.astype(float)
    h, w = g.shape
    for y in range(h - 1):
        for x in range(1, w - 1):
            old = g[y, x]
            new = 255.0 if old > 127 else 0.0
            g[y, x] = new
            e = old - new
            g[y, x + 1] += e * 7 / 16
            g[y + 1, x - 1] += e * 3 / 16
            g[y + 1, x] += e * 5 / 16
            g[y + 1, x + 1] += e / 16
    return g


def case_floyd_steinberg():
    return floyd_steinberg(picture(28))


def equalize(image):
    """Histogram equalization by counting."""
    count = np.zeros(256, dtype=int)
    for v in image.ravel():
        count[v] += 1
    total = np.cumsum(count)
    low = total[total > 0][0]
    table = np.clip((total - low) * 255 // (image.size - low), 0, 255).astype(np.uint8)
    return table[image]


def case_equalize():
    return equalize(picture(40))


def bilinear(image, h, w):
    """Resize by bilinear interpolation."""
    out = np.zeros((h, w))
    sy = (image.shape[0] - 1) / (h - 1)
    sx = (image.shape[1] - 1) / (w - 1)
    for i in range(h):
        for j in range(w):
            y, x = i * sy, j * sx
            y0, x0 = int(np.floor(y)), int(np.floor(x))
            y1, x1 = min(y0 + 1, image.shape[0] - 1), min(x0 + 1, image.shape[1] - 1)
            dy, dx = y - y0, x - x0
            top = image[y0, x0] * (1 - dx) + image[y0, x1] * dx
            low = image[y1, x0] * (1 - dx) + image[y1, x1] * dx
            out[i, j] = top * (1 - dy) + low * dy
    return out


def case_bilinear():
    return bilinear(picture(16).astype(float), 24, 24)


def mandelbrot(h, w, most):
    """Escape times, point by point."""
    out = np.zeros((h, w), dtype=int)
    xs = np.linspace(-2, 0.5, w)
    ys = np.linspace(-1.2, 1.2, h)
    for i in range(h):
        for j in range(w):
            z = 0j
            c = complex(xs[j], ys[i])
            for k in range(most):
                z = z * z + c
                if abs(z) > 2:
                    break
            out[i, j] = k
    return out


def case_mandelbrot():
    return mandelbrot(30, 40, 30)


def flood(labels, image, i, j, label):
    """Fill with a stack."""
    stack = [(i, j)]
    while stack:
        y, x = stack.pop()
        if 0 <= y < image.shape[0] and 0 <= x < image.shape[1] and image[y, x] and labels[y, x] == 0:
            labels[y, x] = label
            stack.extend([(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)])


def components(image):
    """Connected components."""
    labels = np.zeros(image.shape, dtype=int)
    count = 0
    for i in range(image.shape[0]):
        for j in range(image.shape[1]):
            if image[i, j] and labels[i, j] == 0:
                count += 1
                flood(labels, image, i, j, count)
    return labels, count


def case_components():
    return components(picture(24) > 90)
