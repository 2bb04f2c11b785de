import { createElement } from './element.js';

/** An input with its name above it. */
export function createLabel(text: string, input: HTMLElement): HTMLLabelElement {
  return createElement('label', {}, [text, input]);
}
