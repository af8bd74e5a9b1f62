// Ambient occlusion: corners and what lies close together are darker. The scene is drawn into a texture with its depth; then for each
// pixel some points around it say how much of the half-sphere over it is taken (McGuire, Mara and Luebke 2012, "Scalable ambient
// obscurance"), the answer is smoothed over 4 x 4 pixels at the same depth, and the picture is darkened by it.
import * as THREE from 'three';

const vertexShader = `
varying vec2 at;
void main() {
  at = 0.5 * position.xy + 0.5;
  gl_Position = vec4(position.xy, 0.0, 1.0);
}`;

const takenFragment = `
uniform sampler2D depths; uniform mat4 unproject; uniform vec2 pixels; uniform float scale; uniform float radius;
varying vec2 at;
const int count = 14;
vec3 placeAt(vec2 where) {
  vec4 place = unproject * vec4(2.0 * vec3(where, texture2D(depths, where).x) - 1.0, 1.0);
  return place.xyz / place.w;
}
void main() {
  if (texture2D(depths, at).x >= 1.0) { gl_FragColor = vec4(1.0); return; }
  vec3 place = placeAt(at);
  vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
  float reach = min(radius * scale / -place.z, 0.2 * pixels.y);
  float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  float sum = 0.0;
  for (int i = 0; i < count; ++i) {
    float share = (float(i) + 0.5) / float(count);
    float angle = turn + 15.0 * share;
    vec3 way = placeAt(at + reach * share * vec2(cos(angle), sin(angle)) / pixels) - place;
    float square = dot(way, way);
    float near = max(1.0 - square / (radius * radius), 0.0);
    sum += near * near * near * max(dot(way, normal) + 0.004 * place.z, 0.0) * radius / (square + 1e-4 * radius * radius);
  }
  gl_FragColor = vec4(vec3(max(1.0 - 1.1 * sum / float(count), 0.0)), 1.0);
}`;

const composeFragment = `
uniform sampler2D picture; uniform sampler2D taken; uniform sampler2D depths; uniform vec2 pixels;
varying vec2 at;
void main() {
  float own = texture2D(depths, at).x;
  float sum = 0.0, weights = 0.0;
  for (int i = 0; i < 16; ++i) {
    vec2 there = at + (vec2(float(i % 4), float(i / 4)) - 1.5) / pixels;
    float weight = 1.0 / (1.0 + 4000.0 * abs(texture2D(depths, there).x - own) / max(1.0 - own, 1e-6) * 0.002) ;
    sum += weight * texture2D(taken, there).x;
    weights += weight;
  }
  gl_FragColor = vec4(texture2D(picture, at).rgb * (sum / weights), 1.0);
  #include <colorspace_fragment>
}`;

export class Occlusion {
  private readonly picture: THREE.WebGLRenderTarget;
  private readonly taken: THREE.WebGLRenderTarget;
  private readonly find: THREE.ShaderMaterial;
  private readonly compose: THREE.ShaderMaterial;
  private readonly screen: THREE.Mesh;
  private readonly flat = new THREE.Camera();

  constructor(private readonly renderer: THREE.WebGLRenderer, private readonly radius: () => number, samples: number) {
    this.picture = new THREE.WebGLRenderTarget(1, 1, { type: THREE.HalfFloatType, samples, depthTexture: new THREE.DepthTexture(1, 1) });
    this.taken = new THREE.WebGLRenderTarget(1, 1, { depthBuffer: false });
    const pass = (fragmentShader: string, uniforms: Record<string, unknown>): THREE.ShaderMaterial => new THREE.ShaderMaterial({
      vertexShader, fragmentShader, depthTest: false, depthWrite: false,
      uniforms: Object.fromEntries(Object.entries(uniforms).map(([name, value]) => [name, { value }])),
    });
    const depths = this.picture.depthTexture;
    this.find = pass(takenFragment, { depths, unproject: new THREE.Matrix4(), pixels: new THREE.Vector2(), scale: 1, radius: 1 });
    this.compose = pass(composeFragment, { picture: this.picture.texture, taken: this.taken.texture, depths, pixels: new THREE.Vector2() });
    this.screen = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), this.find);
    this.screen.frustumCulled = false;
  }

  /** Whether this browser can draw into textures of more than eight bits. */
  static possible(renderer: THREE.WebGLRenderer): boolean {
    return renderer.extensions.has('EXT_color_buffer_float') || renderer.extensions.has('EXT_color_buffer_half_float');
  }

  draw(world: THREE.Scene, camera: THREE.PerspectiveCamera): void {
    const { width, height } = this.renderer.getDrawingBufferSize(new THREE.Vector2());
    this.picture.setSize(width, height);
    this.taken.setSize(Math.ceil(width / 2), Math.ceil(height / 2));
    this.renderer.setRenderTarget(this.picture);
    this.renderer.clear();
    this.renderer.render(world, camera);
    const { unproject, pixels, scale, radius } = this.find.uniforms;
    unproject.value = camera.projectionMatrixInverse;
    pixels.value.set(this.taken.width, this.taken.height);
    this.compose.uniforms.pixels.value.set(this.taken.width, this.taken.height);
    scale.value = 0.5 * this.taken.height * camera.projectionMatrix.elements[5];
    radius.value = this.radius();
    this.pass(this.find, this.taken);
    this.pass(this.compose, null);
  }

  private pass(material: THREE.ShaderMaterial, target: THREE.WebGLRenderTarget | null): void {
    this.screen.material = material;
    this.renderer.setRenderTarget(target);
    this.renderer.render(this.screen, this.flat);
  }
}
