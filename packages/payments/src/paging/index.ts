// Pages of lists: opaque cursors of the previous and the next page.
export { buildPageCursors, type PageCursors, type PageQuery, readPosition } from './page-cursors.js';
