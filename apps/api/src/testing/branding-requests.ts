import type { AcceptedRequest } from './money-requests.js';

/** An accepted request for each operation on the look of the payment page. */
export function createBrandingRequests(): Readonly<Record<string, () => Promise<AcceptedRequest>>> {
  return {
    getBranding: () => Promise.resolve({ path: '/branding' }),
    changeBranding: () =>
      Promise.resolve({
        path: '/branding',
        body: { accentColor: '#7a1f3d' },
        invalid: { body: { accentColor: 'purple', font: 'papyrus' } },
      }),
  };
}
