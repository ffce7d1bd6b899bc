import { CallRejectedError } from '@stratalog/client';
import { useQuery } from '@tanstack/react-query';
import { call, token } from './catalog';
import { useStore } from './store';

/** Whether the places of operators are shown: without a token they are, because they lead to the sign-in; with one the catalog is asked. */
export function useMayOperate(): boolean {
  const secret = useStore(token);
  const { data } = useQuery({
    queryKey: ['may operate'],
    enabled: secret !== undefined,
    staleTime: Infinity,
    queryFn: async () => {
      try {
        await call('GET /operations/tasks', { count: 0 });
        return true;
      } catch (error) {
        if (error instanceof CallRejectedError && error.status === 403) return false;
        throw error;
      }
    },
  });
  return secret === undefined || data === true;
}
