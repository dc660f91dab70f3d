"""Taylor series of functions (`taylor`), and intervals that contain their values (`intervals`)."""
