import type { Answer } from './catalog-client';
import { CommandFailure, EXIT } from '../exit-code';
import { PROGRAM } from '../program';
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
  return new CommandFailure(
    `${address} needs a token (${toRejection(answer)}): give one with --token, --token-file or STRATALOG_TOKEN; ` +
      `"${PROGRAM} token" prints the operator's of a catalog on this machine`,
    EXIT.rejected,
  );
}
