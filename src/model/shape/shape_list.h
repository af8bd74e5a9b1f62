/* Every shape class, in the order of cairn_shape_kind: crn_class_NAME is defined in kinds/. */
#define CRN_SHAPE_LIST(X)                                                                                              \
    X(point)                                                                                                           \
    X(circle)                                                                                                          \
    X(segment)                                                                                                         \
    X(polygon)                                                                                                         \
    X(half_plane)                                                                                                      \
    X(sphere)                                                                                                          \
    X(box)                                                                                                             \
    X(half_space)                                                                                                      \
    X(ellipse)                                                                                                         \
    X(ellipsoid)                                                                                                       \
    X(capsule)                                                                                                         \
    X(chain)                                                                                                           \
    X(cylinder)                                                                                                        \
    X(cone)                                                                                                            \
    X(hull)                                                                                                            \
    X(mesh)                                                                                                            \
    X(height_field)                                                                                                    \
    X(hollow_cylinder)                                                                                                 \
    X(hollow_cone)
