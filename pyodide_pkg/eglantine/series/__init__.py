"""Taylor series of functions (`taylor`), and intervals that contain a function's values (`intervals`)."""
