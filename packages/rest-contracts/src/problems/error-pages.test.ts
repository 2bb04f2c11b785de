import { describe, expect, test } from '@jest/globals';
import { CARD_VAULT_OPERATIONS } from '../card-vault/client-payments.js';
import { API_OPERATIONS } from '../operations/operations.js';
import { ERROR_CATALOGUE } from './error-catalogue.js';
import { ERROR_PAGE_STYLE } from './error-page-style.js';
import { renderCatalogue, renderReason } from './error-pages.js';
import { Problem, PROBLEM_REASONS } from './problems.js';
import { describeRepeat, findRepeatRule } from './repeat-advice.js';

const CONTEXT = { stylePath: '/errors/errors.css', operations: API_OPERATIONS };

function readExample(page: string): unknown {
  const [, json = ''] = /<pre[^>]*><code>(.*)<\/code><\/pre>/s.exec(page) ?? [];
  const text = json.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return JSON.parse(text);
}

describe('the page of a reason', () => {
  test.each(ERROR_CATALOGUE.map((entry) => [entry.reason, entry] as const))('%s', (reason, entry) => {
    const page = renderReason(reason, CONTEXT) ?? '';
    expect(page).toContain(`<h1><code>${reason}</code></h1>`);
    expect(page).toContain(`<p class="status">${entry.status} `);
    const example = Problem.parse(readExample(page));
    expect([example.reason, example.status]).toEqual([reason, entry.status]);
    // The member of released problems stays as it is; the row that it names links to this page.
    expect(example.documentation).toBe(`/errors#${reason}`);
    expect(renderCatalogue(CONTEXT)).toContain(`<a href="/errors/${reason}">`);
  });

  test('lists the operations of the server that can answer it', () => {
    const page = renderReason('not_capturable', CONTEXT);
    expect(page).toContain('<code>POST /payment-intents/{paymentIntentId}/captures</code>');
    expect(page).not.toContain('<code>POST /payment-intents/{paymentIntentId}/refunds</code>');
    expect(renderReason('client_secret_invalid', { ...CONTEXT, operations: CARD_VAULT_OPERATIONS })).toContain(
      '<code>POST /client/payments</code>',
    );
  });

  test('has no list where the server has no such operation', () => {
    expect(renderReason('client_secret_invalid', CONTEXT)).not.toContain('Operations that can answer it');
    expect(renderReason('not_capturable', { ...CONTEXT, operations: [] })).not.toContain('<ul>');
  });

  test.each(['', 'NOT_CAPTURABLE', 'not_capturable ', '__proto__', 'constructor', '<script>'])(
    'does not exist for %p',
    (reason) => {
      expect(renderReason(reason, CONTEXT)).toBeNull();
    },
  );
});

test('pages contain no script, no inline style and nothing of another server', () => {
  for (const reason of PROBLEM_REASONS) {
    expect(renderReason(reason, CONTEXT)).not.toMatch(/<script|<style|\sstyle=|\son\w+=|(?:src|href)="(?!\/errors)/);
  }
  expect(ERROR_PAGE_STYLE).not.toMatch(/url\(|@import/);
});

describe('a request may be repeated', () => {
  test.each([
    // reason                    rule
    ['rate_limited', 'afterWait'],
    ['idempotency_in_progress', 'afterWait'],
    ['service_unavailable', 'afterWait'],
    ['acquirer_unanswered', 'sameKey'],
    ['commit_unknown', 'sameKey'],
    ['internal_error', 'sameKey'],
    ['request_timeout', 'sameKey'],
    ['capture_refused', 'newKey'],
    ['refund_refused', 'newKey'],
    ['validation_failed', 'afterChange'],
    ['payment_intent_busy', 'afterChange'],
    ['idempotency_key_reused', 'afterChange'],
    ['unauthenticated', 'afterChange'],
  ] as const)('after %s: %s', (reason, rule) => {
    expect(findRepeatRule(reason)).toBe(rule);
    expect(renderReason(reason, CONTEXT)).toContain(describeRepeat(reason).replaceAll(/`([^`]*)`/g, '<code>$1</code>'));
  });
});
