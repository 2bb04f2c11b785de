import { CardFrame } from './card-frame.js';
import { noWayFace } from './faces.js';
import type { Intent } from './intent.js';
import type { OfferedCard, ShownMeans } from './means.js';
import { PayForm } from './pay-form.js';
import type { Places } from './places.js';
import { SavedCards } from './saved-cards.js';
import type { Service } from './service.js';
import { type Ways, waysOf } from './ways.js';

type Acts = ConstructorParameters<typeof PayForm>[2];

/** Makes the form of an intent, with every means by which this payer may pay it. */
export class Offer {
  constructor(
    private readonly service: Service,
    private readonly places: Places,
    private readonly actsOf: (form: () => PayForm) => Acts,
  ) {}

  /** The form; or what to say where the intent can be paid in no way that this page has. */
  async make(intent: Intent): Promise<PayForm | HTMLElement> {
    const ways = waysOf(intent, this.places.walletSheet);
    const offered = ways.savedCard ? await this.service.readOffered() : [];
    if (!ways.card && ways.wallets.length === 0 && offered.length === 0) return noWayFace(intent);
    const form: PayForm = new PayForm(
      intent,
      { ways, shown: this.#shown(ways, offered, () => form) },
      this.actsOf(() => form),
    );
    return form;
  }

  #shown(ways: Ways, offered: readonly OfferedCard[], form: () => PayForm): ShownMeans | null {
    const onEnter = (): void => form().enter();
    const typed = ways.card ? new CardFrame({ address: this.places.cardFrame, title: 'Card details' }, onEnter) : null;
    if (offered.length === 0) return typed;
    let isMade = false;
    const saved = new SavedCards({
      ...{ offered, typed, reread: () => this.service.readOffered(offered) },
      code: new CardFrame({ address: this.places.savedCardFrame, title: 'Security code' }, onEnter),
      onChoice: () => {
        if (isMade) form().follow();
      },
    });
    isMade = true;
    return saved;
  }
}
