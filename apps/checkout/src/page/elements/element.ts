type Attributes = Readonly<Record<string, string | boolean | null>>;
type Child = Node | string | null;

/**
 * Creates an element. Children are always text or nodes: no value of an integrator or a payer is parsed as HTML.
 * An attribute with the value false or null is omitted.
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
