import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { normaliseEmail } from '@pos/administration/portal';
import { CONFIG } from '@pos/service-kit/nest';
import type { Config } from '../config/config.js';
import { readCookie } from './session-cookie.js';

const PREFIX = '__Host-pos-portal-device';
/** The longest that browsers keep a cookie. */
const AGE_S = 400 * 86_400;
const ATTRIBUTES = `Max-Age=${AGE_S}; Path=/; Secure; HttpOnly; SameSite=Strict`;
const ID_BYTES = 16;
const NAME_LENGTH = 12;

/**
 * Marks a browser in which a user has signed in by password. It opens nothing: its wrong passwords are counted apart, so
 * that a stranger who locks the user elsewhere does not keep the user out. A user of a shared browser has an own cookie.
 */
@Injectable()
export class DeviceCookies {
  readonly #key: Buffer;

  constructor(@Inject(CONFIG) { PORTAL_KEY }: Config) {
    this.#key = createHmac('sha256', PORTAL_KEY.reveal()).update('known browsers').digest();
  }

  /** The id of this browser for the user with this address; null for an unknown browser and a changed cookie. */
  read(headers: Pick<IncomingHttpHeaders, 'cookie'>, email: string): string | null {
    const [id = '', signature = ''] = readCookie(headers, formatName(email))?.split('.') ?? [];
    const [expected, sent] = [Buffer.from(this.#sign(id, email)), Buffer.from(signature)];
    return expected.length === sent.length && timingSafeEqual(expected, sent) ? id : null;
  }

  /** The header `set-cookie` after a sign-in; `id` null for a browser that was unknown. */
  formatCookie(email: string, id: string | null): string {
    const known = id ?? randomBytes(ID_BYTES).toString('base64url');
    return `${formatName(email)}=${known}.${this.#sign(known, email)}; ${ATTRIBUTES}`;
  }

  #sign(id: string, email: string): string {
    return createHmac('sha256', this.#key)
      .update(`${id} ${normaliseEmail(email)}`)
      .digest('base64url');
  }
}

/** The address of a user is in no cookie. */
function formatName(email: string): string {
  return `${PREFIX}-${createHash('sha256').update(normaliseEmail(email)).digest('hex').slice(0, NAME_LENGTH)}`;
}
