#!/bin/sh
# `cairn import`, and robots where a scene is expected.
. "$(dirname "$0")/lib.sh"

cat >arm.urdf <<'XML'
<robot name="arm">
  <link name="base"/>
  <link name="rod">
    <visual><geometry><box size="1 0.1 0.1"/></geometry></visual>
    <collision><origin xyz="0.5 0 0"/><geometry><box size="1 0.1 0.1"/></geometry></collision>
    <inertial><origin xyz="0.5 0 0"/><mass value="2"/><inertia ixx="0.01" iyy="0.2" izz="0.2" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="rod"/><axis xyz="0 1 0"/></joint>
</robot>
XML

expect 0 import arm.urdf
says out "arm: 2 bodies, 1 shapes, 1 joints"
says out "rod: 2 kg"
says out "hinge: revolute, base to rod"
says out "arm.urdf:4: <visual> has no counterpart and is left out"
expect 0 import arm.urdf --json
says out '"line": 4'
expect 0 check arm.urdf
says out "1 degree of freedom"
says err "arm.urdf: 1 note on what was changed or left out; 'cairn import arm.urdf' lists them"
expect 0 run arm.urdf -q --until 0.1
expect 2 run arm.urdf --set mu=1
says err "has no parameters"

# Bad input is located, and the exit status says that it is the input.
sed 's/value="2"/value="-2"/' arm.urdf >negative.urdf
expect 2 import negative.urdf
says err "negative.urdf:6:"
says err "must not be negative"
echo '<robot' >broken.urdf
expect 2 import broken.urdf
says err "broken.urdf:1:1: the XML is malformed"
expect 2 import missing.urdf
sed 's/<box size="1 0.1 0.1"/<mesh filename="package:\/\/arm\/rod.stl"/' arm.urdf >mesh.urdf
expect 2 import mesh.urdf
says err "mesh.urdf:5:"
says err "file 'package://arm/rod.stl' is not there"

exit $((failures > 0))
