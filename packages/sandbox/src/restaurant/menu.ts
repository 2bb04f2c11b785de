/** A dish or drink, priced in minor units, in steps of 50 so that few totals end in digits that mean something to a machine. */
export interface Dish {
  readonly plu: string;
  readonly name: string;
  readonly category: readonly string[];
  readonly price: number;
}

/** A change of a dish; the price is added to that of the dish. */
export interface DishModifier {
  readonly plu: string;
  readonly name: string;
  readonly price: number;
  readonly appliesTo: string;
}

type NonEmptyList<T> = readonly [T, ...T[]];

export const DISHES: NonEmptyList<Dish> = [
  { plu: '101', name: 'Soup of the day', category: ['Food', 'Starters'], price: 650 },
  { plu: '102', name: 'Burrata', category: ['Food', 'Starters'], price: 950 },
  { plu: '103', name: 'Sourdough and butter', category: ['Food', 'Starters'], price: 450 },
  { plu: '201', name: 'Fish and chips', category: ['Food', 'Mains'], price: 1650 },
  { plu: '202', name: 'House burger', category: ['Food', 'Mains'], price: 1550 },
  { plu: '203', name: 'Ribeye steak', category: ['Food', 'Mains'], price: 2800 },
  { plu: '204', name: 'Mushroom risotto', category: ['Food', 'Mains'], price: 1450 },
  { plu: '205', name: 'Caesar salad', category: ['Food', 'Mains'], price: 1250 },
  { plu: '301', name: 'Sticky toffee pudding', category: ['Food', 'Desserts'], price: 750 },
  { plu: '302', name: 'Lemon tart', category: ['Food', 'Desserts'], price: 700 },
  { plu: '401', name: 'Flat white', category: ['Drinks', 'Coffee'], price: 350 },
  { plu: '402', name: 'Espresso', category: ['Drinks', 'Coffee'], price: 250 },
  { plu: '501', name: 'Pint of lager', category: ['Drinks', 'Beer'], price: 600 },
  { plu: '502', name: 'Pint of stout', category: ['Drinks', 'Beer'], price: 650 },
  { plu: '601', name: 'Glass of Rioja', category: ['Drinks', 'Wine'], price: 850 },
  { plu: '602', name: 'Bottle of Chablis', category: ['Drinks', 'Wine'], price: 4200 },
  { plu: '701', name: 'Elderflower fizz', category: ['Drinks', 'Soft drinks'], price: 400 },
];

export const DISH_MODIFIERS: NonEmptyList<DishModifier> = [
  { plu: '901', name: 'Extra cheese', price: 150, appliesTo: '202' },
  { plu: '902', name: 'Bacon', price: 200, appliesTo: '202' },
  { plu: '903', name: 'Peppercorn sauce', price: 250, appliesTo: '203' },
  { plu: '904', name: 'Small plate', price: -300, appliesTo: '204' },
  { plu: '905', name: 'Chicken', price: 350, appliesTo: '205' },
  { plu: '906', name: 'Oat milk', price: 50, appliesTo: '401' },
  { plu: '907', name: 'Mushy peas', price: 200, appliesTo: '201' },
];

export const GUEST_NAMES: NonEmptyList<string> = [
  'Okafor',
  'Lindqvist',
  'Patel',
  'Moreau',
  'Hughes',
  'Rossi',
  'Nakamura',
  'Byrne',
  'Kowalska',
  'Silva',
  'Haddad',
  'Campbell',
];
