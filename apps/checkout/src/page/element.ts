type Attributes = Readonly<Record<string, string | boolean | null>>;
type Child = Node | string | null;

/**
 * A piece of the page. What it says is always text: nothing an integrator or a payer wrote is ever read as HTML.
 * An attribute that is false or null is left out.
 */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes,
  children: readonly Child[] = [],
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) created.setAttribute(name, value === true ? '' : value);
  }
  created.append(...children.filter((child) => child !== null));
  return created;
}
