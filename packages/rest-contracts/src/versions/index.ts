// Releases of the REST API, their breaking changes, and the conversion of bodies between them.
export { LATEST_RELEASE, type Release, RELEASES, resolveVersion } from './versions.js';
export { toLatestShape, toOlderShape } from './older-shapes.js';
