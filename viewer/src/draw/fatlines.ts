// Lines wider than the one pixel that WebGL draws.
import * as THREE from 'three';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import { LineSegments2 } from 'three/examples/jsm/lines/LineSegments2.js';
import { LineSegmentsGeometry } from 'three/examples/jsm/lines/LineSegmentsGeometry.js';

export class FatLines {
  readonly object: LineSegments2;

  constructor(colour: THREE.ColorRepresentation, pixels: number, depthTest = true) {
    const material = new LineMaterial({ color: colour, linewidth: pixels, depthTest });
    this.object = new LineSegments2(new LineSegmentsGeometry(), material);
    this.object.frustumCulled = false;
    this.object.visible = false;
  }

  setColour(colour: THREE.ColorRepresentation): void {
    this.object.material.color.set(colour);
  }

  /** Pairs of points, six numbers a line. */
  set(coordinates: ArrayLike<number>): void {
    this.object.visible = coordinates.length > 0;
    if (!this.object.visible) return;
    this.object.geometry.dispose();
    this.object.geometry = new LineSegmentsGeometry();
    this.object.geometry.setPositions(Float32Array.from(coordinates));
  }
}
