import type { START_TEXTS } from './start-texts.js';

/** The German texts of the start page. */
export const START_TEXTS_GERMAN: Readonly<Record<keyof typeof START_TEXTS, string>> = {
  title: 'Sandbox',
  heading: 'Ein Restaurant zum Ausprobieren',
  intro: 'Alles hier ist simuliert: Karten, Bank und Küche. Es fließt kein Geld.',
  payNow: 'Kartenzahlung annehmen',
  payNowHelp: 'Ein Gast von {name} möchte zahlen. Noch zwei Schritte.',
  waiter: 'Bedienung',
  waiterHelp: 'Ein Kartenterminal mit Tischen, Rechnungen, Teilen und Trinkgeld.',
  kitchen: 'Küche',
  kitchenHelp: 'Die Kasse des Restaurants: Tische, Rechnungen, verbuchte Zahlungen.',
  restaurants: 'Restaurants',
  restaurantsHelp: 'Jedes ist anders mit dem Dienst verbunden.',
  eposOnline: 'Kasse verbunden',
  eposDialled: 'Kasse wird gerufen',
  machines: 'Kartenterminals von {name}',
  machineHelp: 'Solange seine Seite offen ist, bedienen Sie ein Terminal. Sonst arbeitet es allein, nach seinem Namen.',
  documentation: 'Dokumentation',
  empty: 'Es gibt noch kein Restaurant',
  emptyHelp: 'Starten Sie die Sandbox mit npm start.',
  loading: 'Wird geladen',
};
