"""What users hold: functions, their derivatives, and policies."""
