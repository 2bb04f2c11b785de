// The end of a hold: what is left is captured or released when its time is over.
export { Holds } from './holds.js';
