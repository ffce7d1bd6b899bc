import type { Answer } from './catalog-client';
import { CommandFailure, EXIT } from '../exit-code';
import { describeRejection } from './call-failure';
import { toRejection } from './rejection';

/**
 * Returns a successful answer. **Errors**: {@link CommandFailure} with the catalog's message for a rejection.
 */
export function accepted(answer: Answer, address: string): Answer {
  if (answer.status === 401) throw unauthenticated(answer, address);
  if (answer.status >= 400) throw new CommandFailure(toRejection(answer), EXIT.rejected);
  return answer;
}

/** The catalog requires a token and got none, or a wrong one. */
export function unauthenticated(answer: Answer, address: string): CommandFailure {
  return new CommandFailure(describeRejection(answer, address), EXIT.rejected);
}
