"""The colour and the dashes of each model on a page, in light and in dark."""

from capcurve._plot.contrast import GRAPHIC, RGB, TEXT, as_rgb, is_dark, stand_out
from capcurve._plot.palette import DASHES, OKABE_ITO, Palette

WIDTH = 2.2  # of a line in pixels
LIGHT, DARK = "#ffffff", "#14181c"  # backgrounds, as in page.css


def read_hex(color: str) -> RGB:
    """Return a colour of three pairs of hexadecimal digits."""
    return as_rgb(part / 255 for part in bytes.fromhex(color.removeprefix("#")))


def write_hex(color: RGB) -> str:
    """Write a colour in hexadecimal digits."""
    return f"#{bytes(round(255 * part) for part in color).hex()}"


def list_colors(n_models: int, background: str) -> list[str]:
    """List a colour for each model that stands out from the background."""
    behind = read_hex(background)
    least = TEXT if is_dark(behind) else GRAPHIC  # thin lines glow less on black
    cycle = [stand_out(read_hex(each), [behind], least) for each in OKABE_ITO]
    palette = Palette(background=behind, ink=behind, cycle=cycle)
    return [write_hex(palette.color(number)) for number in range(n_models)]


def write_dashes(number: int) -> str:
    """Write the dashes of a model in pixels."""
    dashes = DASHES[number % len(DASHES)]
    if dashes == "-":
        return "none"
    return " ".join(f"{WIDTH * part:.3g}" for part in dashes[1])


def write_model_colors(n_models: int) -> str:
    """Write rules for the classes ``m0``, ``m1`` and so on."""
    light = "".join(
        f".m{number} {{ --c: {color}; --dash: {write_dashes(number)}; }}\n"
        for number, color in enumerate(list_colors(n_models, LIGHT))
    )
    dark = "".join(
        f":root:not(.light) .m{number} {{ --c: {color}; }}\n"
        for number, color in enumerate(list_colors(n_models, DARK))
    )
    return f"{light}@media screen and (prefers-color-scheme: dark) {{\n{dark}}}\n"
