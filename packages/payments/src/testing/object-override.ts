/** The object with some members replaced; its other methods run on the object itself. */
export function overrideMembers<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get: (of, member): unknown => {
      if (Object.hasOwn(members, member)) return Reflect.get(members, member);
      const value: unknown = Reflect.get(of, member, of);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}
