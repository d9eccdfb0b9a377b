"""ParaView's own window as a user has it, for scripts that run inside: what the panel shows, and its buttons."""

import time

from PySide2.QtCore import QThread
from PySide2.QtWidgets import (QAction, QApplication, QCheckBox, QComboBox, QLabel, QLineEdit, QPushButton, QTextEdit,
                               QToolButton, QWidget)

APPLICATION = QApplication.instance()
# Kept: with a parent's Python object those of its children go.
PANEL = next(w for w in APPLICATION.allWidgets() if w.metaObject().className() == "pqPropertiesPanel")
MAIN = next(w for w in APPLICATION.topLevelWidgets() if w.metaObject().className() == "ParaViewMainWindow")


def settle():
    """Lets the window do what it has put off."""
    for _ in range(15):
        APPLICATION.processEvents()
        QThread.msleep(20)


def property_of(field):
    """The widget of the property that a field belongs to, None where it is of something else."""
    while field and field is not PANEL:
        if field.metaObject().className().endswith(("PropertyWidget", "InputSelectorWidget")) and field.objectName():
            return field
        field = field.parentWidget()
    return None


def fields():
    """The fields that the panel shows, with their property's name, top down."""
    settle()
    for field in PANEL.findChildren(QWidget):
        if isinstance(field, (QLineEdit, QTextEdit, QComboBox, QCheckBox)) and field.isVisibleTo(PANEL):
            owner = property_of(field)
            if owner:
                yield owner.objectName(), field


def shown():
    """What stands in the fields of each property, as text."""
    texts = {}
    for name, field in fields():
        texts.setdefault(name, []).append(
            field.toPlainText() if isinstance(field, QTextEdit) else
            field.currentText() if isinstance(field, QComboBox) else field.text())
    return texts


def advanced(is_on):
    button = PANEL.findChild(QToolButton, "AdvancedButton")
    if button.isChecked() != is_on:
        button.click()
    settle()


def press(name):
    """A button of the panel, by its name or the text on it; other proxies' buttons are there too, hidden."""
    next(button for button in PANEL.findChildren(QPushButton)
         if name in (button.objectName(), button.text().replace("&", "")) and button.isVisibleTo(PANEL)).click()
    settle()


def enter(name, text):
    """Types into the field of a property with one number."""
    field = next(field for owner, field in fields() if owner == name)
    field.setText(text)
    field.textChangedAndEditingFinished.emit()
    settle()


def tick(name):
    """The check box of a property."""
    settle()
    for box in PANEL.findChildren(QCheckBox):
        owner = property_of(box)
        if owner and owner.objectName() == name:
            box.click()
    settle()


def choose(action):
    """An entry of a menu or a button of a toolbar, by its name."""
    next(entry for entry in MAIN.findChildren(QAction) if entry.objectName() == action).trigger()
    settle()


def wait_until(condition, limit):
    """Lets the window go on until a condition holds, for this many seconds at most."""
    deadline = time.monotonic() + limit
    while not condition() and time.monotonic() < deadline:
        APPLICATION.processEvents()
        QThread.msleep(2)
    return condition()
