import { createContext, useContext, useEffect, useMemo, useRef, type ReactNode } from 'react';

/** A key of the machine. `clear` is yellow, `cancel` red and `enter` green. */
export type MachineKey = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | 'clear' | 'cancel' | 'enter';

type KeyListener = (key: MachineKey) => void;

const KeypadContext = createContext<{ readonly press: KeyListener; readonly setListener: (to: KeyListener) => void }>({
  press: () => undefined,
  setListener: () => undefined,
});

const KEYBOARD: Readonly<Record<string, MachineKey>> = { Escape: 'cancel', Backspace: 'clear', Enter: 'enter' };

/** Passes the keys of the machine and of the keyboard to the screen that the machine displays. */
export function KeypadProvider({ children }: { children: ReactNode }): ReactNode {
  const listener = useRef<KeyListener>(() => undefined);
  const keypad = useMemo(
    () => ({
      press: (key: MachineKey) => listener.current(key),
      setListener: (to: KeyListener) => {
        listener.current = to;
      },
    }),
    [],
  );
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const key = /^\d$/.test(event.key) ? (event.key as MachineKey) : KEYBOARD[event.key];
      // Enter on a focused button presses that button.
      const isOnControl = event.target instanceof Element && event.target.closest('button, a, summary') !== null;
      if (key === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
      if (key === 'enter' && isOnControl) return;
      event.preventDefault();
      keypad.press(key);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [keypad]);
  return <KeypadContext value={keypad}>{children}</KeypadContext>;
}

/** Presses a key of the machine. */
export function useKeyPress(): KeyListener {
  return useContext(KeypadContext).press;
}

/** Receives the keys while the calling screen is displayed. */
export function useMachineKeys(onKey: KeyListener): void {
  const { setListener } = useContext(KeypadContext);
  useEffect(() => {
    setListener(onKey);
    return () => setListener(() => undefined);
  });
}

const DIGITS_MAX = 7;

/** The digits of an amount after a key, without leading zeros. */
export function changeDigits(digits: string, key: MachineKey): string {
  if (key === 'clear') return digits.slice(0, -1);
  return /^\d$/.test(key) && digits.length < DIGITS_MAX ? `${digits}${key}`.replace(/^0+/, '') : digits;
}
