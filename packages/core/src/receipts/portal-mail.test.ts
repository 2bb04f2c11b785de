import { expect, test } from '@jest/globals';
import { createPortalMail } from './portal-mail.js';

const MOMENT = new Date('2026-03-01T12:34:56.000Z');

test('the mail about a lock says until when, from where, and what to do, in both languages', () => {
  const { subject, text } = createPortalMail({ kind: 'locked', untilAt: MOMENT, networkAddress: '192.0.2.7' });
  expect(subject).toBe('Sign-in to the portal is locked / Anmeldung am Portal gesperrt');
  expect(text).toContain('the last time from 192.0.2.7.');
  expect(text).toContain('locked until 2026-03-01 12:34 UTC');
  expect(text).toContain('zuletzt von 192.0.2.7.');
  expect(text).toContain('bis 2026-03-01 12:34 UTC gesperrt');
});

test('the mail about a change of the password says when and from where', () => {
  const { text } = createPortalMail({ kind: 'passwordChanged', at: MOMENT, networkAddress: null });
  expect(text).toContain('was changed on 2026-03-01 12:34 UTC. All other sessions have ended.');
  expect(text).toContain('wurde am 2026-03-01 12:34 UTC geändert.');
});

test('nothing of a mail is markup', () => {
  const { html } = createPortalMail({ kind: 'passwordChanged', at: MOMENT, networkAddress: '<b>&' });
  expect(html).toContain('from &lt;b&gt;&amp;.');
  expect(html).not.toContain('<b>');
});
