import { createElement } from '../elements/element.js';
import type { CardFrame } from '../instruments/card-frame.js';
import type { TextName } from '../texts/english.js';
import { getText } from '../texts/texts.js';

/** Names of test cards that the vault's frame knows. Their numbers are never in this page. */
const TEST_CARDS = {
  approved: 'testApproved',
  amex: 'testAmex',
  challenge: 'testChallenge',
  declined: 'testDeclined',
  failed: 'testFailed',
} as const satisfies Readonly<Record<string, TextName>>;

/** Says that no money moves, and offers test cards; null for production. */
export function createSandboxRibbon(intentId: string, cardFields: CardFrame | null): HTMLElement | null {
  if (!/^[ps]i_sandbox_/.test(intentId)) return null;
  return createElement('aside', { class: 'ribbon no-print', 'aria-label': getText('sandbox') }, [
    createElement('p', {}, [createElement('strong', {}, [getText('sandbox')]), getText('sandboxText')]),
    cardFields && createCardMenu(cardFields),
  ]);
}

function createCardMenu(cardFields: CardFrame): HTMLElement {
  const buttons = Object.entries(TEST_CARDS).map(([name, text]) => {
    const button = createElement('button', { type: 'button' }, [getText(text)]);
    button.addEventListener('click', () => {
      cardFields.fillTestCard(name);
      menu.open = false;
    });
    return createElement('li', {}, [button]);
  });
  const menu = createElement('details', {}, [
    createElement('summary', {}, [getText('testCards')]),
    createElement('ul', {}, buttons),
  ]);
  return menu;
}
