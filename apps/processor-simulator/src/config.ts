import { logLevelSetting, millisecondsSetting, portSetting } from '@pos/service-kit/config';
import { z } from 'zod';

/** Every setting of the simulated processor. */
export const Config = z.object({
  HTTP_PORT: portSetting(3010).describe('HTTP port, on the loopback only; 0 takes a free one'),
  WEBHOOK_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Where decisions are sent to; none: callers have to ask'),
  DECISION_DELAY_MS: millisecondsSetting(1_000).describe('How late the card that is decided late is decided'),
  LOG_LEVEL: logLevelSetting().describe('Least level that is logged'),
});
