"""The harness: rows, contestants, measuring, and reports. Needs only the standard library."""
