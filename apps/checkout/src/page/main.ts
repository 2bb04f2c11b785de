import { Checkout } from './checkout.js';
import { readServiceUrls } from './service/service-urls.js';
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
  const services = readServiceUrls();
  void new Checkout(mainElement, new PaymentClient(services, { kind, id }), services).open();
} else if (mainElement !== null) {
  mainElement.replaceChildren(createGoneView());
  mainElement.removeAttribute('aria-busy');
}
