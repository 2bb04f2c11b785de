/** The time of this machine. */
export function readNow(): Date {
  return new Date(performance.timeOrigin + performance.now());
}
