"""One small assignment with answers of many kinds, for mistakes that are graded through a box."""

from __future__ import annotations

from tests.support.assignment_text import assignment_text, check, read_files

WEIGH = {"call": "weigh", "inputs": "weights"}
BAGS = [{"call": "Bag", "inputs": "vocabularies"}, {"call": "Bag.forward", "inputs": "bags"}]
DOUBLED = {"call": "doubled", "inputs": "sizes"}
WAVES = [{"name": "waves", "stand_in": "table"}]
CODED = {"name": "code", "stand_in": "token_code"}
ENCODED = [
    {"call": "encode", "inputs": "sentences"},
    {"call": "code", "inputs": "ids", "optional": True},
]
LAYERS = [
    {"call": "Coded", "inputs": "made_coded"},
    {"call": "Coded", "inputs": "made_coded", "optional": True, "stand_ins": [CODED]},
]
PARTS = [CODED, {"name": "turn", "stand_in": "alike"}]
FORWARD = {"call": "Coded.forward", "inputs": "coded", "parts": PARTS}
MEAN = {"call": "mean", "inputs": "rows"}
NOTHING = {"call": "mean", "inputs": "no_rows"}
SCALED = {"inputs": "all_rows", "parts": [{"name": "scaled", "stand_in": "table"}]}
STEPS = {"call": "steps", "inputs": "counts", "default_dtype": "float64"}
ADDED = {"call": "add_positions", "inputs": "wide_rows"}
DTYPES = {"dtypes": ["float64", "bfloat16", "float16"], "autocast": ["bfloat16"]}
WIDE = {"call": "Wide.forward", "inputs": "wide_layers", "dtypes": ["bfloat16"]}
COURSE = {
    "assignments/small/assignment.toml": assignment_text(
        "small",
        {
            "weigh": [
                check("some", "function", points=2, call="weigh", inputs="weights"),
                check("few", "relation", relation="are_numbers", calls=[WEIGH]),
            ],
            "Layer": [check("rows", "function", call="Layer.forward", inputs="layers")],
            "Bag": [check("filled", "relation", relation="bag_is_filled", calls=BAGS)],
            "waves": [check("table", "function", call="waves", inputs="sizes")],
            "doubled": [
                check("numbers", "function", call="doubled", inputs="sizes", parts=WAVES),
                check("float32", "relation", relation="is_float32", calls=[DOUBLED], parts=WAVES),
            ],
            "code": [check("codes", "function", call="code", inputs="ids")],
            "turn": [check("turns", "function", call="turn", inputs="vectors")],
            "encode": [
                check("rows", "relation", relation="rows_of_own_code", calls=ENCODED, parts=[CODED])
            ],
            "Coded": [
                check("made", "relation", relation="has_one_table", calls=LAYERS),
                check("gradient", "gradient", **FORWARD, wrt=[0]),
                check("stage", "pipeline", **FORWARD),
            ],
            "mean scaled": [
                check("some", "function", points=2, public=True, **MEAN),
                check("none", "relation", relation="is_finite", calls=[NOTHING]),
                check("devices", "device", public=True, **MEAN),
                check("dtypes", "precision", dtypes=["float64"], **MEAN),
            ],
            "scaled_mean": [
                check("values", "pipeline", points=2, call="scaled_mean", **SCALED),
                check("devices", "device", call="scaled_mean", inputs="rows"),
            ],
            "steps": [
                check("values", "function", call="steps", inputs="counts"),
                check("default", "relation", relation="are_float32", calls=[STEPS]),
            ],
            "add_positions": [
                check("right", "function", **ADDED),
                check("narrow", "precision", **ADDED, **DTYPES),
            ],
            "Wide": [check("narrow", "precision", **WIDE)],
        },
    ),
    **read_files(__file__),
}
