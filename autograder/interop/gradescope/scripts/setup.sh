#!/usr/bin/env bash
# Creates the grader's own environment. Gradescope runs this as root, once, when the image is built.
# The system's python3 and its packages belong to Gradescope's harness: nothing here changes them.
set -euo pipefail
umask 022
root="${AUTOGRADER_ROOT:-/autograder}"
source="$root/source"
grader="$root/grader"
mkdir -p "$grader"

suits() { # a released Python 3.11 or newer that can make environments
    command -v "$1" >/dev/null && "$1" -c 'import sys, venv, ensurepip
sys.exit(sys.version_info < (3, 11) or sys.version_info.releaselevel != "final")' 2>/dev/null
}

find_python() {
    local name
    for name in python3.13 python3.12 python3.11 python3; do
        if suits "$name"; then
            command -v "$name"
            return
        fi
    done
    return 1
}

if ! python="$(find_python)"; then
    export DEBIAN_FRONTEND=noninteractive
    apt-get update
    apt-get install -y --no-install-recommends python3-venv ca-certificates
fi
if [ -z "$python" ] && ! python="$(find_python)"; then
    # the image's Python is older: install one for the grader, next to the system's
    export UV_PYTHON_INSTALL_DIR="$grader/python"
    python3 -m venv "$grader/uv"
    "$grader/uv/bin/python" -m pip install --no-cache-dir "uv>=0.7"
    "$grader/uv/bin/uv" python install 3.11
    python="$("$grader/uv/bin/uv" python find --managed-python 3.11)"
fi

"$python" -m venv "$grader/environment"
cd "$source"
# Only torch itself comes from an index of its own, and one without CUDA.
if grep -q '^torch\b' requirements.txt; then
    "$grader/environment/bin/python" -m pip install --no-cache-dir --no-deps \
        --index-url "${TORCH_INDEX:-https://download.pytorch.org/whl/cpu}" \
        --constraint constraints.txt torch
fi
"$grader/environment/bin/python" -m pip install --no-cache-dir \
    --constraint constraints.txt --requirement requirements.txt
# The grader is next to the packages, not among them: student code may read those.
"$grader/environment/bin/python" -m pip install --no-cache-dir --no-deps \
    --target "$grader/code" wheels/*.whl
echo "$grader/code" >"$(echo "$grader"/environment/lib/python3.*/site-packages)/autograder.pth"

# The student's code runs as another user, who can read the environment but not the package.
mkdir -p "$grader/evidence"
chmod -R go= "$source"  # the package is closed when the image is made
chmod 700 "$grader/evidence"

export OMP_NUM_THREADS=1
export XDG_CACHE_HOME="$grader/cache"
cd /
"$grader/environment/bin/python" -m autograder doctor || true # informs; the harness decides
"$grader/environment/bin/python" -m autograder.interop.gradescope.harness --root "$root" --prepare
