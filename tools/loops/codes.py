"""Codes, checksums and integers."""

import numpy as np


def crc_table():
    """The table of CRC-32."""
    table = np.zeros(256, dtype=np.uint32)
    for i in range(256):
        c = i
        for _ in range(8):
            c = (c >> 1) ^ 0xEDB88320 if c & 1 else c >> 1
        table[i] = c
    return table


def crc32(data):
    """CRC-32 of bytes."""
    table = crc_table()
    crc = np.uint32(0xFFFFFFFF)
    for byte in data:
        crc = table[(crc ^ byte) & 0xFF] ^ (crc >> np.uint32(8))
    return crc ^ np.uint32(0xFFFFFFFF)


def case_crc32():
    return crc32((np.arange(1000) * 31 % 256).astype(np.uint8))


def crc32_int(data, table):
    """The same with Python's integers."""
    crc = 0xFFFFFFFF
    for k in range(len(data)):
        crc = int(table[(crc ^ int(data[k])) & 0xFF]) ^ (crc >> 8)
    return crc ^ 0xFFFFFFFF


def case_crc32_int():
    return crc32_int((np.arange(1500) * 31 % 256).astype(np.uint8), crc_table())


def sieve(n):
    """Primes."""
    prime = np.ones(n + 1, dtype=bool)
    prime[:2] = False
    for i in range(2, int(n ** 0.5) + 1):
        if prime[i]:
            prime[i * i::i] = False
    return np.nonzero(prime)[0]


def case_sieve():
    return sieve(20_000)


def adler(data):
    """Adler-32."""
    a, b = 1, 0
    for value in data:
        a = (a + int(value)) % 65521
        b = (b + a) % 65521
    return (b << 16) | a


def case_adler():
    return adler((np.arange(2000) % 251).astype(np.uint8))


def bubble_sort(x):
    """In place, with an early end."""
    x = x.copy()
    n = len(x)
    for i in range(n):
        swapped = False
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
                swapped = True
        if not swapped:
            break
    return x


def case_bubble_sort():
    return bubble_sort(np.sin(np.arange(50.0)))


def run_lengths(x):
    """Runs of equal values."""
    values, lengths = [], []
    count = 1
    for i in range(1, len(x)):
        if x[i] == x[i - 1]:
            count += 1
        else:
            values.append(x[i - 1])
            lengths.append(count)
            count = 1
    values.append(x[-1])
    lengths.append(count)
    return np.array(values), np.array(lengths)


def case_run_lengths():
    return run_lengths(np.arange(2000) // 7 % 5)


def gray_walk(bits):
    """Gray codes as rows of bits."""
    rows = np.zeros((2 ** bits, bits), dtype=np.uint8)
    for i in range(2 ** bits):
        g = i ^ (i >> 1)
        for b in range(bits):
            rows[i, b] = (g >> b) & 1
    return rows


def case_gray_walk():
    return gray_walk(8)


def binary_search(table, keys):
    """Places of keys in a sorted table."""
    out = np.zeros(len(keys), dtype=int)
    for q in range(len(keys)):
        lo, hi = 0, len(table)
        while lo < hi:
            mid = (lo + hi) // 2
            if table[mid] < keys[q]:
                lo = mid + 1
            else:
                hi = mid
        out[q] = lo
    return out


def case_binary_search():
    return binary_search(np.arange(0.0, 1000.0, 2.5), np.sin(np.arange(300.0)) * 500 + 500)
