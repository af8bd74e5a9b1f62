// Behind a spatial scene: a sky that is lightest at the horizon, where the floor fades into it.
import * as THREE from 'three';
import type { SkyColours } from './theme.ts';

const vertexShader = `
varying vec3 direction;
void main() {
  vec4 seen = inverse(projectionMatrix) * vec4(position.xy, 1.0, 1.0);
  direction = transpose(mat3(viewMatrix)) * (seen.xyz / seen.w);
  gl_Position = vec4(position.xy, 1.0, 1.0);
}`;
const fragmentShader = `
uniform vec3 up; uniform vec3 horizon; uniform vec3 zenith; uniform vec3 nadir;
varying vec3 direction;
void main() {
  float height = dot(normalize(direction), up);
  vec3 colour = height > 0.0 ? mix(horizon, zenith, smoothstep(0.0, 0.7, height)) : mix(horizon, nadir, smoothstep(0.0, 0.5, -height));
  gl_FragColor = vec4(colour, 1.0);
  #include <colorspace_fragment>
}`;

export class Sky {
  readonly object: THREE.Mesh;
  private readonly uniforms: Record<'up' | keyof SkyColours, { value: THREE.Vector3 | THREE.Color }>;

  constructor(up: THREE.Vector3) {
    this.uniforms = {
      up: { value: up.clone() }, horizon: { value: new THREE.Color() }, zenith: { value: new THREE.Color() }, nadir: { value: new THREE.Color() },
    };
    const triangle = new THREE.BufferGeometry();
    triangle.setAttribute('position', new THREE.Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3));
    const material = new THREE.ShaderMaterial({ vertexShader, fragmentShader, uniforms: this.uniforms, depthTest: false, depthWrite: false });
    this.object = new THREE.Mesh(triangle, material);
    this.object.frustumCulled = false;
    this.object.renderOrder = -10;
  }

  setColours(colours: SkyColours): void {
    for (const name of ['horizon', 'zenith', 'nadir'] as const) (this.uniforms[name].value as THREE.Color).set(colours[name]);
  }
}
