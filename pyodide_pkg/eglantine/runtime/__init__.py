"""Runtime: engines, memory, threads, and kernels that take and return Python values."""
