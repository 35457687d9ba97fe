"""The public courses that are graded by both tools: where they are, and what is known of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Course:
    """A repository on GitHub at one commit.

    ``shared``: its assignments read files above their folder. ``causes``: why scores differ, by the
    file name of a notebook.
    """

    tool: str
    repository: str
    commit: str
    notebooks: tuple[str, ...]
    shared: bool = False
    causes: Mapping[str, str] = field(default_factory=dict)


COURSES = (
    Course(
        "otter",
        "TRU-CS/autograder",
        "bcc9fdc36f2ff4e9ee286ace64e53d4b42760b67",
        ("sample-jupyter/template.ipynb",),
    ),
    Course(
        "otter",
        "UBC-Okanagan-Physics-Labs/Digital-Assessment-Techniques-CoP",
        "40c6634510f856962ea7580cbc0af9b2c9908eb6",
        ("Digital_Assessment_Techniques_Example_Jupyter_Notebook_otter.ipynb",),
    ),
    Course(
        "otter",
        "ds-modules/ecc-statistics",
        "82d9020010952db76990b8cbc4687371d7fde5ab",
        ("confidence_interval/confidence_interval.ipynb",),
    ),
    Course(
        "otter",
        "rsprouse/otter-template",
        "f1a5251135731baee5018a0f710225a0f4b48012",
        (
            "src/01/hw01.ipynb",
            "src/02/hw02.ipynb",
        ),
    ),
    Course(
        "otter",
        "sean-morris/otterizing-jupyter-notebooks",
        "c4b576a702d905efc3a218d39864ff5ad5894ba2",
        ("raw_notebooks/lab/lab01/lab01.ipynb",),
        shared=True,
    ),
    Course(
        "otter",
        "cal-data-eng/jupytercon2025-data101-demo",
        "20df41bffb4d0796657576901df1e9687b0cc726",
        ("src/proj0/teacher/proj0.ipynb",),
        shared=True,
    ),
    Course(
        "otter",
        "jagar2/test_assignment",
        "ea2345603e45a42c558fd2f7865f70569ba09894",
        ("student_repo/demo.ipynb",),
    ),
    Course(
        "otter",
        "ds-modules/ENGIN7-FA23",
        "ffa24ba9d926cae1ffbc4e323207acec6ed0b04c",
        ("Lab02/lab02.ipynb",),
    ),
    Course(
        "otter",
        "bwahl/DSCI-110J-workspace",
        "9f23a5f711474686c2a42a41de153d41d8dbe8b7",
        ("lab01/lab01.ipynb",),
    ),
    Course(
        "nbgrader",
        "jhamrick/nbgrader-demo",
        "05a5c90582fc3a575e70f94a0cc214c275311264",
        (
            "instructor/source/ps1/3 - Introduction to NumPy.ipynb",
            "instructor/source/ps1/6 - Truth Tables.ipynb",
        ),
    ),
    Course(
        "nbgrader",
        "spanto/2021WNPhys260",
        "26c72724c31253d16ac3644c12f0f453d2f16a47",
        (
            "autograders/gradescope-nbgrader-pf3/source/pf3/preflight3.ipynb",
            "autograders/gradescope-nbgrader-ps2/source/ps2/tutorialhw2.ipynb",
        ),
    ),
    Course(
        "nbgrader",
        "219project/num_meth_nbgrader",
        "8246e07eef02092ed9ed23a82b0ee8d9c5b49f5e",
        (
            "TestCourse/source/LSQ/LSQ.ipynb",
            "TestCourse/source/QR/QR.ipynb",
            "TestCourse/source/ODE_IVP/ode_ivp.ipynb",
            "TestCourse/source/quadratic/quadratic.ipynb",
        ),
    ),
    Course(
        "nbgrader",
        "evgenytsydenov/python_course",
        "cb265bdd2437b0c14d758109694960577ad3523e",
        ("demo/lesson.ipynb",),
    ),
    Course(
        "nbgrader",
        "lukassnoek/introPy",
        "3df98e53810a96bbdd6ac91d0aa35ef2fb3295ef",
        (
            "intropy/solutions/week_1/1_python_basics.ipynb",
            "intropy/solutions/week_1/4_numpy.ipynb",
        ),
    ),
)
