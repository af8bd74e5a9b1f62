// Instances of one geometry, in a number that changes from frame to frame.
import * as THREE from 'three';

/** An instanced mesh that grows with what it has to hold. */
export class Pool {
  mesh: THREE.InstancedMesh;

  constructor(private readonly parent: THREE.Group, private readonly geometry: THREE.BufferGeometry, private readonly material: THREE.Material) {
    this.mesh = this.make(64);
  }

  begin(most: number): void {
    if (most > this.mesh.instanceMatrix.count) {
      this.parent.remove(this.mesh);
      this.mesh.dispose();
      this.mesh = this.make(Math.ceil(most * 1.3));
    }
    this.mesh.count = 0;
  }

  add(matrix: THREE.Matrix4, colour: THREE.Color): void {
    this.mesh.setMatrixAt(this.mesh.count, matrix);
    this.mesh.setColorAt(this.mesh.count, colour);
    ++this.mesh.count;
  }

  end(): void {
    this.mesh.visible = this.mesh.count > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }

  private make(capacity: number): THREE.InstancedMesh {
    const mesh = new THREE.InstancedMesh(this.geometry, this.material, capacity);
    mesh.instanceColor = new THREE.InstancedBufferAttribute(new Float32Array(capacity * 3), 3);
    mesh.frustumCulled = false;
    this.parent.add(mesh);
    return mesh;
  }
}
