"""What a column holds, and how its values spread."""
import math
import statistics
from collections import Counter
from dataclasses import dataclass, field

from .read import FALSE, TRUE, Table, is_missing, parse_date, parse_number


@dataclass
class Column:
    name: str
    kind: str                      # integer, decimal, date, yes/no, category, text, empty
    count: int                     # cells with a value
    missing: int
    distinct: int
    values: list = field(repr=False, default_factory=list)
    stats: dict = field(default_factory=dict)
    top: list = field(default_factory=list)
    odd: list = field(default_factory=list)  # cells that do not fit the kind
    notes: list = field(default_factory=list)


def _quantile(ordered: list[float], share: float) -> float:
    at = (len(ordered) - 1) * share
    low = math.floor(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


def _numbers(column: Column, values: list[float]) -> None:
    ordered = sorted(values)
    q1, median, q3 = (_quantile(ordered, q) for q in (.25, .5, .75))
    fence = 1.5 * (q3 - q1)
    outliers = [v for v in ordered if v < q1 - fence or v > q3 + fence] if fence else []
    column.stats = {"min": ordered[0], "q1": q1, "median": median, "mean": statistics.fmean(ordered), "q3": q3,
                    "max": ordered[-1], "stdev": statistics.stdev(ordered) if len(ordered) > 1 else 0.0,
                    "sum": math.fsum(ordered), "outliers": len(outliers)}
    if outliers:
        column.notes.append(f"{len(outliers)} value{'s' * (len(outliers) > 1)} beyond 1.5 × IQR, up to {max(outliers, key=lambda v: abs(v - median)):g}")
    if len(set(ordered)) == 1:
        column.notes.append("constant: every value is the same")


def _column(name: str, cells: list[str]) -> Column:
    present = [c.strip() for c in cells if not is_missing(c)]
    distinct = Counter(present)
    column = Column(name, "empty", len(present), len(cells) - len(present), len(distinct))
    if not present:
        column.notes.append("no values at all")
        return column
    numbers = [parse_number(c) for c in present]
    dates = [parse_date(c) for c in present]
    booleans = [c.lower() in TRUE | FALSE for c in present]
    enough = .9 * len(present)  # nine cells in ten decide; the others are reported as odd
    leading_zero = sum(len(c) > 1 and c[0] == "0" and c.isdigit() for c in present)
    if sum(d is not None for d in dates) >= enough:
        column.kind = "date"
        column.values = sorted(d for d in dates if d)
        column.odd = [c for c, d in zip(present, dates) if d is None]
        column.stats = {"first": column.values[0], "last": column.values[-1], "days": (column.values[-1] - column.values[0]).days}
    elif sum(n is not None for n in numbers) >= enough and not leading_zero:
        column.values = [n for n in numbers if n is not None]
        column.kind = "integer" if all(v.is_integer() for v in column.values) else "decimal"
        column.odd = [c for c, n in zip(present, numbers) if n is None]
        _numbers(column, column.values)
        if column.kind == "integer" and len(distinct) == len(cells) > 9 and column.stats["max"] - column.stats["min"] == len(cells) - 1:
            column.notes.append("looks like a row number: unique and without gaps")
    else:
        column.kind = "yes/no" if all(booleans) else "category" if len(distinct) <= max(12, len(present) * .2) else "text"
        column.top = distinct.most_common(8)
        lengths = [len(c) for c in present]
        column.stats = {"shortest": min(lengths), "longest": max(lengths)}
        if len(distinct) == len(present) > 9:
            column.notes.append("every value is unique: it may be an identifier")
        if leading_zero:
            column.notes.append(f"{leading_zero} values begin with 0: kept as text")
        folded = Counter(c.casefold() for c in distinct)
        twins = [c for c in distinct if folded[c.casefold()] > 1]
        if twins:
            column.notes.append("same value in different letter case: " + ", ".join(sorted(twins)[:4]))
    if column.odd:
        column.notes.append(f"{len(column.odd)} not read as {column.kind}: " + ", ".join(sorted(set(column.odd))[:3]))
    if column.missing:
        column.notes.append(f"{column.missing} missing ({column.missing / len(cells):.0%})")
    return column


def profile(table: Table) -> list[Column]:
    return [_column(name, [row[i] for row in table.rows]) for i, name in enumerate(table.names)]


def correlations(table: Table, columns: list[Column], least: float = .5) -> list[tuple[str, str, float, int]]:
    """Pairs of numeric columns whose Pearson correlation is at least `least`, strongest first."""
    numeric = [i for i, c in enumerate(columns) if c.kind in ("integer", "decimal") and len(set(c.values)) > 2]
    found = []
    for a, i in enumerate(numeric):
        for j in numeric[a + 1:]:
            pairs = [(parse_number(r[i]), parse_number(r[j])) for r in table.rows]
            pairs = [(x, y) for x, y in pairs if x is not None and y is not None]
            if len(pairs) < 5:
                continue
            try:
                value = statistics.correlation(*zip(*pairs))
            except statistics.StatisticsError:
                continue
            if abs(value) >= least:
                found.append((columns[i].name, columns[j].name, value, len(pairs)))
    return sorted(found, key=lambda f: -abs(f[2]))
