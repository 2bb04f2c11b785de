/** A number of the sandbox, one that only the issuer's first digits reveal, and one of 15 digits. */
export const KNOWN = '4456530000091014';
export const STRANGER = '4456530123456789';
export const SHORT = '374000000009108';
/** Numbers of Diners Club that are no published examples: found by their ranges alone. */
const DINERS = ['30012345678907', '30512345678906', '36123456789013', '38123456789011', '39123456789010'] as const;

const TOKEN = 'aB3_'.repeat(40);
export const KEY = `sk_sandbox_${TOKEN.slice(0, 43)}`;
const SECRET_ID = 'cs_sandbox_AaH8KwlxavakGwZZljrhYw';
export const CUSTOMER_SECRET = `${SECRET_ID}_${TOKEN.slice(0, 64)}`;
export const CLIENT_SECRET = `AQAA${TOKEN.slice(0, 154)}==`;

const inBase64 = (before: string, number: string): string => Buffer.from(`${before}${number}", "`).toString('base64');

/** A text or bytes, and the kind and form in which it is found. */
export const FOUND_LEAKS: readonly (readonly [string, string | Buffer, string])[] = [
  ['a number alone', KNOWN, 'card number plain'],
  ['one of the same issuer', `card ${STRANGER}.`, 'card number plain'],
  ['a number of 15 digits', SHORT, 'card number plain'],
  ['a number in groups', `4456 5300 0009 1014`, 'card number plain'],
  ['a number with dashes', `5200-0000-0000-0056`, 'card number plain'],
  ['a number in the groups of its scheme', '3740 000000 09108', 'card number plain'],
  ['a number of 14 digits, its groups parted by dots', '4456.530123.4563', 'card number plain'],
  ['a number of 14 digits, its groups parted by strokes', '4456.530123.4563', 'card number plain'],
  ['a number and a date in the next group', '4456 5300 0009 1014 12/32', 'card number plain'],
  ['a known number between digits', `17${KNOWN}12`, 'card number plain'],
  ['a number as a JSON member', `{"note":"${STRANGER}"}`, 'card number plain'],
  ['a number after a byte of a row', Buffer.concat([Buffer.from([35]), Buffer.from(STRANGER)]), 'card number plain'],
  ['a number in UTF-16', Buffer.from(STRANGER, 'utf16le'), 'card number utf-16'],
  ['a number in big-endian UTF-16', Buffer.from(STRANGER, 'utf16le').swap16(), 'card number utf-16'],
  ['a number at the start of base64', inBase64('', STRANGER), 'card number base64'],
  ['a number one byte into base64', inBase64('"', STRANGER), 'card number base64'],
  ['a number two bytes into base64', inBase64('ab', STRANGER), 'card number base64'],
  ['a number in groups in base64', inBase64('abcd', '4456 5301 2345 6789'), 'card number base64'],
  ['a number with dashes in base64', inBase64('abcd', '4456-5301-2345-6789'), 'card number base64'],
  ['packed digits', Buffer.from(`00${KNOWN}`, 'hex'), 'card number packed digits'],
  ['15 packed digits', Buffer.from(`${SHORT}f`, 'hex'), 'card number packed digits'],
  ['a whole number', bytes((to) => to.writeBigInt64LE(BigInt(KNOWN))), 'card number a whole number'],
  [
    'a whole number, the high byte first',
    bytes((to) => to.writeBigInt64BE(BigInt(KNOWN))),
    'card number a whole number',
  ],
  ['a floating number', bytes((to) => to.writeDoubleLE(Number(KNOWN))), 'card number a floating number'],
  ['a number of a JSON document in a table', Buffer.from('6811b4140900f603', 'hex'), 'card number numeric'],
  ...DINERS.flatMap((number): (readonly [string, string | Buffer, string])[] => [
    [`${number} of Diners Club`, `"card": "${number}"`, 'card number plain'],
    [`${number} at the end of a sentence`, `it was ${number}.`, 'card number plain'],
    [`${number} in the groups of its scheme`, number.replace(/(.{4})(.{6})/, '$1 $2 '), 'card number plain'],
    [`${number} with dashes and a date`, number.replace(/(.{4})(.{6})/, '$1-$2-') + ' 12/32', 'card number plain'],
    [`${number} in UTF-16`, Buffer.from(number, 'utf16le'), 'card number utf-16'],
    [`${number} in big-endian UTF-16`, Buffer.from(number, 'utf16le').swap16(), 'card number utf-16'],
    ...['', '"', ': '].map(
      (before) => [`${number} after ${before} in base64`, inBase64(before, number), 'card number base64'] as const,
    ),
  ]),
  ['an example of Diners Club, packed', Buffer.from('00385200000232370f', 'hex'), 'card number packed digits'],
  ['a CV2 as a member', '{"cV2":"020"}', 'CV2 plain'],
  ['a CV2 of four digits', '{"CVV": "1234"}', 'CV2 plain'],
  ['a CV2 as a number', '{"cvc":123}', 'CV2 plain'],
  ['a CV2 under its longer name', '{"cvv2":"123"}', 'CV2 plain'],
  ['a CV2 in JSON in JSON', String.raw`{"body":"{\"cV2\":\"020\"}"}`, 'CV2 plain'],
  ['a CV2 of a form', 'cardName=A&cV2=020&x=1', 'CV2 plain'],
  ['a CV2 in an encoded address', '%22cV2%22%3A%22020%22', 'CV2 plain'],
  ['a CV2 in a text', "cv2: '020'", 'CV2 plain'],
  ['a CV2 of a card in a message', Buffer.from('1018ea0f2203303230', 'hex'), 'CV2 message'],
  ['a CV2 of a stored card in a message', Buffer.from('2a036162633203303230', 'hex'), 'CV2 message'],
  ['an API key', `Basic ${KEY}`, 'API key plain'],
  ['an API key of production', `sk_prod_${TOKEN.slice(0, 43)}`, 'API key plain'],
  ['a secret of a customer', `"${CUSTOMER_SECRET}"`, 'customer secret plain'],
  ['a secret of a payer', `"${CLIENT_SECRET}"`, 'client secret plain'],
  ['a secret of a payer in an address', `?s=${CLIENT_SECRET.replace('==', '%3D%3D')}`, 'client secret plain'],
  ['a secret of a webhook', `{"id":"sc_1","value":"${TOKEN.slice(0, 43)}"}`, 'webhook secret plain'],
];

