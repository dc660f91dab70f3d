"""Tests of `eg.odeint` and `eg.quad`."""
