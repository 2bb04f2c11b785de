/** Each accepted form of an API key, for integrators. */
export const KEY_FORMS =
  '`authorization: Basic <key>` with the key as it is, `authorization: Bearer <key>`, or the user name without a password as `curl -u <key>:` sends it';
