import { element } from './elements.js';

/** An input with its name above it. */
export function labelled(text: string, input: HTMLElement): HTMLLabelElement {
  return element('label', {}, [text, input]);
}
