/** Named points where a test may kill the process, to prove that no data is lost there. */
export type FaultPoint = (name: string) => void;

/**
 * Creates the fault point of a process. It kills the process by SIGKILL when `NODE_ENV` is `test` and
 * `FAULT_POINT` is the name, or `name:3` for its third use. In any other environment it does nothing.
 */
export function createFaultPoint(
  { NODE_ENV, FAULT_POINT }: { NODE_ENV?: string | undefined; FAULT_POINT?: string | undefined },
  kill: () => void = () => process.kill(process.pid, 'SIGKILL'),
): FaultPoint {
  if (NODE_ENV !== 'test' || FAULT_POINT === undefined || FAULT_POINT === '') return () => undefined;
  const match = /^([a-z0-9_.-]+)(?::([1-9]\d{0,5}))?$/i.exec(FAULT_POINT);
  if (match === null) throw new Error('FAULT_POINT is not a name or name:number');
  const [, armedName, nth] = match;
  let passesLeft = Number(nth ?? 1);
  return (name) => {
    if (name !== armedName) return;
    passesLeft -= 1;
    if (passesLeft === 0) kill();
  };
}
