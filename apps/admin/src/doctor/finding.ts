/** A result of a check: fine, worth knowing, or something that a person must act on. */
export interface DoctorFinding {
  readonly level: 'ok' | 'note' | 'problem';
  /** What was checked: `database`, `acquirer of production`. */
  readonly subject: string;
  readonly message: string;
  /** What to do; null where nothing is to be done. */
  readonly action: string | null;
}

export function ok(subject: string, message: string): DoctorFinding {
  return { level: 'ok', subject, message, action: null };
}

export function note(subject: string, message: string, action: string): DoctorFinding {
  return { level: 'note', subject, message, action };
}

export function problem(subject: string, message: string, action: string): DoctorFinding {
  return { level: 'problem', subject, message, action };
}

/** One line: the level, what was checked, what was found and what to do. */
export function formatDoctorFinding({ level, subject, message, action }: DoctorFinding): string {
  return `${level.padEnd('problem'.length)}  ${subject}: ${message}${action === null ? '' : `; ${action}`}`;
}
