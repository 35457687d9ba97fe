"""The closed list of operators: each a fault of this field, tried at every place it fits."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from autograder.mutation.faults import (
    arithmetic,
    axes,
    calls,
    control,
    corners,
    frames,
    results,
    state,
)
from autograder.mutation.page import Edit, Page

Operator = Callable[[ast.AST, Page], Iterator[Edit]]

OPERATORS: Mapping[str, Operator] = MappingProxyType(
    {
        "swapped-operation": arithmetic.swap_operation,
        "missing-operand": arithmetic.drop_operand,
        "missing-sign": arithmetic.drop_sign,
        "off-by-one": arithmetic.shift_by_one,
        "other-number": arithmetic.change_number,
        "wrong-axis": axes.change_axis,
        "moved-axis": axes.move_new_axis,
        "turned-axes": axes.turn_other_axes,
        "other-slice": axes.change_slice,
        "swapped-function": calls.swap_function,
        "other-distribution": calls.swap_distribution,
        "swapped-arguments": calls.swap_arguments,
        "missing-keyword": calls.drop_keyword,
        "flipped-table-flag": frames.flip_table_flag,
        "flipped-flag": calls.flip_flag,
        "other-aggregation": frames.swap_aggregation,
        "other-join": frames.swap_join,
        "missing-table-step": frames.drop_table_step,
        "other-order": frames.sort_otherwise,
        "missing-step": calls.drop_step,
        "left-on-device": calls.leave_device,
        "other-parameter": calls.take_other_parameter,
        "empty-label": calls.swap_labels,
        "other-comparison": control.swap_comparison,
        "other-condition": control.change_condition,
        "missing-statement": control.drop_statement,
        "other-exception": control.raise_another,
        "short-loop": control.leave_loop,
        "other-text": control.change_text,
        "other-mark": control.shift_mark,
        "constant-result": results.return_constant,
        "negative-result": results.return_negative,
        "transposed-result": results.return_transposed,
        "other-type-result": results.return_other_type,
        "other-type": results.change_type,
        "detached": results.detach,
        "in-place": results.change_in_place,
        "held-otherwise": results.hold_otherwise,
        "squeezed-result": results.return_squeezed,
        "kept-result": state.keep_result,
        "kept-size": state.keep_size,
        "global-size": state.size_from_global,
        "changed-argument": state.change_argument,
        "weaker-corner": corners.weaken_corner,
        "other-corner": corners.change_corner,
        "keyed-by-value": corners.key_by_value,
        "exchanged-statements": corners.exchange_statements,
    }
)
