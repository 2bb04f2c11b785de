// Orders that are paid before the EPOS has them: states and permitted transitions.
export {
  getGiveBackReference,
  isPlacementAlarming,
  isPlacementFinal,
  type OrderPlacement,
  PLACEMENT_MOVES,
  PLACEMENT_STATES,
  type PlacementAnswer,
  type PlacementCall,
  type PlacementInput,
  type PlacementNext,
  type PlacementOutput,
  type PlacementState,
  releaseAt,
  submitOrder,
} from './order-placement.js';
export { stepPlacement } from './order-placement-transitions.js';
