"""Block-sparse matrices of the one-step problem, from and to triplets (row, column, value).

Rows are grouped into items and columns into blocks; an entry is a dense block where an item meets a block. The routines work on all
numbers at once.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

Ints = np.ndarray[Any, np.dtype[np.int32]]


class Blocks(NamedTuple):
    """Entries in order of items and blocks: item i has those from entry_start[i] to entry_start[i + 1] - 1."""

    entry_start: Any
    block: Any
    value_start: Any
    value: Any


def triplets(matrix: Any, shape: tuple[int, int], what: str) -> tuple[Any, Any, Any]:
    """Rows, columns and values of a scipy.sparse matrix or a dense array."""
    if hasattr(matrix, "tocoo"):
        coo = matrix.tocoo()
        rows, columns, values, found = coo.row, coo.col, coo.data, coo.shape
    else:
        dense = np.atleast_2d(np.asarray(matrix, dtype=np.float64))
        rows, columns = np.nonzero(dense)
        values, found = dense[rows, columns], dense.shape
    if tuple(found) != shape:
        raise ValueError(f"{what} must have {shape[0]} rows and {shape[1]} columns, not {found[0]} and {found[1]}")
    return rows.astype(np.int64), columns.astype(np.int64), np.asarray(values, dtype=np.float64)


def _owner(starts: Any, index: Any) -> Any:
    return np.searchsorted(starts, index, side="right") - 1


def gather(entries: tuple[Any, Any, Any], item_start: Any, block_start: Any, diagonal: bool) -> Blocks:
    """Put triplets into blocks. With `diagonal`, every item i gets an entry of block i."""
    rows, columns, values = entries
    items, blocks = len(item_start) - 1, len(block_start) - 1
    item, block = _owner(item_start, rows), _owner(block_start, columns)
    wanted = item * max(blocks, 1) + block
    if diagonal:
        wanted = np.concatenate([wanted, np.arange(items) * (max(blocks, 1) + 1)])
    keys = np.unique(wanted)
    entry_item, entry_block = keys // max(blocks, 1), keys % max(blocks, 1)
    widths = np.diff(block_start)
    sizes = np.diff(item_start)[entry_item] * widths[entry_block]
    value_start = np.concatenate([[0], np.cumsum(sizes)])
    value = np.zeros(value_start[-1])
    entry = np.searchsorted(keys, item * max(blocks, 1) + block)
    place = value_start[entry] + (rows - item_start[item]) * widths[block] + columns - block_start[block]
    np.add.at(value, place, values)
    entry_start = np.searchsorted(entry_item, np.arange(items + 1))
    return Blocks(entry_start.astype(np.int32), entry_block.astype(np.int32), value_start.astype(np.int32), value)


def scatter(blocks: Blocks, item_start: Any, block_start: Any) -> tuple[Any, Any, Any]:
    """The triplets of all entries, zeros within blocks included."""
    entry_item = np.repeat(np.arange(len(item_start) - 1), np.diff(blocks.entry_start))
    sizes = np.diff(blocks.value_start)
    entry = np.repeat(np.arange(len(sizes)), sizes)
    within = np.arange(len(entry)) - np.asarray(blocks.value_start)[entry]
    width = np.diff(block_start)[np.asarray(blocks.block)[entry]]
    rows = np.asarray(item_start)[entry_item[entry]] + within // np.maximum(width, 1)
    columns = np.asarray(block_start)[np.asarray(blocks.block)[entry]] + within % np.maximum(width, 1)
    return rows, columns, np.asarray(blocks.value)[: len(entry)]
