"""Reading a delimited file, and reading single cells."""
import csv
import io
import re
from dataclasses import dataclass
from datetime import datetime

MISSING = {"", "na", "n/a", "nan", "null", "none", "-", "--", "?", "#n/a"}
TRUE, FALSE = {"true", "yes", "y"}, {"false", "no", "n"}
_PLAIN = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_COMMA_GROUPS = re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?")
_DECIMAL_COMMA = re.compile(r"[+-]?(\d{1,3}(\.\d{3})+|\d+),\d+")
_DATES = ("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m")


class TableError(ValueError):
    """The file cannot be read as a table."""


@dataclass
class Table:
    names: list[str]
    rows: list[list[str]]
    delimiter: str
    encoding: str
    ragged: int  # rows that had more or fewer cells than the header


def is_missing(cell: str) -> bool:
    return cell.strip().lower() in MISSING


def parse_number(cell: str) -> float | None:
    """A number as people write it: 12, 1,200.50, 1.200,50, 3e4, 12 %, $12. Otherwise None."""
    text = cell.strip().replace("\u00a0", "").replace("\u2212", "-").strip("%$€£¥ ")
    if _PLAIN.fullmatch(text):
        value = float(text)
    elif _COMMA_GROUPS.fullmatch(text):
        value = float(text.replace(",", ""))
    elif _DECIMAL_COMMA.fullmatch(text):
        value = float(text.replace(".", "").replace(",", "."))
    else:
        return None
    return value if abs(value) != float("inf") else None


def parse_date(cell: str) -> datetime | None:
    text = cell.strip()
    if not text[:1].isdigit() or len(text) < 7:
        return None
    for form in _DATES:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    return None


def _decode(data: bytes) -> tuple[str, str]:
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return data.decode(encoding), "utf-8" if encoding.startswith("utf-8") else encoding
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1"), "latin-1"


def read_table(path, delimiter: str | None = None, limit: int | None = None) -> Table:
    with open(path, "rb") as file:
        data = file.read()
    if b"\0" in data[:4096]:
        raise TableError("this is not a text file")
    text, encoding = _decode(data)
    if not text.strip():
        raise TableError("the file is empty")
    if delimiter is None:
        # The delimiter that splits most lines of the sample into the same number of cells.
        lines = [line for line in text[:65536].splitlines() if line.strip()][:50]
        def score(mark: str) -> tuple[int, int]:
            counts = [len(row) for row in csv.reader(lines, delimiter=mark)]
            return (sum(n == counts[0] for n in counts) if counts[0] > 1 else 0, counts[0])
        delimiter = max(",;\t|", key=score)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows = [row for row in reader if any(cell.strip() for cell in row)]
    header, rows = rows[0], rows[1:]
    names, seen = [], {}
    for i, cell in enumerate(header, 1):
        name = cell.strip() or f"column {i}"
        seen[name] = seen.get(name, 0) + 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    if limit is not None:
        rows = rows[:limit]
    width = len(names)
    ragged = sum(len(row) != width for row in rows)
    rows = [(row + [""] * width)[:width] for row in rows]
    return Table(names, rows, delimiter, encoding, ragged)
