// Time zones and timespans: zoned days and midnights, and durations written as `hh:mm:ss`.
export { DAY_MS, formatTimespan, HOUR_MS, parseTimespan } from './timespan.js';
export { addDays, findNextMidnight, formatZonedTime, isTimeZone, toZonedDay, toZonedMoment, UTC } from './time-zone.js';
