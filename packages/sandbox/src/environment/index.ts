// The simulated environment: accounts with their machines, their EPOS and the acquirer.
export {
  type AccountSimulation,
  type EposSocketKind,
  type SimulatedAccount,
  SimulatedEnvironment,
  type SimulatedEposOptions,
} from './simulated-environment.js';
