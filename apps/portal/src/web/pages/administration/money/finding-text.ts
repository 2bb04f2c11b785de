import { formatMoney } from '@pos/web-ui/format';

const MINOR_UNITS = /\b(\d{1,15}) ([A-Z]{3})\b/g;

/** Shows the amounts of a finding as money: the service writes them in minor units, as `2001 GBP` for £20.01. */
export function formatFinding(finding: string, language: string): string {
  return finding.replace(MINOR_UNITS, (_, value: string, currencyCode: string) =>
    formatMoney({ value: Number(value), currencyCode }, language),
  );
}
