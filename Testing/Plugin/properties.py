"""Every property of every proxy is set by name, reaches its VTK object and is read back from there.

For each proxy of Plugin/Xml a twin is registered that has, beside every property with the command
SetX, an information-only property with the command GetX. What is set through the one must come
back through the other: a command that VTK does not know, a wrong number of elements or a setter that
silently clamps fails here. Also: every property is documented, every number with its unit.
"""

import xml.etree.ElementTree as ElementTree
from support import ROOT, check, load_plugin

from paraview import servermanager

VECTORS = ("IntVectorProperty", "IdTypeVectorProperty", "DoubleVectorProperty", "StringVectorProperty")
SUFFIX = "ReadBack"


def settable(proxy):
    """The vector properties of a proxy's XML that push a value, with their setters."""
    for element in proxy:
        command = element.get("command", "")
        if (element.tag in VECTORS and element.get("information_only") != "1" and command.startswith("Set")
                and element.get("repeat_command") != "1" and command != "SetInputArrayToProcess"):
            yield element


def twin(group, proxy):
    """XML of the proxy with a getter beside every setter."""
    copy = ElementTree.fromstring(ElementTree.tostring(proxy))
    copy.set("name", proxy.get("name") + SUFFIX)
    for element in settable(proxy):
        ElementTree.SubElement(copy, element.tag, {
            "name": element.get("name") + SUFFIX, "command": "Get" + element.get("command")[3:],
            "information_only": "1"})
    root = ElementTree.Element("ServerManagerConfiguration")
    ElementTree.SubElement(root, "ProxyGroup", {"name": group}).append(copy)
    return ElementTree.tostring(root, encoding="unicode")


def other_values(element):
    """Values that differ from the default and lie in the property's domains."""
    number = int(element.get("number_of_elements", "1"))
    default = element.get("default_values", "none").split()
    if element.tag == "StringVectorProperty":
        return ["another"] * number
    if element.find("BooleanDomain") is not None:
        return [1 - int(default[0])]
    entries = element.find("EnumerationDomain")
    if entries is not None:
        return [next(int(entry.get("value")) for entry in reversed(entries)
                     if entry.get("value") != default[0])]
    whole = element.tag != "DoubleVectorProperty"
    domain = element.find("DoubleRangeDomain" if not whole else "IntRangeDomain")
    low = domain.get("min") if domain is not None else None
    high = domain.get("max") if domain is not None else None
    values = []
    for index in range(number):
        start = float(default[min(index, len(default) - 1)]) if default[0] != "none" else 0
        value = start + 1 + index if whole else start + 0.125 + 0.0625 * index
        if high is not None and value > float(high):
            value = (start + float(low or 0)) / 2 if not whole else start - 1
        values.append(int(value) if whole else value)
    return values


def read(smproperty):
    return [smproperty.GetElement(index) for index in range(smproperty.GetNumberOfElements())]


def check_proxy(group, proxy):
    manager = servermanager.vtkSMProxyManager.GetProxyManager().GetActiveSessionProxyManager()
    definitions = manager.GetProxyDefinitionManager()
    check(definitions.LoadConfigurationXMLFromString(twin(group, proxy)), "the twin's XML was refused")
    live = manager.NewProxy(group, proxy.get("name") + SUFFIX)
    check(live is not None, f"no proxy {proxy.get('name')}{SUFFIX}")
    live.UpdateVTKObjects()
    count = 0
    for element in settable(proxy):
        name, values = element.get("name"), other_values(element)
        where = f"{proxy.get('label')}, {name}"
        smproperty = live.GetProperty(name)
        getter = live.GetProperty(name + SUFFIX)
        for value in (values, None):
            if value is None:  # and back, so that one property does not hide behind another
                smproperty.ResetToXMLDefaults()
                value = read(smproperty)
                if element.get("default_values", "none") == "none":
                    continue
            else:
                smproperty.SetNumberOfElements(len(value))
                for index, number in enumerate(value):
                    smproperty.SetElement(index, number)
            live.UpdateVTKObjects()
            live.UpdatePropertyInformation(getter)
            reached = read(getter)
            check(reached == value, f"{where}: {value} was set, {reached} reached the VTK object")
        count += 1
    return count


def check_documentation(proxy):
    where = proxy.get("label")
    documentation = proxy.find("Documentation")
    check(documentation is not None and documentation.get("short_help") and documentation.get("long_help"),
          f"{where} has no short_help and long_help")
    for element in proxy:
        if not element.tag.endswith("Property") or element.get("panel_visibility") == "never":
            continue
        text = element.findtext("Documentation") or ""
        check(len(text.split()) > 1, f"{where}, {element.get('name')}: not documented")
        if element.tag == "DoubleVectorProperty" and element.get("information_only") != "1":
            check("[" in text and "]" in text,
                  f"{where}, {element.get('name')}: the documentation has no [unit]: {text}")


load_plugin()
built = {name for group in (servermanager.sources, servermanager.filters, servermanager.writers) for name in dir(group)}
proxies = properties = 0
for file in sorted((ROOT / "Plugin/Xml").glob("*.xml")):
    for group in ElementTree.parse(file).getroot().iter("ProxyGroup"):
        for proxy in group.iter():
            if not proxy.tag.endswith("SourceProxy"):
                continue
            check_documentation(proxy)
            if proxy.get("name") not in built:  # Terrain Reader, in a build without GDAL
                continue
            properties += check_proxy(group.get("name"), proxy)
            proxies += 1
print(f"{properties} properties of {proxies} proxies were set and came back")
check(proxies >= 3 and properties >= 30, "proxies or properties were overlooked")
