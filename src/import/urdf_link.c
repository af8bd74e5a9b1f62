/* URDF: the links: inertia and collision geometry. */
#include "import/urdf.h"

/* ----------------------------------------------------------------------------------------------------------- frames */

crn_link_frame crn_urdf_origin(crn_import *import, crn_xml *element)
{
    crn_link_frame frame = crn_link_frame_identity();
    crn_xml *origin = crn_xml_child(element, "origin");
    double angle[3] = {0};
    if (!origin)
        return frame;
    crn_import_numbers(import, origin, "xyz", 3, 3, frame.x);
    crn_import_numbers(import, origin, "rpy", 3, 3, angle);
    for (int k = 0; k < 3; ++k)
    {
        double phi[3] = {0}, turn[4];
        phi[k] = angle[k];
        crn_quaternion_exp(phi, turn);
        crn_quaternion_multiply(turn, frame.q, frame.q);
    }
    crn_quaternion_normalise(frame.q);
    return frame;
}

/* ------------------------------------------------------------------------------------------------------------ links */

static void read_inertia(crn_import *import, crn_xml *element, crn_link_mass *mass)
{
    static const char *const NAMES[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    static const int PLACE[6][2] = {{0, 0}, {4, 4}, {8, 8}, {1, 3}, {2, 6}, {5, 7}};
    for (int i = 0; i < 6; ++i)
    {
        double value = 0;
        crn_import_number(import, element, NAMES[i], &value);
        mass->inertia[PLACE[i][0]] = mass->inertia[PLACE[i][1]] = value;
    }
}

static void read_inertial(crn_robot *robot, crn_link *link, crn_xml *element)
{
    crn_link_mass mass = {0};
    crn_link_frame frame = crn_urdf_origin(robot->import, element);
    crn_xml *of_mass = crn_xml_child(element, "mass"), *inertia = crn_xml_child(element, "inertia");
    if (!of_mass || !crn_import_required(robot->import, of_mass, "value"))
    {
        if (!of_mass)
            crn_import_problem(robot->import, element, "the <inertial> of link '%.80s' needs a <mass>", link->name);
        return;
    }
    if (!crn_import_amount(robot->import, of_mass, "value", &mass.mass))
        return;
    if (inertia)
        read_inertia(robot->import, inertia, &mass);
    else
        crn_import_problem(robot->import, element, "the <inertial> of link '%.80s' needs an <inertia>", link->name);
    link->has_mass = true;
    crn_mass_add(&link->mass, &frame, &mass);
}

static bool measure(crn_robot *robot, crn_xml *element, const char *name, double *out)
{
    return crn_import_required(robot->import, element, name) && crn_import_number(robot->import, element, name, out) &&
           (*out > 0 || crn_import_problem(robot->import, element, "attribute '%s' of <%s> must be positive, found %g",
                                           name, element->name, *out));
}

static bool read_mesh(crn_robot *robot, crn_xml *element, crn_link_shape *shape)
{
    double scale[3] = {1, 1, 1};
    const char *name = crn_import_required(robot->import, element, "filename");
    if (crn_import_numbers(robot->import, element, "scale", 1, 3, scale) == 1)
        scale[1] = scale[2] = scale[0];
    const char *path = name ? crn_import_find_file(robot->import, element, NULL, name) : NULL;
    crn_mesh_reading how = {
        .origin = crn_link_frame_identity(), .scale = {scale[0], scale[1], scale[2]}, .way = CRN_MESH_EXACT};
    return path && crn_robot_read_mesh(robot, element, path, &how, shape);
}

/* The one geometry in a <collision>; false: none, or a wrong one. */
static bool read_geometry(crn_robot *robot, crn_xml *geometry, crn_link_shape *shape)
{
    crn_xml *found;
    if ((found = crn_xml_child(geometry, "box")))
    {
        shape->options = cairn_shape_default(CAIRN_BOX);
        return crn_import_required(robot->import, found, "size") &&
               crn_import_numbers(robot->import, found, "size", 3, 3, shape->options.size) == 3;
    }
    if ((found = crn_xml_child(geometry, "sphere")))
    {
        shape->options = cairn_shape_default(CAIRN_SPHERE);
        return measure(robot, found, "radius", &shape->options.radius);
    }
    if ((found = crn_xml_child(geometry, "cylinder")))
    {
        shape->options = cairn_shape_default(CAIRN_CYLINDER);
        return measure(robot, found, "radius", &shape->options.radius) &&
               measure(robot, found, "length", &shape->options.height);
    }
    if ((found = crn_xml_child(geometry, "capsule")))
    {
        shape->options = cairn_shape_default(CAIRN_CAPSULE);
        return measure(robot, found, "radius", &shape->options.radius) &&
               measure(robot, found, "length", &shape->options.length);
    }
    if ((found = crn_xml_child(geometry, "mesh")))
        return read_mesh(robot, found, shape);
    return crn_import_problem(robot->import, geometry,
                              "expected a <box>, <sphere>, <cylinder>, <capsule> or <mesh> in <geometry>");
}

static void read_collision(crn_robot *robot, crn_link *link, crn_xml *element)
{
    const double water = 1000; /* kg/m^3, of links without an <inertial> */
    crn_link_shape shape = {.place = element,
                            .collides = true,
                            .type = 1,
                            .affinity = 1,
                            .surface = -1,
                            .frame = crn_urdf_origin(robot->import, element)};
    crn_xml *geometry = crn_xml_child(element, "geometry");
    crn_xml_get(element, "name");
    if (!geometry)
    {
        crn_import_problem(robot->import, element, "<collision> needs a <geometry>");
        return;
    }
    if (!read_geometry(robot, geometry, &shape))
        return;
    if (!crn_shape_mass(&shape.options, water, &shape.mass))
    {
        shape.mass.mass *= water;
        for (int i = 0; i < 9; ++i)
            shape.mass.inertia[i] *= water;
    }
    crn_link_shape *made = crn_link_add_shape(robot, link);
    if (made)
        *made = shape;
}

void crn_urdf_read_link(crn_robot *robot, crn_link *link, crn_xml *element)
{
    crn_xml *inertial = crn_xml_child(element, "inertial");
    if (inertial)
        read_inertial(robot, link, inertial);
    for (crn_xml *c = crn_xml_child(element, "collision"); c; c = crn_xml_again(c))
        read_collision(robot, link, c);
}
