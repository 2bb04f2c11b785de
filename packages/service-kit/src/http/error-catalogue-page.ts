import { cataloguePage } from '@pos/rest-contracts/problems/error-catalogue';
import { CATALOGUE_PATH } from '@pos/rest-contracts/problems/problems';
import type { Page } from './pages.js';

/** The error catalogue, which the member `documentation` of every problem links to. It loads nothing else. */
export const ERROR_CATALOGUE_PAGE: Page = {
  path: CATALOGUE_PATH,
  text: cataloguePage(),
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  },
};
