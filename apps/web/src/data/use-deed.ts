import type { Address, AnswerOf, Given, ParametersOf, Reply } from '@stratalog/client';
import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { call } from './catalog';
import { queryClient } from './use-call';

type Deed<To extends Address> = UseMutationResult<Reply<AnswerOf<To>>, Error, ParametersOf<To>>;

/** A call that changes something. Afterwards the answers of the named calls are read again. */
export function useDeed<To extends Address>(to: To, changes: readonly Address[] = []): Deed<To> {
  return useMutation({
    mutationFn: (parameters: ParametersOf<To>) => {
      const given = [parameters] as unknown as Given<To>;
      return call(to, ...given);
    },
    onSettled: () => {
      for (const each of changes) void queryClient.invalidateQueries({ queryKey: [each] });
    },
  });
}
