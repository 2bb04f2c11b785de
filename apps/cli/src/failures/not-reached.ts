/** Nothing that the command needs was reached: a service, a file or a port. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
}