/** Texts that look similar and are no leaks. */
export const NOT_FOUND: readonly (readonly [string, string | Buffer])[] = [
  ['a masked number', '44565300****1014'],
  ['a short masked number', '37****  ****9108'],
  ['a number with another check digit', '4456530000091015'],
  ['a number of an issuer that is not used here', '4012888888881881'],
  ['the middle of a longer number', `1234${STRANGER}`],
  ['14 digits that begin like another issuer’s', '30612345678904'],
  ['a number of Diners Club with another check digit', '38123456789012'],
  ['the fraction of a number', `0.${DINERS[3]}`],
  ['the whole part of a number', `${DINERS[3]}.25`],
  ['a hash in hex', `a${DINERS[3]}f`],
  ['the groups of an amount', '38,123,456,789,011'],
  ['digits of another length', `${DINERS[3]}5`],
  ['digits in the groups of another scheme', '3812 3456 7890 11'],
  ['too few digits', '445653000009'],
  ['digits in several lines', '4456\n5300\n0009\n1014'],
  ['a time in milliseconds', '1763790468123'],
  ['a time in nanoseconds', '1763790468123456789'],
  ['a moment', '2026-03-01T12:00:08.700Z'],
  ['a UUID', '44565300-0009-4014-8111-111111111111'],
  ['an id', 'pi_sandbox_AaH8KwlxavakGwZZljrhYw'],
  ['an id of digits', 'tm_sandbox_445653000009101512345678'],
  ['base64 of another number', inBase64('a', '4456530000091015')],
  ['base64 of a masked number', inBase64('ab', '44565300****1014')],
  ['statistics of columns, whose counter and length are digits', Buffer.from('5100520000000000100500000000', 'hex')],
  ['packed digits of another number', Buffer.from('4456530000091015', 'hex')],
  ['the words for a CV2', '{"cV2":"[cv2]","errors":{"cV2":["3 or 4 digits"]}}'],
  ['no CV2', '{"cV2":null}{"cV2":""}'],
  ['a longer number under the name', '{"cvc":12345}'],
  ['a field of three digits in another message', Buffer.from('10182203303230', 'hex')],
  ['the prefix of a key', 'sk_sandbox_AbCd'],
  ['the id of a customer secret', SECRET_ID],
  ['the id of a webhook secret', '{"value":"sc_AaH8KwlxavakGwZZljrhYw"}'],
  ['a long token', TOKEN],
  ['nothing', ''],
];

function bytes(write: (to: Buffer) => void): Buffer {
  const made = Buffer.alloc(10);
  write(made);
  return made;
}
