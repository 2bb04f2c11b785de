import { UsageError } from '@pos/conformance/command';
import { z } from 'zod';

const Card = z
  .strictObject({
    number: z.string().regex(/^\d{12,19}$/, 'is not 12 to 19 digits'),
    expiryMonth: z.int().min(1).max(12),
    expiryYear: z.int().min(2000).max(9999),
    cv2: z.string().regex(/^\d{0,4}$/, 'is not up to four digits'),
    cardholderName: z.string().max(100),
    /** Minor units that make the processor behave so, where the amount decides and not the card. */
    amount: z.int().min(1).max(100_000_000).optional(),
  })
  .describe('A test card of the processor.');

const Currency = z.string().regex(/^[A-Z]{3}$/, 'is not three capital letters');

/** What the processor of an adapter needs as test data. The partner writes it as JSON. */
const Profile = z.strictObject({
  merchantId: z.string().min(1).max(64),
  /** A merchant that the processor does not know; null: it knows all. */
  unknownMerchantId: z.string().min(1).max(64).nullable(),
  /** The first is that of all payments; the others are tried once. */
  currencies: z.array(Currency).min(1).max(20),
  /** Minor units of an ordinary payment. Parts and small multiples of it are used, too. */
  amount: z.int().min(10).max(1_000_000),
  cards: z.strictObject({
    approves: Card,
    /** A second card that approves. */
    approvesToo: Card,
    declines: Card,
    /** Approves after the call has ended without an outcome; null: the processor has none. */
    approvesLate: Card.nullable(),
    challenges: Card.nullable(),
  }),
  /** How long a late decision takes at most. */
  lateSeconds: z.int().min(1).max(3_600),
  /** The `pa_res` of a passed and of a failed challenge; null: challenges cannot be completed by a program. */
  challengeAnswers: z.strictObject({ passed: z.string().min(1), failed: z.string().min(1) }).nullable(),
});

export type Profile = z.output<typeof Profile>;
export type ProfileCard = z.output<typeof Card>;

/** Reads the text of a profile file. Throws UsageError, which names every wrong member. */
export function parseProfile(file: string, text: string): Profile {
  const parsed = Profile.safeParse(readJson(file, text));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the profile'}: ${message}`);
  throw new UsageError(`--profile ${file}: ${problems.join('; ')}`);
}

function readJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`--profile ${file} is no JSON`);
  }
}
