// @boundaries-ignore one jest setup for the whole repository
export { default } from '../../jest.config.base.js';
