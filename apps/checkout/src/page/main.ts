import { Checkout } from './checkout.js';
import { createGoneView } from './faces.js';
import { parseIntentKind } from './intent.js';
import { readEndpoints } from './places.js';
import { PaymentClient } from './service.js';

const mainElement = document.querySelector('main');
const id = decodeURIComponent(location.pathname.split('/').findLast((part) => part !== '') ?? '');
const kind = parseIntentKind(id);
if (mainElement !== null && kind !== null) {
  await new Checkout(mainElement, new PaymentClient(readEndpoints(), { kind, id }), readEndpoints()).open();
} else if (mainElement !== null) {
  mainElement.replaceChildren(createGoneView());
  mainElement.removeAttribute('aria-busy');
}
