"""Points, decisions, lateness, and the database that keeps them."""
