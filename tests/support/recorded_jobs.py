"""A runner that passes jobs on to another one, and records them."""

from __future__ import annotations

from dataclasses import dataclass, field

from autograder.evidence.records import Run
from autograder.grading.context import Runner
from autograder.wire.messages import Job


@dataclass
class JobRecorder:
    """Runs jobs in another runner; ``jobs``: all that it was asked for."""

    runner: Runner
    jobs: list[Job] = field(default_factory=list)

    def run(self, job: Job) -> Run:
        self.jobs.append(job)
        return self.runner.run(job)

    def accepts(self, level: str) -> bool:
        return self.runner.accepts(level)
