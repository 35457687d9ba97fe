"""What grading one submission needs: context, job, runs on devices, runs in another order."""
