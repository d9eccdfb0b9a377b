"""The check that no picture is blank, checked itself: a blank one must fail, a full one pass."""

import numpy
from support import OUTPUT, check, check_picture
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkIOImage import vtkPNGWriter


def write(name, pixels):
    image = vtkImageData()
    image.SetDimensions(200, 100, 1)
    image.GetPointData().SetScalars(numpy_to_vtk(pixels.astype(numpy.uint8), deep=True))
    writer = vtkPNGWriter()
    writer.SetFileName(str(OUTPUT / name))
    writer.SetInputData(image)
    writer.Write()
    return OUTPUT / name


def refused(file):
    try:
        check_picture(file)
    except AssertionError:
        return True
    return False


noise = numpy.random.default_rng(1).integers(0, 256, (20000, 3))
blank = numpy.full((20000, 3), 200)
mostly_blank = numpy.where(numpy.arange(20000)[:, None] < 3000, noise, blank)
check(refused(write("blank.png", blank)), "a blank picture passed")
check(refused(write("mostly_blank.png", mostly_blank)), "a picture with a little noise passed")
check(refused(OUTPUT / "absent.png"), "an absent picture passed")
check(not refused(write("noise.png", noise)), "a full picture was refused")
