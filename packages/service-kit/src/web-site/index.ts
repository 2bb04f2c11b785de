// Built web pages of an app: their security headers, and the inventory of their scripts and styles.
export { readWebSite } from './web-site.js';
export { createScriptInventoryPlugin, PAGE_FILE, readInventoriedFiles } from './script-inventory.js';
