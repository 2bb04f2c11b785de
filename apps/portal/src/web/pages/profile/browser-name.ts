type Form = readonly [name: string, form: RegExp];

/** In this order: most browsers also name those that came before them. */
const BROWSERS: readonly Form[] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
];
const SYSTEMS: readonly Form[] = [
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** The browser and the system that a header `user-agent` names; null for what it does not name. */
export function readBrowserName(userAgent: string): {
  readonly browser: string | null;
  readonly system: string | null;
} {
  const found = BROWSERS.map(([name, form]) => ({ name, version: form.exec(userAgent)?.[1] })).find(
    ({ version }) => version !== undefined,
  );
  const system = SYSTEMS.find(([, form]) => form.test(userAgent))?.[0] ?? null;
  return { browser: found === undefined ? null : `${found.name} ${found.version}`, system };
}
