"""What instructors use to write, prove and release an assignment."""
