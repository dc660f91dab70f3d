"""Checks for users: compare derivatives with finite differences, or find the cause of a NaN or infinity."""
