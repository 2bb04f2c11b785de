// Simulated card machines that connect to a gateway, and the ten models with their scripted behaviour.
export { ConnectedMachine } from './connected-machine.js';
export { MACHINE_MODELS, MACHINE_RESULTS } from './machine-script.js';
