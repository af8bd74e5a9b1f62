/* MJCF: pairs of bodies that do not touch. */
#include "import/mjcf.h"

void crn_mjcf_read_contacts(crn_mjcf *m)
{
    for (crn_xml *s = crn_xml_child(m->root, "contact"); s; s = crn_xml_again(s))
        for (crn_xml *e = crn_xml_child(s, "exclude"); e; e = crn_xml_again(e))
        {
            int a = crn_mjcf_find_link(m, e, "body1"), b = crn_mjcf_find_link(m, e, "body2");
            crn_xml_get(e, "name");
            if (a >= 0 && b >= 0)
                crn_robot_exclude(m->robot, e, a, b);
        }
}
