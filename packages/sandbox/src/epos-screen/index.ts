// The kitchen page of a simulated EPOS, with the switches for its faults.
export { presentEposScreen, setEposSwitches } from './epos-screen.js';
