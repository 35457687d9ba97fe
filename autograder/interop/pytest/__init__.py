"""The plugin that shows submissions as tests."""
