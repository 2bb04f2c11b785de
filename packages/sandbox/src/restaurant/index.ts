// The simulated restaurant: its menu, and parties with their bills during an evening.
export { type DiningSession, getBillOrEmpty, isPayable } from './restaurant.js';
export { type Dish, DISHES } from './menu.js';
