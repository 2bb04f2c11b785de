// Leak scans of files: card numbers, CV2s, keys and secrets that must not be stored in clear text.
export { createPartBuffer, type FileLeak, formatLeak, listFiles, scanFile, scanFolder } from './file-leaks.js';
export { createFullScan } from './full-leak-scan.js';
