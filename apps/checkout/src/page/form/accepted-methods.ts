import { SCHEME_NAMES } from '@pos/web-ui/format';
import { createElement } from '../elements/element.js';
import { listSchemes, type AvailableMethods } from '../service/available-methods.js';
import type { Intent } from '../service/intent.js';
import { WALLET_NAMES } from '../texts/display-names.js';
import { getText } from '../texts/texts.js';

/** The accepted payment methods. */
export function createAcceptedText(intent: Intent, methods: AvailableMethods): HTMLElement {
  const names = [
    ...listSchemes(intent, methods).map((scheme) => SCHEME_NAMES[scheme]),
    ...methods.wallets.map((wallet) => WALLET_NAMES[wallet]),
  ];
  return createElement('p', { class: 'quiet', id: 'accepted' }, [getText('accepted', { names: names.join(', ') })]);
}
