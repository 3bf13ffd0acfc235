"""The texts of the products, filled in from templates in which @name@ stands for a value."""

import re
from collections.abc import Mapping
from pathlib import Path

from release import CannotBuildError


def fill(template: Path, values: Mapping[str, str]) -> str:
    """Return the text of a template with its values.

    Raises:
        CannotBuildError: It names a value that there is not.
    """

    def value(found: re.Match[str]) -> str:
        if found[1] not in values:
            raise CannotBuildError(f"{template} names @{found[1]}@, which has no value")
        return values[found[1]]

    return re.sub(r"@(\w+)@", value, template.read_text(encoding="utf-8"))
