import { Checkout } from './checkout.js';
import { readEndpoints } from './service/endpoints.js';
import { parseIntentKind } from './service/intent.js';
import { PaymentClient } from './service/payment-client.js';
import { chooseLocale, setLocale } from './texts/texts.js';
import { applyLanguage } from './branding/branding.js';
import { createGoneView } from './views/end-views.js';

setLocale(chooseLocale(navigator.languages));
applyLanguage();
const mainElement = document.querySelector('main');
const id = decodeURIComponent(location.pathname.split('/').findLast((part) => part !== '') ?? '');
const kind = parseIntentKind(id);
if (mainElement !== null && kind !== null) {
  const endpoints = readEndpoints();
  void new Checkout(mainElement, new PaymentClient(endpoints, { kind, id }), endpoints).open();
} else if (mainElement !== null) {
  mainElement.replaceChildren(createGoneView());
  mainElement.removeAttribute('aria-busy');
}
