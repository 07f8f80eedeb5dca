# SPDX-License-Identifier: MIT OR Apache-2.0
"""How Sphinx makes the site. `./lichen doc` copies this beside the pages, into build/doc/source."""

from collections.abc import Iterator

from sphinx.application import Sphinx
from sphinx.domains.c import CDomain

project = "Lichen"
copyright = "the Lichen authors"
html_title = "Lichen"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
root_doc = "index"
primary_domain = "c"

# Links to headings have the names that they have where the pages are read as files.
myst_heading_anchors = 6
myst_enable_extensions = ["colon_fence"]

# Examples leave parts out (`[...]`), which no language allows. In C a structure may have the name
# of the function that returns it.
suppress_warnings = ["misc.highlighting_failure", "duplicate_declaration.c"]

# Words of the headers that are attributes.
c_id_attributes = ["ARCH_FLASH"]
c_maximum_signature_line_length = 88
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["lichen.css"]
html_copy_source = False
html_show_sourcelink = False
# A summary would be fetched from the page, which browsers refuse to pages that are files.
html_show_search_summary = False
pygments_style = "default"
pygments_dark_style = "github-dark"


class Calls(CDomain):
    """C without the parameters of functions, which would hide what a search looks for."""

    def get_objects(self) -> Iterator[tuple[str, str, str, str, str, int]]:
        return (found for found in super().get_objects() if found[2] != "functionParam")


def setup(app: Sphinx) -> None:
    app.add_domain(Calls, override=True)
