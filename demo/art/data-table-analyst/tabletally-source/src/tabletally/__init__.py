"""Look at a CSV table: what each column holds, what is missing, how its values spread.

    from tabletally import read_table, profile, histogram
    table = read_table("sales.csv")
    for column in profile(table):
        print(column.name, column.kind, column.missing)

Standard library only. Nothing is written anywhere, and no table leaves the process.
"""
from .profile import Column, correlations, profile
from .read import Table, TableError, parse_date, parse_number, read_table
from .text import bar_chart, histogram, sparkline

__version__ = "0.2.0"
__all__ = ["Column", "Table", "TableError", "bar_chart", "correlations", "histogram",
           "parse_date", "parse_number", "profile", "read_table", "sparkline"]
