"""The layers of isolation that one confined process gets."""
