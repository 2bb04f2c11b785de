import { createHmac } from 'node:crypto';
import { expect, test } from '@jest/globals';
import {
  createDeliveryHeaders,
  isServiceSignature,
  isStandardSignature,
  signForService,
  signStandardWebhook,
} from './webhook-signature.js';
import { NOON } from '../testing/builders.js';

const BODY =
  '{"id":"evt_hnnHxIKR_Uy6bhZCusCltw","event":"payment_intent.created","accountId":"acc_test","createdAt":"2022-02-01T13:07:41.8667859Z","data":{"paymentIntentId":"pi_vpwd4ooAPEqyNAQe4z89WQ","paymentStatus":"Created","captureMode":"Auto"}}';

const VECTORS = [
  [
    'ws_OYsyzcrH70GpJfs8MMkKpg',
    'sha256=94-AC-93-67-D6-8B-69-6D-15-A2-C2-45-40-98-B5-E7-64-72-38-C5-1F-6D-32-D0-5F-CB-91-20-A9-20-64-F4',
  ],
  [
    'PDYkJQq6sESYHp_zJuTTBQ',
    'sha256=4B-49-F8-FE-25-A7-E6-7D-00-4F-A7-9C-F8-0B-63-00-C7-77-B4-F2-2D-E5-E1-22-84-FA-04-18-50-A1-76-FD',
  ],
] as const;

test.each(VECTORS)('the signature of %s equals the published vector', (secret, header) => {
  expect(Buffer.byteLength(BODY)).toBe(236);
  expect(signForService(secret, BODY)).toBe(header);
  expect(signForService(secret, Buffer.from(BODY))).toBe(header);
  expect(isServiceSignature(header, secret, BODY)).toBe(true);
  expect(header.split('=')).toHaveLength(2);
});

const [SECRET, HEADER] = VECTORS[0];
test.each([
  ['a changed body', HEADER, SECRET, BODY.replace('Created', 'Captured')],
  ['a body with a line end', HEADER, SECRET, `${BODY}\n`],
  ['another secret', HEADER, VECTORS[1][0], BODY],
  ['small letters', HEADER.toLowerCase(), SECRET, BODY],
  ['no hyphens', HEADER.replaceAll('-', ''), SECRET, BODY],
  ['a header cut short', HEADER.slice(0, -1), SECRET, BODY],
  ['no header', '', SECRET, BODY],
])('%s does not verify', (_, header, secret, body) => {
  expect(isServiceSignature(header, secret, body)).toBe(false);
});

test('an attempt has both signatures and its own number', () => {
  const headers = createDeliveryHeaders({
    secret: SECRET,
    eventId: 'evt_hnnHxIKR_Uy6bhZCusCltw',
    deliveryId: 'dlv_1',
    attempt: 3,
    sentAt: NOON,
    body: BODY,
  });
  const mac = createHmac('sha256', SECRET).update(`evt_hnnHxIKR_Uy6bhZCusCltw.1772366400.${BODY}`).digest('base64');
  expect(headers).toEqual({
    'content-type': 'application/json',
    'service-signature': HEADER,
    'delivery-id': 'dlv_1',
    'delivery-attempt': '3',
    'webhook-id': 'evt_hnnHxIKR_Uy6bhZCusCltw',
    'webhook-timestamp': '1772366400',
    'webhook-signature': `v1,${mac}`,
  });
});

test('a replayed body does not verify under another time or id', () => {
  const webhook = { id: 'evt_1', timestamp: 1_772_366_400, body: BODY };
  const header = signStandardWebhook(SECRET, webhook);
  expect(isStandardSignature(`v1,AAAA ${header}`, SECRET, webhook)).toBe(true);
  expect(isStandardSignature(header, SECRET, { ...webhook, timestamp: 1_772_366_401 })).toBe(false);
  expect(isStandardSignature(header, SECRET, { ...webhook, id: 'evt_2' })).toBe(false);
  expect(isStandardSignature(header, 'other', webhook)).toBe(false);
});
