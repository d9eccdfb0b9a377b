"""help(GranularFlow) tells every property with its unit."""

import pydoc
import re
from support import check, load_plugin, simple

load_plugin()
for function, needed in ((simple.GranularFlow, ["[s]", "[m/s", "[MB]", "restitution", "friction", "terrain"]),
                         (simple.ParticleSource, ["[m]", "[m/s]", "[kg/m", "[K]"]),
                         (simple.TerrainSurface, ["terrain"])):
    text = pydoc.render_doc(function, renderer=pydoc.plaintext)
    proxy_text = pydoc.render_doc(type(function()), renderer=pydoc.plaintext)
    both = text + proxy_text
    for word in needed:
        check(word.lower() in both.lower(), f"help({function.__name__}) does not say {word}")
    # A property of numbers without a sentence shows as a bare name.
    check(len(re.sub(r"\s+", " ", both)) > 500, f"help({function.__name__}) is short:\n{both}")
