type Attributes = Readonly<Record<string, string | boolean | null>>;
type Child = Node | string | null;

/** The base of custom elements. Servers that render pages may import this package, and have no elements. */
export const ElementBase =
  (globalThis.HTMLElement as typeof HTMLElement | undefined) ?? (Object as unknown as typeof HTMLElement);

/**
 * Creates an element. Children are always text or nodes, so no value is parsed as HTML. An attribute with the value false or
 * null is omitted.
 */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  children: readonly Child[] = [],
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) created.setAttribute(name, value === true ? '' : value);
  }
  created.append(...children.filter((child) => child !== null));
  return created;
}

/** Creates a button that calls the listener. */
export function createButton(label: string, className: string, onClick: () => void): HTMLButtonElement {
  const button = createElement('button', { type: 'button', class: className }, [label]);
  button.addEventListener('click', onClick);
  return button;
}

/** Registers a custom element once, also if two copies of this package are on a page. */
export function defineElement(name: string, element: CustomElementConstructor): void {
  if (customElements.get(name) === undefined) customElements.define(name, element);
}
