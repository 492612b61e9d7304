"""Pictures made of text."""
import math

_EIGHTHS = " ▏▎▍▌▋▊▉"


def _bar(share: float, width: int) -> str:
    eighths = round(share * width * 8)
    return "█" * (eighths // 8) + (_EIGHTHS[eighths % 8] if eighths % 8 else "")


def bar_chart(pairs, width: int = 32) -> list[str]:
    """One line for each (label, count): label, bar, count."""
    pairs = list(pairs)
    if not pairs:
        return []
    most = max(count for _, count in pairs) or 1
    room = min(26, max(len(str(label)) for label, _ in pairs))
    lines = []
    for label, count in pairs:
        label = str(label)
        label = label if len(label) <= room else label[:room - 1] + "…"
        bar = _bar(count / most, width) or ("▏" if count else "")
        lines.append(f"{label:>{room}} │{bar} {count}")
    return lines


def _step(span: float, bins: int) -> float:
    raw = span / bins
    scale = 10 ** math.floor(math.log10(raw))
    return next(m * scale for m in (1, 2, 2.5, 5, 10) if m * scale >= raw * .999)


def histogram(values, bins: int = 10, width: int = 32) -> list[str]:
    """A histogram with round edges."""
    low, high = min(values), max(values)
    if low == high:
        return bar_chart([(f"{low:g}", len(values))], width)
    step = _step(high - low, bins)
    start = math.floor(low / step + 1e-9) * step
    count = max(1, math.ceil((high - start) / step + 1e-9))
    tally = [0] * count
    for value in values:
        tally[min(count - 1, int((value - start) / step + 1e-9))] += 1
    places = max(0, -math.floor(math.log10(step) + 1e-9)) + (1 if f"{step:e}".startswith("2.5") else 0)
    places = places if step < 1 or not float(step).is_integer() else 0
    edge = lambda i: f"{start + i * step:,.{places}f}"
    room = max(len(edge(i)) for i in range(count + 1))
    return bar_chart([(f"{edge(i):>{room}} – {edge(i + 1):>{room}}", n) for i, n in enumerate(tally)], width)


def sparkline(counts) -> str:
    most = max(counts, default=0)
    return "".join("▁▂▃▄▅▆▇█"[round(c / most * 7)] if most else "▁" for c in counts)
