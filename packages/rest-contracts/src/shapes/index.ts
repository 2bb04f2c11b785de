// Common shapes of requests and answers: timestamps, amounts, text, API keys, and limits of JSON size.
export { parseMoment, presentMoment, presentMomentOrNone } from './moment.js';
export { KEY_FORMS } from './key-forms.js';
export { present } from './present.js';
export { normalizeBody } from './normal-form.js';
export { isMembers } from './reshape.js';
export { BODY_VALUES_MAX, EPOS_VALUES_MAX, findExcess, findTextMember, hasMoreValuesThan } from './json-size.js';
