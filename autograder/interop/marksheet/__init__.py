"""A sheet on which graders enter points for written answers."""
