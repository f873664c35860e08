def list_lines():
    return []


def compare(a, b):
    return [], []
