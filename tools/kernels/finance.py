"""Prices, returns and risk."""
import numpy as np


def log_returns(prices):
    return np.diff(np.log(prices))


def sharpe(returns, free=0.0, periods=252):
    excess = returns - free
    return np.sqrt(periods) * excess.mean() / excess.std(ddof=1)


def max_drawdown(prices):
    peak = np.maximum.accumulate(prices)
    return np.max((peak - prices) / peak)


def present_value(cash, rate):
    t = np.arange(len(cash))
    return np.sum(cash / (1 + rate) ** t)


def value_at_risk(returns, level=0.95):
    return -np.percentile(returns, 100 * (1 - level))


def portfolio(weights, mean, covariance):
    return weights @ mean, np.sqrt(weights @ covariance @ weights)


def binomial_price(s, k, r, sigma, t, n):
    dt = t / n
    up = np.exp(sigma * np.sqrt(dt))
    p = (np.exp(r * dt) - 1 / up) / (up - 1 / up)
    values = np.maximum(s * up ** np.arange(-n, n + 1, 2) - k, 0)
    for _ in range(n):
        values = np.exp(-r * dt) * (p * values[1:] + (1 - p) * values[:-1])
    return values[0]
