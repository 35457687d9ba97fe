"""Maps a function over items, one by one or in parallel."""
