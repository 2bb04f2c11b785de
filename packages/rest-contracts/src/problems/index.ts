// Problem details of failed requests: reasons, statuses, advice on retries, and the error pages.
export {
  CATALOGUE_PATH,
  presentProblem,
  PROBLEM_REASONS,
  PROBLEM_STATUSES,
  problemCode,
  type ProblemReason,
  PROBLEMS_BY_REASON,
  reasonsWithStatus,
} from './problems.js';
export { ERROR_CATALOGUE } from './error-catalogue.js';
export { listReasons } from './operation-reasons.js';
export { describeRepeat, findRepeatRule, type RepeatRule } from './repeat-advice.js';
export { renderCatalogue, renderReason } from './error-pages.js';
export { ERROR_PAGE_STYLE } from './error-page-style.js';
