// REST operations for orders that are paid before the EPOS has them.
export { getOrderPlacement, listOrderPlacements, type OrderPlacement, submitOrder } from './order-placements.js';
