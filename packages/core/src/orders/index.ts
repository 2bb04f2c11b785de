// Orders that are paid before the EPOS has them: states and permitted transitions.
export {
  getGiveBackReference,
  isPlacementAlarming,
  isPlacementFinal,
  isPlacementPending,
  type OrderPlacement,
  PLACEMENT_MOVES,
  PLACEMENT_STATES,
  type PlacementAnswer,
  type PlacementCall,
  type PlacementFact,
  type PlacementInput,
  type PlacementNext,
  type PlacementOutput,
  type PlacementState,
  type PlacementStep,
  releaseAt,
  submitOrder,
} from './order-placement.js';
export { stepPlacement } from './order-placement-transitions.js';
