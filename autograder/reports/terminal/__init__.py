"""Tables and progress for a terminal, as rich renderables."""
