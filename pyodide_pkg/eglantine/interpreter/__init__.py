"""The interpreter: runs rows on any kind of number, and is the oracle of all tests."""
