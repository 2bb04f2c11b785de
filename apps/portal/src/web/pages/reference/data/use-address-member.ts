import { useParams } from '@tanstack/react-router';

/** The member of the address with this name. */
export function useAddressMember(name: string): string {
  const members: Readonly<Record<string, string | undefined>> = useParams({ strict: false });
  return members[name] ?? '';
}
