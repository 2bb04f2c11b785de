// `@jest/globals` for tests that Node imports. Modules that several test files import stay loaded, so the exports change
// with the test file that runs.
export let afterAll;
export let afterEach;
export let beforeAll;
export let beforeEach;
export let describe;
export let expect;
export let it;
export let jest;
export let test;

export function setGlobals(globals) {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
