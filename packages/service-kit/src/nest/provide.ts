import type { FactoryProvider, InjectionToken } from '@nestjs/common';

/** The token of a value that has no class, such as settings. */
export type ValueToken<T> = symbol & { readonly valueType?: T };

/** What a dependency is asked for by. */
export type Token<T> = (abstract new (...args: never[]) => T) | ValueToken<T>;

export function defineToken<T>(name: string): ValueToken<T> {
  return Symbol(name);
}

/**
 * Provides a class of a package that is free of Nest. The factory receives the listed dependencies by name; the compiler
 * checks it against the tokens.
 */
export function provide<T, Dependencies extends object>(
  token: Token<T>,
  dependencies: { readonly [Name in keyof Dependencies]: Token<Dependencies[Name]> },
  factory: (dependencies: Dependencies) => T | Promise<T>,
): FactoryProvider {
  const names = Object.keys(dependencies);
  return {
    provide: token as InjectionToken,
    inject: Object.values<InjectionToken>(dependencies),
    useFactory: (...values: unknown[]) =>
      factory(Object.fromEntries(names.map((name, index) => [name, values[index]])) as Dependencies),
  };
}

/** The tokens of providers, for the module that exports what it provides. */
export function listTokens(providers: readonly FactoryProvider[]): InjectionToken[] {
  return providers.map(({ provide: token }) => token);
}
