import { CommandFailure, EXIT } from '../exit-code';
import { InterruptedError } from './call-errors';

/** Resolves as the work does. **Errors**: those of the work; {@link CommandFailure} with `message` when Ctrl-C ended its calls. */
export async function explainInterruption<T>(work: Promise<T>, message: string): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof InterruptedError)) throw error;
    throw new CommandFailure(`interrupted; ${message}`, EXIT.interrupted);
  }
}
