import { useParams } from '@tanstack/react-router';

/** The member of the address with this name. */
export function useAddressMember(name: string): string {
  const members = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>;
  return members[name] ?? '';
}
