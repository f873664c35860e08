"""Displays of curves on matplotlib axes."""
