"""The tape page: an evaluation step by step."""
