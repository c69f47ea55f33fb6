"""Filters and transforms of signals and images."""
import numpy as np


def moving_average(x, n):
    c = np.cumsum(x)
    c[n:] = c[n:] - c[:-n]
    return c[n - 1 :] / n


def exponential(x, alpha):
    y = np.empty_like(x)
    y[0] = x[0]
    for i in range(1, len(x)):
        y[i] = alpha * x[i] + (1 - alpha) * y[i - 1]
    return y


def hann(n):
    return 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(n) / (n - 1))


def spectrum(x, rate):
    window = hann(len(x))
    power = np.abs(np.fft.rfft(x * window)) ** 2
    return np.fft.rfftfreq(len(x), 1 / rate), power / np.sum(window**2)


def kalman(x, p, z, q, r):
    p = p + q
    gain = p / (p + r)
    return x + gain * (z - x), (1 - gain) * p


def convolve2d(image, kernel):
    kh, kw = kernel.shape
    out = np.zeros((image.shape[0] - kh + 1, image.shape[1] - kw + 1))
    for i in range(kh):
        for j in range(kw):
            out += kernel[i, j] * image[i : i + out.shape[0], j : j + out.shape[1]]
    return out


def sobel(image):
    gx = image[:, 2:] - image[:, :-2]
    gy = image[2:, :] - image[:-2, :]
    return np.hypot(gx[1:-1], gy[:, 1:-1])


def gamma_correction(image, gamma):
    low, high = image.min(), image.max()
    return ((image - low) / (high - low)) ** gamma


def grey(rgb):
    return rgb @ np.array([0.299, 0.587, 0.114])


def otsu(histogram):
    """The threshold between two classes of grey values."""
    p = histogram / histogram.sum()
    levels = np.arange(len(p))
    weight = np.cumsum(p)
    mean = np.cumsum(p * levels)
    between = (mean[-1] * weight[:-1] - mean[:-1]) ** 2 / (weight[:-1] * (1 - weight[:-1]))
    return np.argmax(between)
