import { Checkout } from './checkout.js';
import { goneFace } from './faces.js';
import { kindOf } from './intent.js';
import { readPlaces } from './places.js';
import { Service } from './service.js';

const main = document.querySelector('main');
const id = decodeURIComponent(location.pathname.split('/').findLast((part) => part !== '') ?? '');
const kind = kindOf(id);
if (main !== null && kind !== null) {
  await new Checkout(main, new Service(readPlaces(), { kind, id }), readPlaces()).open();
} else if (main !== null) {
  main.replaceChildren(goneFace());
  main.removeAttribute('aria-busy');
}
