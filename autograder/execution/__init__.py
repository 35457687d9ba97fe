"""Where jobs run: on this machine or on a cluster."""
