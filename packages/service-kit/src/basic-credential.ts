/** Keys and customer secrets are shorter. */
const LENGTH_MAX = 500;

/** What stands literally behind the word `Basic` and one space in the header `authorization`, or null. */
export function basicCredential(authorization: string | undefined): string | null {
  const credential = /^Basic ([^\s]+)$/i.exec(authorization ?? '')?.[1] ?? '';
  return credential.length >= 1 && credential.length <= LENGTH_MAX ? credential : null;
}
