"""Validation report: compute the facts, then render them as a page, a workbook or a PDF."""
