"""Signing in elsewhere: OpenID Connect, LTI 1.3, JupyterHub."""
