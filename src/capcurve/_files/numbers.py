"""SQL that reads text as numbers and finds the words for a missing value.

A number is what a float literal is, with the decimal separator of the file: ``0.5``,
``-1e3`` or ``inf``. A percent sign divides by 100, so ``8.2 %`` is 0.082. With a decimal
comma, points may separate thousands: ``3.081,00`` is 3081.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from string import digits

from capcurve._files.quoting import quote_literal
from capcurve._input.usual_words import BLANKS, USUAL_WORDS, fold_word

BLANK = r"[\s\x{00A0}\x{202F}]*"
PERCENT = rf"^([+-]?[0-9.]+){BLANK}%$"
THOUSANDS = rf"\s*[+-]?[1-9][0-9]{{0,2}}(\.[0-9]{{3}})+(,[0-9]*)?({BLANK}%)?\s*"
INFINITE = r"[+-]?inf(inity)?"
LONGEST_ZERO = 5  # characters; numbers that a float turns into 0 have more
EXACT_DIGITS = 15  # decimals of so many digits are different floats


@dataclass(frozen=True)
class NumberFormat:
    """How the text of a file is read; its methods return SQL.

    Attributes
    ----------
    decimal : {'.', ','}
        Decimal separator.
    added_words : sequence of str
        Words that stand for a missing value in every column.
    usual_words : bool
        Whether numeric columns know the usual words too.
    """

    decimal: str = "."
    added_words: Sequence[str] = ()
    usual_words: bool = True

    @property
    def text_words(self) -> Sequence[str]:
        """Words for a missing value in text columns, as they are compared."""
        return list(dict.fromkeys(["", *map(fold_word, self.added_words)]))

    @property
    def number_words(self) -> Sequence[str]:
        """Words for a missing value in numeric columns, as they are compared."""
        usual = USUAL_WORDS if self.usual_words else ()
        return list(dict.fromkeys([*self.text_words, *usual]))

    @property
    def has_numeric_words(self) -> bool:
        """Whether an added word such as -999 may read as a number."""
        return any(map(has_digit, self.added_words))

    def is_missing(self, text: str, number: str) -> str:
        """Be true for missing values of a numeric column: words, and numbers equal to one.

        So -9999 stands for -9999.0 too, as pandas writes it. Null for null. The number is
        that of the trimmed text.
        """
        words = [
            word
            for word in dict.fromkeys(map(fold_word, self.added_words))
            if has_digit(word) or word.lstrip("+-").startswith("inf")
        ]
        is_listed = is_word(text, self.number_words)
        if not words:
            return is_listed
        return f"({is_listed} or {self.equals_any(text, number, words)})"

    def equals_any(self, text: str, number: str, words: Sequence[str]) -> str:
        """Be true for the same number as a word, digit for digit; false for all else."""
        literals = list(map(quote_literal, words))
        values = list(map(self.cast_any, literals))
        exact = [
            f"{number} = {value} and {list_digits(text)} = {list_digits(literal)}"
            for value, literal in zip(values, literals, strict=True)
        ]
        return (
            f"case when {number} in ({', '.join(values)}) "
            f"then coalesce({' or '.join(exact)}, false) else false end"
        )

    def normalize(self, column: str) -> str:
        """Write numbers with a decimal point and without thousands separators."""
        if self.decimal == ".":
            return column
        return (
            f"case when not contains({column}, '.') then replace({column}, ',', '.') "
            f"when regexp_full_match({column}, {quote_literal(THOUSANDS)}) "
            f"then replace(replace({column}, '.', ''), ',', '.') end"
        )

    def is_plain(self, column: str) -> str:
        """Be true for finite numbers that `cast_plain` reads, false or null otherwise.

        The cast alone also takes 1_000 and +-1, and turns 1e400 into infinity and 1e-400
        into 0.
        """
        text = self.normalize(column)
        number = f"try_cast({text} as double)"
        return (
            f"(isfinite({number}) "
            f"and not contains({column}, '_') and not contains({column}, '+-') "
            f"and case when {number} = 0 and strlen({column}) > {LONGEST_ZERO} "
            f"then not regexp_matches({column}, '^[^eE]*[1-9]') else true end)"
        )

    def cast_plain(self, column: str) -> str:
        """Cast what `is_plain`."""
        return f"try_cast({self.normalize(column)} as double)"

    def cast_any(self, column: str) -> str:
        """Cast numbers of every form, and anything else to null; blanks must be trimmed."""
        text = self.normalize(column)
        share = f"regexp_extract({text}, {quote_literal(PERCENT)}, 1)"
        return (
            f"case when {self.is_plain(column)} then {self.cast_plain(column)} "
            f"when regexp_full_match({column}, '{INFINITE}', 'i') "
            f"then cast({column} as double) "
            f"when contains({column}, '%') then try_cast({share} || 'e-2' as double) end"
        )


def is_integer(column: str) -> str:
    """Return SQL that is true for plain numbers in digits alone that fit 64 bits."""
    return (
        f"case when contains({column}, '.') then false "
        f"else try_cast({column} as bigint) is not null "
        f"and not contains({column}, 'e') and not contains({column}, 'E') end"
    )


def is_whole(column: str) -> str:
    """Return SQL that is true for whole numbers of any length."""
    return f"regexp_full_match({column}, '[+-]?[0-9]+')"


def is_rounded(column: str) -> str:
    """Return SQL that is true for whole numbers that no float holds exactly."""
    rounded = f"try_cast(try_cast({column} as double) as hugeint)"
    differs = f"coalesce(try_cast({column} as hugeint) <> {rounded}, true)"
    return f"({is_whole(column)} and {differs})"


def is_fine(column: str, number: str) -> str:
    """Return SQL that is true for numbers of other digits than the float is written with.

    Up to 15 digits are different floats; so are all texts that floats are written as.
    """
    longest = EXACT_DIGITS + 1  # with a decimal point
    return (
        f"case when strlen({column}) > {longest} "
        f"then cast({number} as varchar) <> {column} end"
    )


def list_digits(column: str) -> str:
    """Return SQL of the digits of a number, without zeros that only say how large it is."""
    mantissa = f"regexp_replace({column}, '[eE].*', '')"
    return f"trim(regexp_replace({mantissa}, '[^0-9]', '', 'g'), '0')"


def trim(column: str) -> str:
    """Return SQL that trims blanks of every kind."""
    return f"trim({column}, {quote_literal(BLANKS)})"


def is_word(column: str, words: Sequence[str]) -> str:
    """Return SQL that is true for the words, and null for null."""
    return f"lower({trim(column)}) in ({', '.join(map(quote_literal, words))})"


def hide_words(column: str, words: Sequence[str]) -> str:
    """Return SQL of a column that is null for the words."""
    return hide(column, is_word(column, words))


def hide(column: str, condition: str) -> str:
    """Return SQL of a column that is null where a condition is true."""
    return f"case when not {condition} then {column} end"


def has_digit(word: str) -> bool:
    """Whether a word could be taken for a finite number."""
    return any(character in digits for character in word)
