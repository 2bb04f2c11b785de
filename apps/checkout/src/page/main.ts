import { Checkout } from './checkout.js';
import { createGoneView } from './views.js';
import { parseIntentKind } from './intent.js';
import { readEndpoints } from './endpoints.js';
import { PaymentClient } from './payment-client.js';

const mainElement = document.querySelector('main');
const id = decodeURIComponent(location.pathname.split('/').findLast((part) => part !== '') ?? '');
const kind = parseIntentKind(id);
if (mainElement !== null && kind !== null) {
  await new Checkout(mainElement, new PaymentClient(readEndpoints(), { kind, id }), readEndpoints()).open();
} else if (mainElement !== null) {
  mainElement.replaceChildren(createGoneView());
  mainElement.removeAttribute('aria-busy');
}
