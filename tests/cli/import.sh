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

# A robot as a scene, in a file and on standard output, moves as the robot does; its run file holds the scene.
expect 0 import arm.urdf -o arm.yaml
says out "arm.yaml"
expect 0 import arm.urdf -o -
says out "title: arm"
! grep -q "notes:" out || fail "notes are among the scene"
expect 0 run arm.urdf -q --until 0.2 -o robot.h5
expect 0 run arm.yaml -q --until 0.2 -o scene.h5
for run in robot scene; do
    expect 0 export $run.h5 --csv -o $run-csv --quiet
done
cmp robot-csv/bodies.csv scene-csv/bodies.csv || fail "the saved robot moves differently"
expect 0 export robot.h5 --scene again.yaml
cmp arm.yaml again.yaml || fail "the run file of a robot holds another scene"
expect 2 import arm.urdf -o nowhere/arm.yaml

# MJCF: what is wrong is located, in the file where it is; unknown tags are listed.
cat >whole.xml <<'XML'
<mujoco><worldbody>
  <body><freejoint/><geom size="0.1"/><unknown/></body>
  <include file="part.xml"/></worldbody></mujoco>
XML
echo '<mujocoinclude><body name="p" pos="1 0 0"><freejoint/><geom size="0.1" mass="-1"/></body></mujocoinclude>' >part.xml
expect 2 import whole.xml
says err "part.xml:1:55: attribute 'mass' of <geom> must not be negative"
sed 's/-1/1/' part.xml >ok.xml
sed 's/part.xml/ok.xml/' whole.xml >ok-whole.xml
expect 0 import ok-whole.xml
says out "ok-whole.xml:2: <unknown> has no counterpart and is left out"
echo '<mujocoinclude><include file="whole.xml"/></mujocoinclude>' >part.xml
expect 2 import whole.xml
says err "part.xml:1:16: file"
says err "is included a second time"
{
    echo '<!DOCTYPE m [<!ENTITY a "aaaaaaaaaa">'
    for i in b c d e f g h i j; do echo "<!ENTITY $i '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>"; done
    echo ']><mujoco model="&j;"/>'
} >bomb.xml
expect 2 run bomb.xml
says err "bomb.xml:1:"
says err "entity declarations are not accepted"
echo '<mujoco><asset><mesh name="m" file="no.stl"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>' >mesh.xml
expect 2 check mesh.xml
says err "mesh.xml:1:16: file 'no.stl' is not there"

exit $((failures > 0))
